// SPDX-License-Identifier: MIT
// Rules 2 to 5: cell by cell, with the values of two pieces of nodes in memory.
#include "graph/graph500/external_validation.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <type_traits>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/base/prefetch.hpp"
#include "graph/graph500/answer_checksum.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr unsigned most_piece_bits_less = 9;  // 512 pieces
constexpr std::size_t edges_ahead = 32;

/// Values, parents, and a bit for each node whose tree edge was seen, of one piece.
template <class Value>
class Piece {
 public:
  Piece(core::MemoryBudget& memory, unsigned bits)
      : bits_(bits),
        values_(memory, std::size_t{1} << bits, "values of some nodes"),
        parents_(memory, std::size_t{1} << bits, "parents of some nodes"),
        confirmed_(memory, ((std::size_t{1} << bits) + 63) / 64, "a bit for each of some nodes") {}

  void load(core::Environment& environment, std::size_t number, const DiskValues<Value>& values,
            const DiskValues<std::uint32_t>& parents) {
    number_ = number;
    first_ = std::uint64_t{number} << bits_;
    values.load(environment, number, values_.span());
    count_ = parents.load(environment, number, parents_.span());
  }
  void forget_confirmed() { std::fill_n(confirmed_.data(), confirmed_.size(), std::uint64_t{0}); }

  bool has(std::uint32_t node) const { return std::uint64_t{node} >> bits_ == number_; }
  Value value(std::uint32_t node) const { return values_[node - first_]; }
  std::uint32_t parent(std::uint32_t node) const { return parents_[node - first_]; }
  void prefetch(std::uint32_t node) const { core::prefetch(&values_[node - first_]); }
  /// Threads: any number at once.
  void confirm(std::uint32_t node) {
    const std::uint64_t at = node - first_;
    const std::atomic_ref word(confirmed_[at / 64]);
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  }

  /// Notes nodes with a parent in piece `other` that were not confirmed.
  void check_confirmed(std::uint64_t other, std::uint32_t root, bool distances, Finding& finding) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (parents_[i] == no_parent_claim || std::uint64_t{parents_[i]} >> bits_ != other) continue;
      if ((confirmed_[i / 64] >> i % 64 & 1) != 0 || first_ + i == root) continue;
      finding.add(5, first_ + i, unconfirmed_message(first_ + i, parents_[i], distances));
      return;
    }
  }
  std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (parents_[i] == no_parent_claim) continue;
      if constexpr (std::is_same_v<Value, double>) {
        sum += node_hash(first_ + i, std::bit_cast<std::uint64_t>(values_[i]), parents_[i]);
      } else {
        sum += node_hash(first_ + i, values_[i], parents_[i]);
      }
    }
    return sum;
  }

 private:
  const unsigned bits_;
  std::size_t number_ = 0;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  core::Array<Value> values_;
  core::Array<std::uint32_t> parents_;
  core::Array<std::uint64_t> confirmed_;
};

template <class Value>
class CellCheck {
 public:
  CellCheck(core::Environment& environment, const EdgeList& list, const Grid& grid, std::uint32_t root,
            const DiskValues<Value>& values, const DiskValues<std::uint32_t>& parents)
      : environment_(environment),
        list_(list),
        grid_(grid),
        root_(root),
        values_(values),
        parents_(parents) {}

  /// `kept` null: generates the list. Only then do findings have the true numbers of edges.
  void run(const KeptEdges* kept) {
    edge_finding_ = {};
    node_finding_ = {};
    inside_ = loops_ = checksum_ = 0;
    Piece<Value> first(environment_.memory, grid_.piece_bits);
    std::optional<Piece<Value>> second;
    if (grid_.pieces() > 1) second.emplace(environment_.memory, grid_.piece_bits);
    std::optional<KeptEdges::Pass> pass;
    if (kept != nullptr) pass.emplace(environment_, *kept, distances);
    for (std::size_t i = 0; i < grid_.pieces(); ++i) {
      first.load(environment_, i, values_, parents_);
      checksum_ += first.checksum();
      for (std::size_t j = i; j < grid_.pieces(); ++j) {
        if (j != i) second->load(environment_, j, values_, parents_);
        Piece<Value>& other = j == i ? first : *second;
        first.forget_confirmed();
        other.forget_confirmed();
        if (pass) {
          pass->next_cell();
          check_kept(*pass, first, other);
          if (edge_finding_.rule != 0) return;
        } else {
          check_generated(first, other);
        }
        first.check_confirmed(j, root_, distances, node_finding_);
        if (j != i) other.check_confirmed(i, root_, distances, node_finding_);
      }
    }
  }

  /// Of an edge; else of a node.
  const Finding& finding() const { return edge_finding_.rule != 0 ? edge_finding_ : node_finding_; }
  bool edge_is_wrong() const { return edge_finding_.rule != 0; }
  void count(Verdict& verdict) const {
    verdict.edges = inside_;
    verdict.loops = loops_;
    verdict.checksum = checksum_;
  }

 private:
  static constexpr bool distances = std::is_same_v<Value, double>;

  /// What a thread finds.
  struct Share {
    Finding finding;
    std::uint64_t inside = 0;
    std::uint64_t loops = 0;
  };

  void check_kept(KeptEdges::Pass& pass, Piece<Value>& a, Piece<Value>& b) {
    for_threads([&](unsigned thread, Share& share) {
      pass.run(thread, [&](std::span<const Edge32> edges, std::span<const float> weights) {
        for (std::size_t k = 0; k < edges.size(); ++k) {
          if (k + edges_ahead < edges.size()) b.prefetch(edges[k + edges_ahead].target);
          check(0, edges[k], distances ? weights[k] : 0, a, b, share);
        }
      });
    });
  }

  void check_generated(Piece<Value>& a, Piece<Value>& b) {
    EdgePass pass(list_, distances);
    for_threads([&](unsigned, Share& share) {
      pass.run(environment_.memory,
               [&](std::uint64_t first, std::span<const Edge32> edges, std::span<const float> weights) {
                 for (std::size_t k = 0; k < edges.size(); ++k) {
                   const float weight = distances ? weights[k] : 0;
                   if (a.has(edges[k].source) && b.has(edges[k].target)) {
                     check(first + k, edges[k], weight, a, b, share);
                   } else if (a.has(edges[k].target) && b.has(edges[k].source)) {
                     check(first + k, edges[k], weight, b, a, share);
                   }
                 }
               });
    });
  }

  template <class Work>
  void for_threads(const Work& work) {
    std::mutex mutex;
    core::run_on_threads(pass_threads(environment_), [&](unsigned thread) {
      Share share;
      work(thread, share);
      const std::lock_guard lock(mutex);
      edge_finding_.add(share.finding);
      inside_ += share.inside;
      loops_ += share.loops;
    });
  }

  /// The source is in `a`, the target in `b`.
  void check(std::uint64_t number, Edge32 edge, float weight, Piece<Value>& a, Piece<Value>& b,
             Share& share) const {
    const std::uint32_t source = edge.source;
    const std::uint32_t target = edge.target;
    if (source == target) {
      share.loops += a.parent(source) != no_parent_claim;
      return;
    }
    const auto parent_of = [&](std::uint32_t node) {
      return node == source ? a.parent(node) : b.parent(node);
    };
    EdgeShows shows;
    if constexpr (distances) {
      shows = edge_between_distances(source, target, a.value(source), b.value(target), weight, parent_of);
    } else {
      shows = edge_between_levels(source, target, a.value(source), b.value(target), parent_of);
    }
    share.inside += shows.inside;
    if (shows.confirms_a) a.confirm(source);
    if (shows.confirms_b) b.confirm(target);
    if (shows.broken_rule == 0 || (share.finding.rule != 0 && number >= share.finding.place)) return;
    if constexpr (distances) {
      share.finding.add(
          shows.broken_rule, number,
          edge_message(number, edge, shows.broken_rule, a.value(source), b.value(target), weight));
    } else {
      share.finding.add(shows.broken_rule, number,
                        edge_message(number, edge, shows.broken_rule, a.value(source), b.value(target)));
    }
  }

  core::Environment& environment_;
  const EdgeList& list_;
  const Grid& grid_;
  const std::uint32_t root_;
  const DiskValues<Value>& values_;
  const DiskValues<std::uint32_t>& parents_;
  Finding edge_finding_;
  Finding node_finding_;
  std::uint64_t inside_ = 0;
  std::uint64_t loops_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace

ValidationPlan plan_validation(unsigned scale, bool distances, std::uint64_t validations,
                               std::uint64_t free_bytes) {
  const std::uint64_t of_node = (distances ? sizeof(double) : sizeof(std::uint16_t)) + sizeof(std::uint32_t);
  const auto bytes = [&](unsigned bits) {
    const std::uint64_t piece = (of_node << bits) + (std::uint64_t{1} << bits) / 8 + 3 * core::page_bytes;
    return bits == scale ? piece : 2 * piece;
  };
  const unsigned least = scale > most_piece_bits_less ? scale - most_piece_bits_less : scale;
  unsigned bits = scale;
  while (bits > least && bytes(bits) > free_bytes / 2) --bits;
  if (bytes(bits) > free_bytes / 2) {
    throw missing_memory({.what = "a value and a parent of each node, in pieces of 1/512 of the nodes,",
                          .precision = "about ",
                          .bytes = core::round_up(2 * bytes(bits), core::MiB),
                          .purpose = " at scale " + std::to_string(scale)},
                         free_bytes);
  }
  ValidationPlan plan{.grid = {.scale = scale, .piece_bits = bits}};
  // Nanoseconds an edge of CPU time. Measured: scale 18, breadth-first, one thread on a loaded machine: a
  // validation 49 generating and 19 reading, 70 to sort; reading at 500 MB/s takes 14 more.
  constexpr double generate = 50;
  constexpr double sort = 80;
  constexpr double read = 30;
  const auto times = static_cast<double>(validations);
  plan.keep = times * generate * static_cast<double>(plan.grid.cells()) > sort + times * read;
  return plan;
}

std::string ValidationPlan::text() const {
  const std::uint64_t cells = grid.cells();
  const std::string parts = cells == 1 ? "1 part" : core::format_count(cells) + " parts";
  if (keep) return "kept on the temporary disks, sorted into " + parts + " for validation";
  return cells == 1 ? "generated by each validation"
                    : "generated " + core::format_count(cells) + " times by each validation, for " + parts;
}

ExternalValidator::ExternalValidator(core::Environment& environment, const EdgeList& list,
                                     const ValidationPlan& plan, bool distances)
    : environment_(environment), list_(list), plan_(plan) {
  if (plan.keep) kept_.emplace(environment, list, plan.grid, distances);
}

Verdict ExternalValidator::check(const DiskAnswer& answer) {
  Verdict verdict;
  Finding finding;
  const Tree tree = derive_tree(environment_, answer, finding);
  verdict.reached = tree.reached;
  verdict.levels = tree.levels;
  verdict.max_distance = tree.max_distance;
  const auto check_cells = [&]<class Value>(const DiskValues<Value>& values) {
    CellCheck<Value> cells(environment_, list_, plan_.grid, answer.root, values, answer.parents);
    cells.run(kept_ ? &*kept_ : nullptr);
    if (kept_ && cells.edge_is_wrong()) cells.run(nullptr);
    finding = cells.finding();
    cells.count(verdict);
  };
  if (finding.rule == 0) {
    if (answer.distances != nullptr) {
      check_cells(*answer.distances);
    } else {
      check_cells(tree.of_nodes);
    }
  }
  verdict.violated_rule = finding.rule;
  if (finding.rule != 0) verdict.message = "rule " + std::to_string(finding.rule) + ": " + finding.message;
  return verdict;
}

}  // namespace emgraph::graph::graph500
