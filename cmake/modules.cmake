# A module is a folder of src/: its .cpp files become one static library toa_<name>, its *_test.cpp files one test
# program <name>_test. Files are found by pattern, so adding one needs no change here.

add_library(toa_options INTERFACE)
target_include_directories(toa_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_options(toa_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Wimplicit-fallthrough -Werror)
target_compile_definitions(toa_options INTERFACE TOA_VERSION="${PROJECT_VERSION}")
target_link_options(toa_options INTERFACE -fuse-ld=lld)
if(TOA_SANITIZE)
  target_compile_options(toa_options INTERFACE -fsanitize=${TOA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(toa_options INTERFACE -fsanitize=${TOA_SANITIZE})
endif()

# The headers that nearly every file needs, compiled once.
# Written once: a newer file would compile everything again each time that a file is added.
if(NOT EXISTS ${CMAKE_BINARY_DIR}/pch/pch.cpp)
  file(WRITE ${CMAKE_BINARY_DIR}/pch/pch.cpp "")
endif()
add_library(toa_pch STATIC ${CMAKE_BINARY_DIR}/pch/pch.cpp)
target_link_libraries(toa_pch PUBLIC toa_options)
target_precompile_headers(toa_pch PRIVATE
  <algorithm> <array> <atomic> <chrono> <coroutine> <cstdint> <deque> <expected> <functional> <map> <memory>
  <mutex> <optional> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <boost/json.hpp> <fmt/format.h>)

# toa_module(<name> DIR <folder under src> ALSO <its folders that belong to it> LINK <libraries…> TEST_LINK <what only its tests need…>)
function(toa_module name)
  cmake_parse_arguments(ARG "" "DIR" "ALSO;LINK;TEST_LINK;EXCLUDE" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${ARG_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  foreach(folder ${ARG_ALSO})
    file(GLOB more CONFIGURE_DEPENDS ${dir}/${folder}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  foreach(file ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${dir}/${file})
  endforeach()
  if(sources)
    add_library(toa_${name} STATIC ${sources})
    target_link_libraries(toa_${name} PUBLIC toa_options ${ARG_LINK} Boost::json fmt::fmt Threads::Threads)
    target_precompile_headers(toa_${name} REUSE_FROM toa_pch)
  else()
    add_library(toa_${name} INTERFACE)
    target_link_libraries(toa_${name} INTERFACE toa_options ${ARG_LINK} Boost::json fmt::fmt Threads::Threads)
  endif()
  if(TOA_TESTS AND tests)
    toa_test(${name}_test SOURCES ${tests} LINK toa_${name} ${ARG_TEST_LINK})
  endif()
endfunction()

# toa_test(<name> SOURCES … LINK …): a GoogleTest program, each of its tests known to ctest by name.
function(toa_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE toa_options ${ARG_LINK} GTest::gtest GTest::gtest_main rapidcheck)
  # A program is compiled as -fPIE by default, which a precompiled header made for -fPIC does not fit.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_compile_definitions(${name} PRIVATE TOA_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM toa_pch)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
