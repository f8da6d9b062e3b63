// SPDX-License-Identifier: MIT
// Counts the lines of text that are left out, and keeps the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace emgraph::graph::format {

/// Lines that are left out of a file: invalid ones with --on-error skip, and those with a value of --na in
/// place of an id or label.
struct LeftOutCounts {
  std::uint64_t skipped = 0;
  std::uint64_t missing = 0;
};

struct LeftOutLine {
  std::string file;
  std::uint64_t line = 0;
  std::string reason;
};

/// Thread-safe. A file that is read several times counts as often as the inputs name it.
class LeftOutLines {
 public:
  static constexpr std::size_t most_shown = 5;

  /// The names of all inputs. A name that occurs twice counts twice.
  void set_inputs(const std::vector<std::string>& names);
  /// The counts of `file` from its start to a place.
  void count(const std::string& file, const LeftOutCounts& counts);
  /// An invalid line of `file`. Requires: they come in the order of the lines.
  void add(const std::string& file, std::uint64_t line, const std::string& reason);

  /// Of all files.
  LeftOutCounts all() const;
  /// What all() was in an earlier part of the run, which may have read the files to their ends.
  void restore(const LeftOutCounts& before);
  /// The first `most_shown` invalid lines, in the order in which files were begun.
  std::vector<LeftOutLine> first() const;

 private:
  struct File {
    std::string name;
    LeftOutCounts counts;
    std::vector<LeftOutLine> first;
  };
  File& file_called(const std::string& name);

  std::map<std::string, std::uint64_t> times_;  ///< only of names that occur more than once
  mutable std::mutex mutex_;
  std::vector<File> files_;
  LeftOutCounts before_;
};

}  // namespace emgraph::graph::format
