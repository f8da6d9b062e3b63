// SPDX-License-Identifier: MIT
// Presents bytes in memory as a named regular file or as a pipe.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "tests/support/temporary_directory.hpp"

namespace emgraph::fuzz {

using Bytes = std::span<const std::byte>;

/// A file in memory, with names in a directory that exists as long as the process. Each write replaces the
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

/// A pipe with these bytes, at most 1 MiB, and then its end.
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
