#pragma once

#include <string>
#include <vector>

namespace toa::manifest {

/// Something that an author has to change before the application can start.
struct Problem {
  std::string file;
  int line = 0;  // from 1; 0 where there is none
  /// The dotted path of the key it is about (`operations.credit.once`); may be empty.
  std::string key;
  std::string message;
};

/// By file, then by line; each once, since what several components inherit is read for each of
/// them.
void sort(std::vector<Problem>& problems);

/// `file:line: key: message`, one per line, sorted by file and line.
std::string print(const std::vector<Problem>& problems);

}  // namespace toa::manifest
