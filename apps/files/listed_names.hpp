// SPDX-License-Identifier: MIT
// The lines of a text list of names, and the names in them.
#pragma once

#include <optional>
#include <string>

#include "apps/run/session.hpp"
#include "core/base/function_ref.hpp"

namespace emgraph::apps {

/// How the lines of a list have names: as those of a text result with the extension of `path`.
class ListedNames {
 public:
  /// `value`: only lines with this value in their last column count.
  explicit ListedNames(const std::string& path, const std::optional<std::string>& value = std::nullopt);
  /// Shortens a line with the value to the column before it. False: the line has another value.
  bool take_column(std::string& line) const;
  /// The name in a column: in CSV without its quotes.
  std::string name(const std::string& column) const;
  /// In TSV, another reading of a name: a tab is written as \t, but a backslash as itself. "": there is none.
  std::string other_reading(const std::string& name) const;

 private:
  const bool csv_;
  const bool tsv_;
  const std::optional<std::string> value_;
  const std::string quoted_value_;  // of CSV
};

/// Calls take(line) for each line of a text file, packed or not. Memory: 128 KiB, not charged. Throws
/// DataError (a line of more than 64 KiB), EnvironmentError.
void for_each_line(Session& session, const std::string& path, core::FunctionRef<void(std::string)> take);

}  // namespace emgraph::apps
