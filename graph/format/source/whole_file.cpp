// SPDX-License-Identifier: MIT
// Messages for inputs of the wrong kind or size.
#include "graph/format/source/whole_file.hpp"

#include <algorithm>

namespace emgraph::graph::format {

void check_regular_file(const core::InputFile& input, std::string_view format, std::string_view demand) {
  if (input.seekable()) return;
  throw core::UsageError(input.name() + ": format '" + std::string(format) + "' " + std::string(demand) +
                         ": give a regular file");
}

core::DataError wrong_size(const std::string& file, std::uint64_t found, std::uint64_t expected,
                           std::string_view content) {
  return core::DataError::at_offset(file, std::min(found, expected),
                                    (found < expected ? "truncated: " : "bytes left over: ") +
                                        std::to_string(found) + " bytes, expected " +
                                        std::to_string(expected) + " for " + std::string(content));
}

}  // namespace emgraph::graph::format
