// SPDX-License-Identifier: MIT
// The edge list of a run: in memory, or generated anew wherever it is read.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/generate/graph500.hpp"

namespace emgraph::graph::graph500 {

/// Edges 0 ... count - 1 of a generator. `stored` has them all, or none: then they are generated wherever
/// they are read, which takes less time than reading them from a disk. `stored_weights` likewise.
struct EdgeList {
  generate::Graph500Edges edges;
  std::uint64_t count = 0;
  std::span<const Edge32> stored = {};
  std::span<const float> stored_weights = {};
};

/// One pass over the edge list by several threads. Memory: 100 KiB per thread unless the list is stored.
class EdgePass {
 public:
  /// Edges of a piece, at most. The default for the parts that a thread takes.
  static constexpr std::uint64_t piece = 8192;

  /// Threads take parts of `part_edges` edges; the last one may have fewer.
  EdgePass(const EdgeList& list, bool weights, std::uint64_t part_edges = piece)
      : list_(list),
        weights_(weights),
        stored_(!list.stored.empty() && (!weights || !list.stored_weights.empty())),
        part_edges_(part_edges) {}

  /// Calls `use(first, edges, weights)` for pieces of the list until all are used; `first` is the number of
  /// the piece's first edge. Without weights the second span is empty. Threads: each calls it once.
  template <class Use>
  void run(core::MemoryBudget& memory, const Use& use) {
    const auto nothing = [](std::uint64_t) {};
    run_parts(memory, nothing, use, nothing);
  }

  /// The same. Calls `begin(part)` before the pieces of a part and `end(part)` after them.
  template <class Begin, class Use, class End>
  void run_parts(core::MemoryBudget& memory, const Begin& begin, const Use& use, const End& end) {
    const core::Array<Edge32> edges(memory, stored_ ? 0 : piece, "edges being generated");
    const core::Array<float> weights(memory, weights_ && !stored_ ? piece : 0, "weights being generated");
    for (std::uint64_t at; (at = next_.fetch_add(part_edges_, std::memory_order_relaxed)) < list_.count;) {
      const std::uint64_t part = at / part_edges_;
      const std::uint64_t last = at + std::min(part_edges_, list_.count - at);
      begin(part);
      for (std::uint64_t first = at; first < last; first += piece) {
        const auto count = static_cast<std::size_t>(std::min(piece, last - first));
        const std::size_t weight_count = weights_ ? count : 0;
        if (stored_) {
          use(first, list_.stored.subspan(first, count),
              weights_ ? list_.stored_weights.subspan(first, count) : std::span<const float>());
          continue;
        }
        const auto some_weights = weights.span().first(weight_count);
        list_.edges.fill<std::uint32_t>(first, edges.span().first(count), some_weights);
        use(first, std::span<const Edge32>(edges.span().first(count)), std::span<const float>(some_weights));
      }
      end(part);
    }
  }

 private:
  const EdgeList& list_;
  const bool weights_;
  const bool stored_;
  const std::uint64_t part_edges_;
  std::atomic<std::uint64_t> next_{0};
};

/// Memory of a thread in a pass, bytes.
inline constexpr std::size_t edge_pass_bytes = 100 * core::KiB;

/// Threads for passes over edges: fewer than the environment's if their buffers would take more than a
/// quarter of the free memory.
inline unsigned pass_threads(const core::Environment& environment) {
  const std::size_t most = environment.memory.available() / (4 * edge_pass_bytes);
  return static_cast<unsigned>(std::clamp<std::size_t>(most, 1, std::max(1u, environment.threads)));
}

}  // namespace emgraph::graph::graph500
