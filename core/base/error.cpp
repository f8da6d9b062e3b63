// SPDX-License-Identifier: MIT
// Wording shared by all errors that name a file.
#include "core/base/error.hpp"

#include <cstring>

namespace emgraph::core {

DataError DataError::at_offset(const std::string& path, std::uint64_t offset, const std::string& what) {
  return DataError(path + ": offset " + std::to_string(offset) + ": " + what);
}

DataError DataError::at_line(const std::string& path, std::uint64_t line, const std::string& what) {
  return DataError(path + ": line " + std::to_string(line) + ": " + what);
}

DataError DataError::in_file(const std::string& path, const std::string& what) {
  return DataError(path + ": " + what);
}

EnvironmentError EnvironmentError::system(const std::string& path, const std::string& what,
                                          int error_number) {
  return EnvironmentError(path + ": " + what + ": " + std::strerror(error_number));
}

}  // namespace emgraph::core
