// SPDX-License-Identifier: MIT
// From the parents of all ranges to labels in node order, and the sizes of the components.
//
// Method: a root's label is its own id or the label of its outside neighbour, which lies in a lower range. So
// ranges are labelled from the lowest to the highest: when a range comes up, the answers to its roots are in;
// it labels its other nodes from their roots, sends all labels on and answers the requests of later ranges.
// Then its words become counts. Nodes with a label of this range are counted in the word of the label; nodes
// with a label of a lower range are counted by messages to that range, few because RecentPairs gathers equal
// labels. A component whose label no other range has requested is complete and counted at once; a last pass
// over the ranges adds up the others. So there are no more messages than edges, however many nodes are
// isolated. This is time-forward processing (Chiang et al. 1995) with ranges as points in time.
//
// I/O: parents in; a request and an answer out and in per set of a range with an outside neighbour; a count
// out and in per component of several ranges, and per range that it reaches into. Memory: the contraction's.
// Threads: one. Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/cc/cc.hpp"
#include "graph/cc/contraction.hpp"

namespace emgraph::graph::cc {

template <class Id>
class RangeLabels {
 public:
  RangeLabels(core::Environment& environment, Contraction<Id>& contraction)
      : environment_(environment),
        contraction_(contraction),
        pairs_(contraction.pairs()),
        answers_(pairs_, PairKind::answers),
        counts_(pairs_, PairKind::counts) {}

  /// Requires: contract() has been called. `kept`: the state of an earlier run after what the contraction has
  /// read of it.
  ComponentCount send(NodeSink<Id>* sink, const KeptState& kept) {
    const ContractionPlan& plan = pairs_.plan();
    std::size_t first = 0;
    if (kept.in(Stage::label)) {
      first = static_cast<std::size_t>(kept.place.range);
      recent_ = kept.reader->template value<RecentPairs<>>();
      count_ = kept.reader->template value<ComponentCount>();
      if (sink != nullptr) sink->restore(*kept.reader);
    }
    {
      core::Phase phase(environment_.progress, "label", plan.nodes, "nodes");
      phase.advance(plan.begin(first));
      for (std::size_t range = first; range < plan.ranges; ++range) {
        seal_if_due(range, sink);
        const std::span<Id> labels = label(range);
        send_all(labels, sink, phase);
        pairs_.read(PairKind::requests, range, 1, [&](unsigned, const RangePairs::Block& block) {
          for (std::size_t i = 0; i < block.size(); ++i) {
            answers_.push(block[i].second, tell(plan.begin(range), labels, block[i].first));
          }
        });
        count_labels(plan.begin(range), labels);
      }
    }
    for (const auto& recent : recent_.all()) {
      if (recent.value > 0) counts_.push(recent.node, recent.value - 1);
    }
    counts_.finish();
    return add_up();
  }

 private:
  /// The state before a range is labelled.
  void seal_if_due(std::size_t range, NodeSink<Id>* sink) {
    core::Checkpoint* const checkpoint = environment_.checkpoint;
    if (checkpoint == nullptr || !checkpoint->due()) return;
    answers_.finish();
    counts_.finish();
    checkpoint->seal("label: " + core::format_count(range) + " of " +
                         core::format_count(pairs_.plan().ranges) + " node ranges are done",
                     [&](core::StateWriter& to) {
                       contraction_.save(to, Stage::label, range);
                       to.value(recent_);
                       to.value(count_);
                       if (sink != nullptr) sink->save(to);
                     });
  }

  static constexpr Id nothing = static_cast<Id>(~Id{0});
  /// Marks the word of a label of this range that another range has requested. Above all counts
  /// (ContractionPlan).
  static constexpr Id asked = static_cast<Id>(Id{1} << (8 * sizeof(Id) - 1));

  std::span<Id> words(std::size_t range) {
    const ContractionPlan& plan = pairs_.plan();
    contraction_.sets().start(plan.begin(range), plan.end(range));
    return contraction_.sets().parents();
  }

  std::span<Id> label(std::size_t range) {
    const std::uint64_t begin = pairs_.plan().begin(range);
    const std::span<Id> labels = words(range);
    contraction_.take_parents(range, labels);
    answers_.finish(range);
    pairs_.read(PairKind::answers, range, 1, [&](unsigned, const RangePairs::Block& block) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        const auto [asker, label] = block[i];
        labels[asker - begin] = static_cast<Id>(label);
      }
    });
    for (Id& label : labels) {
      if (label >= begin) label = labels[label - begin];
    }
    return labels;
  }

  void send_all(std::span<const Id> labels, NodeSink<Id>* sink, core::Phase& phase) const {
    constexpr std::size_t batch_nodes = 64 * 1024;
    for (std::size_t done = 0; done < labels.size(); done += batch_nodes) {
      const auto batch = labels.subspan(done, std::min(batch_nodes, labels.size() - done));
      if (sink != nullptr) sink->append(batch);
      phase.advance(batch.size());
    }
  }

  /// The label of a node. Marks the word of a label of this range by `nothing`.
  static std::uint64_t tell(std::uint64_t begin, std::span<Id> labels, std::uint64_t node) {
    const Id label = labels[node - begin];
    if (label == nothing) return node;
    if (label >= begin) labels[label - begin] = nothing;
    return label;
  }

  void count_component(std::uint64_t label, std::uint64_t nodes) {
    ++count_.components;
    if (nodes == 1) ++count_.isolated_nodes;
    if (nodes < count_.largest_component) return;
    if (nodes == count_.largest_component && label > count_.largest_label) return;
    count_.largest_component = nodes;
    count_.largest_label = label;
  }

  /// Overwrites the labels. Invariant: the word of a label of this range is its nodes so far - 1, plus
  /// `asked`.
  void count_labels(std::uint64_t begin, std::span<Id> labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Id label = labels[i];
      if (label == begin + i) {
        labels[i] = 0;
        continue;
      }
      if (label == nothing) {
        labels[i] = asked;
        continue;
      }
      labels[i] = nothing;
      if (label >= begin) {
        ++labels[label - begin];
        continue;
      }
      auto& recent = recent_.slot(label);
      if (recent.node != label) {
        if (recent.value > 0) counts_.push(recent.node, recent.value - 1);
        recent = {label, 0};
      }
      ++recent.value;
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Id others = labels[i];
      if (others == nothing) continue;
      if ((others & asked) != 0) {
        counts_.push(begin + i, others ^ asked);
      } else {
        count_component(begin + i, std::uint64_t{others} + 1);
      }
    }
  }

  ComponentCount add_up() {
    const ContractionPlan& plan = pairs_.plan();
    core::Phase phase(environment_.progress, "count", plan.nodes, "nodes");
    for (std::size_t range = 0; range < plan.ranges; ++range) {
      const std::span<Id> sizes = words(range);
      std::fill(sizes.begin(), sizes.end(), nothing);  // 0 - 1
      pairs_.read(PairKind::counts, range, 1, [&](unsigned, const RangePairs::Block& block) {
        for (std::size_t i = 0; i < block.size(); ++i) {
          const auto [label, others] = block[i];
          Id& size = sizes[label - plan.begin(range)];
          size = static_cast<Id>(size + others + 1);
        }
      });
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != nothing) count_component(plan.begin(range) + i, std::uint64_t{sizes[i]} + 1);
      }
      phase.advance(sizes.size());
    }
    // A component of 2^32 nodes: its count less 1 equals `nothing` in 4 bytes, so the loop has skipped it. It
    // is the only one.
    if (count_.components == 0 && plan.nodes > 0) count_component(0, plan.nodes);
    return count_;
  }

  core::Environment& environment_;
  Contraction<Id>& contraction_;
  RangePairs& pairs_;
  RangePairs::Writer answers_;
  RangePairs::Writer counts_;
  RecentPairs<> recent_;
  ComponentCount count_;
};

}  // namespace emgraph::graph::cc
