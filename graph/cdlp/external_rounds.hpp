// SPDX-License-Identifier: MIT
// Rounds of label propagation if no label per node fits in memory.
//
// Method: in a round every node sends its label to its neighbours: being a neighbour, and how often, is
// mutual. The messages are sorted by (receiver, label), so that equal labels are counted in one scan.
//
// I/O per round: the lists once, a sort of two ids per neighbour, 24 bytes per node. Memory: blocks, and half
// of the free memory for the sort. Threads: those of the sort. Throws: as NeighbourLists and SerialSort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/cdlp/kept.hpp"
#include "graph/cdlp/neighbour_lists.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::cdlp {

template <class Id, core::IntegerKey Key>
class ExternalRounds {
 public:
  using Cursor = core::RunCursor<std::uint64_t>;

  ExternalRounds(core::Environment& environment, const NeighbourLists<Id>& lists, std::uint64_t nodes,
                 std::uint64_t entries, std::size_t block_bytes, Start<Id>& start, RoundKeeper& keeper)
      : environment_(environment),
        lists_(lists),
        nodes_(nodes),
        entries_(entries),
        block_bytes_(block_bytes),
        keys_{prepare::bits_for_nodes(nodes)},
        keeper_(keeper),
        rounds_(start.rounds),
        changed_(start.changed) {
    if (!start.labels.missing()) {
      labels_ = start.labels.take_run(environment, nodes, block_bytes);
      return;
    }
    core::RunWriter<std::uint64_t> writer(environment_, block_bytes_, 2);
    for (std::uint64_t v = 0; v < nodes_; ++v) writer.push(v);
    labels_.replace(writer.finish());
  }

  /// Rounds until one changes nothing, at most `iterations`.
  void run(std::uint64_t iterations) {
    core::Phase phase(environment_.progress, "propagate", 0, "labels");
    while (rounds_ < iterations && changed_ > 0) {
      changed_ = round();
      ++rounds_;
      phase.advance(nodes_);
      if (!keeper_.due()) continue;
      labels_.seal([&](const auto& save) { keeper_.seal(rounds_, changed_, ValuesAre::a_run, save); });
    }
  }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t changed() const { return rounds_ == 0 ? 0 : changed_; }

  /// Calls take(label) for every node in order.
  template <class Take>
  void for_each(Take&& take) const {
    core::RunReader<std::uint64_t> reader(environment_, labels_.run(), 1);
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const std::uint64_t label : batch) take(label);
    }
  }

  /// The number of different labels.
  std::uint64_t count_communities() const {
    core::SerialSort<std::uint64_t> sorted(environment_, nodes_ - 1, nodes_,
                                           environment_.memory.available() / 2);
    for_each([&](std::uint64_t label) { sorted.push(label); });
    std::uint64_t count = 0;
    std::uint64_t last = nodes_;
    for (sorted.start(); !sorted.at_end(); sorted.next()) count += std::exchange(last, sorted.key()) != last;
    return count;
  }

 private:
  std::uint64_t round() {
    core::SerialSort<Key> messages(environment_, keys_.make(nodes_ - 1, nodes_ - 1), entries_,
                                   environment_.memory.available() / 2);
    {
      Cursor label(environment_, labels_.run());
      std::uint64_t node = 0;
      read_lists(environment_, lists_, [&](Id of, std::span<const Id> neighbours, std::size_t) {
        for (; node < of; ++node) label.next();
        for (const Id neighbour : neighbours) messages.push(keys_.make(neighbour, *label));
      });
    }
    messages.start();
    std::uint64_t changed = 0;
    core::RunWriter<std::uint64_t> writer(environment_, block_bytes_, 2);
    Cursor old(environment_, labels_.run());
    for (std::uint64_t node = 0; node < nodes_; ++node, old.next()) {
      std::uint64_t winner = *old;
      std::uint64_t most = 0;
      while (!messages.at_end() && keys_.first(messages.key()) == node) {
        const Key key = messages.key();
        std::uint64_t count = 0;
        for (; !messages.at_end() && messages.key() == key; messages.next()) ++count;
        if (count <= most) continue;
        most = count;
        winner = keys_.second(key);
      }
      changed += winner != *old;
      writer.push(winner);
    }
    labels_.replace(writer.finish());
    return changed;
  }

  core::Environment& environment_;
  const NeighbourLists<Id>& lists_;
  const std::uint64_t nodes_;
  const std::uint64_t entries_;
  const std::size_t block_bytes_;
  const prepare::EdgeKeys<Key> keys_;
  RoundKeeper& keeper_;
  RoundValues labels_;
  std::uint64_t rounds_;
  std::uint64_t changed_;
};

}  // namespace emgraph::graph::cdlp
