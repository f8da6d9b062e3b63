// SPDX-License-Identifier: MIT
// Nodes by themselves, parents in the tree, then the levels.
#include "graph/graph500/tree_levels.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/block/run.hpp"
#include "graph/bfs/external_log.hpp"

namespace emgraph::graph::graph500 {
namespace {

using Sort = bfs::PairSort<std::uint64_t>;
using Pair = Edge32;  // parent, child

class TreeDerivation {
 public:
  TreeDerivation(core::Environment& environment, const DiskAnswer& answer)
      : environment_(environment), answer_(answer), block_bytes_(run_block_bytes(environment.memory)) {}

  Tree run(Finding& finding) {
    check_nodes(finding);
    if (finding.rule == 0) derive_levels(finding);
    return std::move(tree_);
  }

 private:
  std::size_t share(std::size_t parts) const { return environment_.memory.available() / parts; }
  std::unique_ptr<Sort> sort(std::uint64_t values, std::uint64_t pairs, std::size_t bytes) const {
    return std::make_unique<Sort>(environment_, answer_.nodes, values, pairs, std::vector<std::uint32_t>(),
                                  bytes);
  }

  /// Keeps the pairs, sorted, in pairs_.
  void check_nodes(Finding& finding) {
    const std::unique_ptr<Sort> by_parent = sort(answer_.nodes, answer_.nodes, share(2));
    bool parent_is_wrong = false;  // of the node that was found
    {
      DiskValuesReader<std::uint32_t> parents(environment_, answer_.parents);
      std::optional<DiskValuesReader<double>> distances;
      if (answer_.distances != nullptr) distances.emplace(environment_, *answer_.distances);
      for (std::uint64_t node = 0; node < answer_.nodes; ++node) {
        const NodeClaim claim{static_cast<std::uint32_t>(node), answer_.root, answer_.nodes, parents.take()};
        std::string fault = parent_fault(claim);
        const bool wrong = !fault.empty();
        if (distances) {
          const double distance = distances->take();
          if (!wrong) fault = distance_fault(claim, distance);
          if (claim.parent != no_parent_claim) tree_.max_distance = std::max(tree_.max_distance, distance);
        }
        if (!fault.empty() && finding.rule == 0) {
          finding.add(1, node, fault);
          parent_is_wrong = wrong;
        }
        if (claim.parent == no_parent_claim) continue;
        ++tree_.reached;
        if (!wrong && claim.parent != claim.node) by_parent->push(claim.parent, node);
      }
    }
    core::RunWriter<Pair> sorted(environment_, block_bytes_);
    DiskValuesReader<std::uint32_t> parents(environment_, answer_.parents);
    std::uint64_t next = 0;
    std::uint32_t of_parent = no_parent_claim;
    by_parent->drain_all([&](std::uint64_t parent, std::uint64_t child) {
      for (; next <= parent; ++next) of_parent = parents.take();
      const Pair pair{static_cast<std::uint32_t>(parent), static_cast<std::uint32_t>(child)};
      sorted.push(pair);
      if (of_parent != no_parent_claim) return;
      if (finding.rule != 0 && (child > finding.place || (child == finding.place && parent_is_wrong))) return;
      finding = {.rule = 1, .place = child, .message = outside_parent_message(pair.target, pair.source)};
      parent_is_wrong = true;
    });
    pairs_ = sorted.finish();
  }

  void derive_levels(Finding& finding) {
    std::unique_ptr<Sort> levels;  // (node, level)
    if (answer_.distances == nullptr) levels = sort(most_levels + 1u, tree_.reached, share(3));
    core::Run<std::uint32_t> last = one_node(answer_.root);
    std::uint16_t level = 0;
    for (;; ++level) {
      if (levels) note_level(*levels, last, level);
      if (pairs_.records == 0 || level == most_levels) break;
      core::Run<std::uint32_t> children = next_level(std::move(last));
      if (children.records == 0) break;
      last = std::move(children);
    }
    tree_.levels = std::uint64_t{level} + 1;
    if (pairs_.records > 0) {
      std::uint32_t child = no_parent_claim;
      for (core::RunCursor<Pair> pair(environment_, std::move(pairs_)); !pair.at_end(); pair.next()) {
        child = std::min(child, pair->target);
      }
      finding.add(1, child, cycle_message(child));
      return;
    }
    if (!levels) return;
    DiskValuesWriter<std::uint16_t> values(environment_, answer_.parents.piece_bits);
    std::uint64_t next = 0;
    levels->drain_all([&](std::uint64_t node, std::uint64_t of_node) {
      for (; next < node; ++next) values.push(no_level);
      values.push(static_cast<std::uint16_t>(of_node));
      ++next;
    });
    for (; next < answer_.nodes; ++next) values.push(no_level);
    tree_.of_nodes = values.finish();
  }

  core::Run<std::uint32_t> one_node(std::uint32_t node) const {
    core::RunWriter<std::uint32_t> writer(environment_, core::page_bytes, 1);
    writer.push(node);
    return writer.finish();
  }

  void note_level(Sort& levels, const core::Run<std::uint32_t>& nodes, std::uint16_t level) const {
    for (core::RunCursor<std::uint32_t> node(environment_, nodes); !node.at_end(); node.next()) {
      levels.push(*node, level);
    }
  }

  /// The children of some nodes; their pairs leave pairs_.
  core::Run<std::uint32_t> next_level(core::Run<std::uint32_t> parents) {
    core::RunWriter<Pair> left(environment_, block_bytes_);
    const std::unique_ptr<Sort> children = sort(1, pairs_.records, share(2));
    {
      core::RunCursor<std::uint32_t> parent(environment_, std::move(parents));
      for (core::RunCursor<Pair> pair(environment_, std::move(pairs_)); !pair.at_end(); pair.next()) {
        while (!parent.at_end() && *parent < pair->source) parent.next();
        if (!parent.at_end() && *parent == pair->source) {
          children->push(pair->target, 0);
        } else {
          left.push(*pair);
        }
      }
    }
    pairs_ = left.finish();
    core::RunWriter<std::uint32_t> sorted(environment_, block_bytes_);
    children->drain_all(
        [&](std::uint64_t child, std::uint64_t) { sorted.push(static_cast<std::uint32_t>(child)); });
    return sorted.finish();
  }

  core::Environment& environment_;
  const DiskAnswer& answer_;
  const std::size_t block_bytes_;
  Tree tree_;
  core::Run<Pair> pairs_;
};

}  // namespace

Tree derive_tree(core::Environment& environment, const DiskAnswer& answer, Finding& finding) {
  return TreeDerivation(environment, answer).run(finding);
}

}  // namespace emgraph::graph::graph500
