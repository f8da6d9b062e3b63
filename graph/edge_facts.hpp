// SPDX-License-Identifier: MIT
// The declared facts of an edge source, and the layout of its records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace emgraph::graph {

enum class WeightType : std::uint8_t { none = 0, u32 = 1, i64 = 2, f32 = 3, f64 = 4 };
enum class EdgeOrder : std::uint8_t { none = 0, source_target = 1, target_source = 2, weight = 3 };

constexpr std::size_t weight_bytes(WeightType type) {
  switch (type) {
    case WeightType::none:
      return 0;
    case WeightType::u32:
    case WeightType::f32:
      return 4;
    case WeightType::i64:
    case WeightType::f64:
      return 8;
  }
  return 0;
}

/// One edge in a file: source, target (id_bytes each), weight, payload; no gaps.
struct EdgeLayout {
  std::size_t id_bytes = 4;  ///< 4 or 8
  WeightType weight = WeightType::none;
  std::size_t payload_bytes = 0;
  std::size_t attachment_bytes() const { return weight_bytes(weight) + payload_bytes; }
  std::size_t record_bytes() const { return 2 * id_bytes + attachment_bytes(); }
  bool operator==(const EdgeLayout&) const = default;
};

/// Declared facts; a false flag means "not declared".
struct EdgeFacts {
  EdgeLayout layout;
  std::optional<std::uint64_t> nodes;  ///< n: ids are below it
  std::optional<std::uint64_t> edges;  ///< m, as stored
  EdgeOrder order = EdgeOrder::none;
  bool directed = false;
  bool undirected = false;  ///< declared, and each edge is stored once; not kept by containers
  bool unique = false;      ///< no two edges with equal (source, target)
  bool no_loops = false;
  bool oriented_low = false;  ///< source <= target everywhere
  bool symmetric = false;     ///< every edge is stored in both directions
  bool generated = false;     ///< the edges are generated: reading them again needs no I/O
  /// A bound of m by the size of the file, if m is not declared.
  std::optional<std::uint64_t> most_edges = std::nullopt;
  std::string name;  ///< for messages: path, "standard input" or "gen:…"
};

/// True if edges are undirected and each is stored in one direction only. Low id first is taken for that, as
/// Matrix Market files of symmetric matrices are written from such edges.
inline bool stored_one_way(const EdgeFacts& facts) {
  return !facts.directed && !facts.symmetric && (facts.undirected || facts.oriented_low);
}

/// n as requested by the user, else as declared by the input, else unknown.
inline std::optional<std::uint64_t> known_nodes(const std::optional<std::uint64_t>& asked,
                                                const EdgeFacts& facts) {
  return asked ? asked : facts.nodes;
}
/// The same. Throws UsageError if ids of this width cannot number so many nodes.
std::optional<std::uint64_t> declared_nodes(std::size_t id_bytes, const std::optional<std::uint64_t>& asked,
                                            const EdgeFacts& facts);
template <class Id>
std::optional<std::uint64_t> declared_nodes(const std::optional<std::uint64_t>& asked,
                                            const EdgeFacts& facts) {
  return declared_nodes(sizeof(Id), asked, facts);
}

}  // namespace emgraph::graph
