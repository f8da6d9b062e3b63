// SPDX-License-Identifier: MIT
// Candidates are drawn by the reference code's generator and looked up in marks of one pass over the list.
#include "graph/graph500/roots.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random_word.hpp"
#include "core/base/vector_sort.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::graph500 {
namespace {

void set_bit(const core::Array<std::uint64_t>& bits, std::uint64_t at) {
  const std::atomic_ref word(bits[at / 64]);
  const std::uint64_t bit = std::uint64_t{1} << at % 64;
  if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
}
bool test_bit(const core::Array<std::uint64_t>& bits, std::uint64_t at) {
  return (bits[at / 64] >> at % 64 & 1) != 0;
}

/// Generates the edge list once, fills `stored` unless it is null, and calls mark(node) for both ends of all
/// edges but loops.
template <class Mark>
void for_each_end(core::Environment& environment, const EdgeList& list, const StoredEdges* stored,
                  const Mark& mark) {
  EdgePass pass(list, stored != nullptr && stored->weights.size() > 0);
  core::Phase phase(environment.progress, "generate", list.count, "edges");
  core::run_on_threads(pass_threads(environment), [&](unsigned) {
    pass.run(environment.memory,
             [&](std::uint64_t first, std::span<const Edge32> edges, std::span<const float> weights) {
               for (const auto [source, target] : edges) {
                 if (source == target) continue;
                 mark(source);
                 mark(target);
               }
               if (stored != nullptr) {
                 std::copy(edges.begin(), edges.end(), stored->edges.data() + first);
                 std::copy(weights.begin(), weights.end(), stored->weights.data() + first);
               }
               phase.advance(edges.size());
             });
  });
}

/// Whether nodes have edges: a bit for each node.
class AllMarks {
 public:
  AllMarks(core::Environment& environment, const EdgeList& list, const StoredEdges* stored)
      : marks_(environment.memory, (list.edges.nodes() + 63) / 64, "a bit per node") {
    for_each_end(environment, list, stored, [this](std::uint32_t node) { set_bit(marks_, node); });
  }
  static std::uint64_t bytes(std::uint64_t nodes) { return nodes / 8; }
  bool has_edge(std::uint32_t node) const { return test_bit(marks_, node); }

 private:
  const core::Array<std::uint64_t> marks_;
};

/// The same for some nodes. A table of hashes tells that most ends are none of them.
class SomeMarks {
 public:
  SomeMarks(core::Environment& environment, const EdgeList& list, const StoredEdges* stored,
            std::vector<std::uint32_t> nodes)
      : nodes_(std::move(nodes)),
        hashes_(environment.memory, table_bits / 64, "hashes of candidates for roots"),
        marks_(environment.memory, nodes_.size() / 64 + 1, "marks of candidates for roots") {
    core::vector_sort(std::span(nodes_));
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    for (const std::uint32_t node : nodes_) set_bit(hashes_, hash(node));
    for_each_end(environment, list, stored, [this](std::uint32_t node) {
      if (test_bit(hashes_, hash(node))) mark(node);
    });
  }
  bool has_edge(std::uint32_t node) const { return test_bit(marks_, place(node)); }

 private:
  static constexpr std::uint64_t table_bits = std::uint64_t{1} << 20;

  static std::uint64_t hash(std::uint32_t node) { return node * core::golden_increment >> 44; }
  std::size_t place(std::uint32_t node) const {
    return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
  }
  void mark(std::uint32_t node) const {
    const std::size_t at = place(node);
    if (at < nodes_.size() && nodes_[at] == node) set_bit(marks_, at);
  }

  std::vector<std::uint32_t> nodes_;
  const core::Array<std::uint64_t> hashes_;
  const core::Array<std::uint64_t> marks_;
};

class Draw {
 public:
  Draw(const EdgeList& list, std::uint64_t seed, std::uint64_t wanted)
      : candidates_(static_cast<unsigned>(list.edges.plan().scale), seed + 1, seed + 2),
        wanted_(wanted),
        left_(list.edges.nodes()) {}

  bool done() const { return left_ == 0 || roots_.size() == wanted_; }
  std::uint32_t next() {
    --left_;
    return static_cast<std::uint32_t>(candidates_.next());
  }
  std::uint64_t left() const { return left_; }
  void take(std::uint32_t root) {
    if (roots_.size() < wanted_ && std::find(roots_.begin(), roots_.end(), root) == roots_.end()) {
      roots_.push_back(root);
    }
  }
  std::vector<std::uint32_t>& roots() { return roots_; }

 private:
  generate::Graph500Roots candidates_;
  const std::uint64_t wanted_;
  std::uint64_t left_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace

std::vector<std::uint32_t> draw_roots(core::Environment& environment, const EdgeList& list,
                                      std::uint64_t seed, std::uint64_t wanted, const StoredEdges* stored) {
  constexpr std::uint64_t most_together = 65536;
  Draw draw(list, seed, wanted);
  if (AllMarks::bytes(list.edges.nodes()) <= environment.memory.available() / 4) {
    const AllMarks marks(environment, list, stored);
    while (!draw.done()) {
      const std::uint32_t root = draw.next();
      if (marks.has_edge(root)) draw.take(root);
    }
  } else {
    while (!draw.done()) {
      const std::uint64_t together = std::min(most_together, 4 * std::min(wanted, most_together) + 1024);
      std::vector<std::uint32_t> some;
      for (std::uint64_t left = std::min(together, draw.left()); left > 0; --left)
        some.push_back(draw.next());
      const SomeMarks marks(environment, list, std::exchange(stored, nullptr), some);
      for (const std::uint32_t root : some) {
        if (marks.has_edge(root)) draw.take(root);
      }
    }
  }
  if (draw.roots().empty()) {
    throw core::UsageError("all edges are loops, so there is no root to search from");
  }
  return std::move(draw.roots());
}

}  // namespace emgraph::graph::graph500
