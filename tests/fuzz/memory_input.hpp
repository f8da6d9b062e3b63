// SPDX-License-Identifier: MIT
// Bytes as a regular file with a name and as a pipe, without a disk.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "tests/support/temporary_directory.hpp"

namespace emgraph::fuzz {

using Bytes = std::span<const std::byte>;

/// A file in memory under names in a directory that lives as long as the process. Each write replaces the
/// content.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;

  void write(Bytes bytes);
  /// A path without an extension.
  const std::string& path() const { return path_; }
  /// A path whose last component is `name`.
  const std::string& path_called(const std::string& name);

 private:
  int descriptor_;
  std::string path_;
  std::map<std::string, std::string> names_;
};

/// A pipe that holds these bytes and then ends; at most 1 MiB.
class FullPipe {
 public:
  explicit FullPipe(Bytes bytes);
  ~FullPipe();
  FullPipe(const FullPipe&) = delete;
  const std::string& path() const { return path_; }

 private:
  int read_end_;
  std::string path_;
};

}  // namespace emgraph::fuzz
