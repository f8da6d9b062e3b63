// SPDX-License-Identifier: MIT
// A text header that declares n and m, which may be known only in the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Written at once where both counts are declared; else blanks are left for them, and filled in the end.
class CountedHeader {
 public:
  /// The header by n and the edges appended, without its last line break.
  using Text = std::function<std::string(std::uint64_t nodes, std::uint64_t edges)>;

  /// Throws UsageError where `output` cannot be rewritten and the counts are not declared.
  CountedHeader(core::OutputFile& output, const EdgeFacts& facts, Text text);

  void at_least_nodes(std::uint64_t nodes) { least_nodes_ = nodes; }
  /// Edge number `edge` names this id. Throws DataError if it is not below a declared n.
  void see(std::uint64_t id, std::uint64_t edge) {
    if (id >= bound_) refuse(id, edge);
    if (id >= nodes_seen_) nodes_seen_ = id + 1;
  }
  /// n: declared, or as the ids ask for so far.
  std::uint64_t nodes() const { return declared_nodes_.value_or(std::max(least_nodes_, nodes_seen_)); }
  /// Everything is appended: fills in the counts. Declared edges that did not come: std::logic_error.
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
