# Puts files into the program: the worker, bundled into one, the types of what authors import, and what `toa create`
# writes.

enable_language(ASM)
find_program(ESBUILD esbuild REQUIRED)

set(worker_dir ${CMAKE_SOURCE_DIR}/packages/worker)
set(worker_bundle ${CMAKE_BINARY_DIR}/embedded/worker.mjs)
file(GLOB_RECURSE worker_sources CONFIGURE_DEPENDS ${worker_dir}/src/*.mjs)
if(NOT EXISTS ${worker_dir}/node_modules)
  message(FATAL_ERROR "packages/worker/node_modules is missing: run `make setup`, which installs it with npm.")
endif()
add_custom_command(
  OUTPUT ${worker_bundle}
  COMMAND sh ${worker_dir}/build.sh ${worker_bundle}
  DEPENDS ${worker_sources} ${worker_dir}/build.sh ${worker_dir}/package-lock.json
  WORKING_DIRECTORY ${worker_dir}
  COMMENT "Bundling the Node worker"
  VERBATIM)

set(template_dir ${CMAKE_SOURCE_DIR}/packages/template)
file(GLOB_RECURSE template_files CONFIGURE_DEPENDS RELATIVE ${template_dir} ${template_dir}/*)

set(core_types ${CMAKE_SOURCE_DIR}/packages/types/core.d.ts)

set(assembly "")
set(declarations "")
set(table "")
set(index 0)
foreach(file worker.mjs core.d.ts ${template_files})
  if(index EQUAL 0)
    set(absolute ${worker_bundle})
  elseif(index EQUAL 1)
    set(absolute ${core_types})
  else()
    set(absolute ${template_dir}/${file})
  endif()
  string(APPEND assembly
    ".globl toa_embedded_${index}\n.globl toa_embedded_${index}_end\n"
    "toa_embedded_${index}:\n.incbin \"${absolute}\"\ntoa_embedded_${index}_end:\n.byte 0\n")
  string(APPEND declarations "extern const char toa_embedded_${index}[];\nextern const char toa_embedded_${index}_end[];\n")
  set(entry "{\"${file}\", {toa_embedded_${index}, toa_embedded_${index}_end}}")
  if(index EQUAL 0)
    set(worker_entry "${entry}")
  elseif(index EQUAL 1)
    set(core_types_entry "${entry}")
  else()
    string(APPEND table "      {\"${file}\", {toa_embedded_${index}, toa_embedded_${index}_end}},\n")
  endif()
  math(EXPR index "${index} + 1")
endforeach()

set(assembly_file ${CMAKE_BINARY_DIR}/embedded/files.S)
file(CONFIGURE OUTPUT ${assembly_file} CONTENT
  ".section .rodata\n${assembly}.section .note.GNU-stack,\"\",@progbits\n" @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/embedded/embedded.cpp CONTENT
"#include \"runtime/embedded.hpp\"\n
extern \"C\" {\n${declarations}}\n
namespace toa::runtime::embedded {\n
File worker() { return ${worker_entry}; }\n
File core_types() { return ${core_types_entry}; }\n
const std::vector<File>& application_template() {
  static const std::vector<File> files = {\n${table}  };
  return files;
}\n
}  // namespace toa::runtime::embedded\n" @ONLY)

set(embedded_dependencies ${worker_bundle} ${core_types})
foreach(file ${template_files})
  list(APPEND embedded_dependencies ${template_dir}/${file})
endforeach()
set_source_files_properties(${assembly_file} PROPERTIES OBJECT_DEPENDS "${embedded_dependencies}")
add_library(toa_embedded STATIC ${assembly_file} ${CMAKE_BINARY_DIR}/embedded/embedded.cpp)
target_link_libraries(toa_embedded PUBLIC toa_options)
target_compile_options(toa_embedded PRIVATE $<$<COMPILE_LANGUAGE:ASM>:-Wno-everything>)
