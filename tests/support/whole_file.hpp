// SPDX-License-Identifier: MIT
// Reads a file into a string.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace emgraph::tests {

/// By blocks: bytes one by one took a third of the time of some tests under sanitizers. "" of a file that
/// cannot be opened.
inline std::string whole_file(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace emgraph::tests
