// SPDX-License-Identifier: MIT
// Lines with one edge each, of formats whose header declares the counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph/edge_facts.hpp"
#include "graph/format/text/line_source.hpp"

namespace emgraph::graph::format {

/// The contents of the lines.
struct EdgeLineRules {
  enum class Triangle { whole, lower, strictly_lower };

  char letter = 0;                ///< first letter of lines with edges; 0: they start with the first id
  std::string_view skipped = {};  ///< lines that start with one of these letters are skipped
  std::string_view first = {};    ///< name of the first id in messages
  std::string_view second = {};   ///< name of the second id in messages
  std::uint64_t base = 1;         ///< number of the first node
  std::size_t id_bytes = 4;       ///< larger ids are IdTooWide, unless n bounds them
  bool second_is_source = false;
  Triangle triangle = Triangle::whole;                ///< lower: the first id is not less than the second
  WeightType weight = WeightType::none;               ///< third column: none, i64 or f64
  std::optional<std::uint64_t> nodes = std::nullopt;  ///< n
  std::optional<std::uint64_t> edges = std::nullopt;  ///< m
  /// The number of nodes on the left side, which the first ids are; the second ids are those of the others,
  /// and count from `base`, too. Requires: nodes.
  std::optional<std::uint64_t> left_nodes = std::nullopt;
  std::string_view hint = {};  ///< appended to the message about an id out of range
};

/// Columns are separated by blanks; a line may end with CR LF. Empty lines are skipped.
class EdgeLineParser final : public LineParser {
 public:
  explicit EdgeLineParser(const EdgeLineRules& rules) : rules_(rules) {}

  std::size_t most_edges(std::size_t text_bytes) const override;
  void parse(const LineChunk& chunk, const TextPlace* before, const core::PairShape& shape, std::byte* out,
             ParsedChunk& parsed) const override;
  bool exceeds(const TextPlace& after) const override { return rules_.edges && after.edges > *rules_.edges; }
  void check_place(const std::string& file, const LineChunk& chunk, const TextPlace& after) const override;

 private:
  template <class Out>
  class Pass;
  const EdgeLineRules rules_;
};

}  // namespace emgraph::graph::format
