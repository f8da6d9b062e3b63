// SPDX-License-Identifier: MIT
// A directory for the files of one test. It is deleted with its contents at the end of the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "tests/support/whole_file.hpp"

namespace emgraph::tests {

class TemporaryDirectory {
 public:
  /// Creates the directory below `parent`, by default the system's directory for temporary files ($TMPDIR,
  /// /tmp).
  explicit TemporaryDirectory(const std::string& parent = std::filesystem::temp_directory_path().string()) {
    std::string pattern = parent + "/emgraph-test-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path() const { return path_; }
  /// The path of a file with this name in the directory.
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file with this content and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
  std::string read(const std::string& name) const { return whole_file(file(name)); }
  /// Number of files and directories in the directory.
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::string path_;
};

}  // namespace emgraph::tests
