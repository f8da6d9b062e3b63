// SPDX-License-Identifier: MIT
// The inputs of a command, which together are one graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace emgraph::apps {

class Inputs {
 public:
  Inputs() = default;
  // Implicit, because most functions that take inputs also serve commands with one.
  Inputs(std::string input) : names_{std::move(input)} {}

  /// Paths, "-" or "gen:…".
  const std::vector<std::string>& names() const { return names_; }
  bool several() const { return names_.size() > 1; }
  /// For messages and summaries: all names of up to three, else two and the number of the others.
  std::string text() const;
  /// The only input. Throws UsageError if there are several: `what` can be one input only.
  const std::string& only(const std::string& what) const;
  /// Throws UsageError if "-" is more than one of these and of the other files that the command reads.
  void refuse_standard_input_twice(const std::vector<std::string>& others) const;
  /// For the parser.
  std::vector<std::string>& parsed() { return names_; }

 private:
  std::vector<std::string> names_;
};

/// Replaces each name @FILE by the lines of FILE: a name each; blank lines do not count. Returns these files.
/// Throws UsageError (no name in the file), EnvironmentError.
std::vector<std::string> read_input_lists(std::vector<std::string>& names);

}  // namespace emgraph::apps
