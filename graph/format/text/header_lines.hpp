// SPDX-License-Identifier: MIT
// Reads and writes header lines, and shows columns of lines in messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// True at a line break, including the one after the text.
inline bool at_break(const char* at) {
  return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/// The column at `at`, shortened and quoted for a message. Requires: a line feed ends the text.
std::string show_column(const char* at);

/// The error message for a column that is not a number from `least` to `most`.
std::string wrong_number(const char* at, const std::string& which, std::uint64_t least, std::uint64_t most);

/// The columns of a line, separated by blanks.
std::vector<std::string_view> columns_of(std::string_view line);

/// True if the column starts with a digit.
bool is_number(std::string_view column);

/// The number in a column of a header. Throws DataError with `which`, the file and the line unless it is a
/// number below 2^64.
std::uint64_t header_number(std::string_view column, const std::string& which, const std::string& file,
                            std::uint64_t line);

/// The header of an output that declares n and m, which may not be known before the end. If both counts are
/// declared, the header is written at once. Else blanks are written and replaced at the end.
class CountedHeader {
 public:
  /// Returns the header for n nodes and m edges, without its last line break.
  using Text = std::function<std::string(std::uint64_t nodes, std::uint64_t edges)>;

  /// Throws UsageError if `output` cannot be rewritten and the counts are not declared.
  CountedHeader(core::OutputFile& output, const EdgeFacts& facts, Text text);

  void at_least_nodes(std::uint64_t nodes) { least_nodes_ = nodes; }
  /// Notes an id of edge number `edge`. Throws DataError if it is not below a declared n.
  void see(std::uint64_t id, std::uint64_t edge) {
    if (id >= bound_) refuse(id, edge);
    if (id >= nodes_seen_) nodes_seen_ = id + 1;
  }
  /// n: declared, or the least n for the ids so far.
  std::uint64_t nodes() const { return declared_nodes_.value_or(std::max(least_nodes_, nodes_seen_)); }
  /// Writes the final counts. Throws std::logic_error if the number of edges is not the declared one.
  void complete(std::uint64_t edges);

 private:
  [[noreturn]] void refuse(std::uint64_t id, std::uint64_t edge) const;

  core::OutputFile& output_;
  const std::optional<std::uint64_t> declared_nodes_;
  const std::optional<std::uint64_t> declared_edges_;
  const Text text_;
  const std::uint64_t bound_;
  std::size_t room_bytes_ = 0;  // 0: the header is complete
  std::uint64_t least_nodes_ = 0;
  std::uint64_t nodes_seen_ = 0;
};

}  // namespace emgraph::graph::format
