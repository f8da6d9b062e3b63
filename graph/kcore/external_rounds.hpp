// SPDX-License-Identifier: MIT
// Core numbers if no value per node fits in memory.
//
// Problem: find the core numbers with the estimates of all nodes on the disks.
// Method: an estimate starts as the degree. In a round every node sends its estimate to its neighbours, and
// replaces it by the largest h such that h of the received estimates are at least h. Estimates never get
// below the core numbers, and when nothing changes they are the core numbers. The messages of a round are
// sorted by receiver, the largest estimate first. The number of rounds is small for graphs with short
// distances, and up to n / 2 for a path.
// Source: Montresor, De Pellegrini, Miorandi (2013), doi 10.1109/TPDS.2012.124; Lü, Zhou, Zhang, Stanley
// (2016), doi 10.1038/ncomms10168.
//
// I/O per round: the adjacency once, a sort of a key per neighbour, 32 bytes per node. Memory: blocks, and
// half of the free memory for the sort. Threads: those of the sort. Throws: as PagedAdjacency and
// DistributionSorter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/block/manager.hpp"
#include "core/block/run.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/kcore/kept.hpp"
#include "graph/kept_values.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::kcore {

template <class Id, core::IntegerKey Key>
class ExternalRounds {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;

  /// `start`: estimates to go on with, if there are any.
  ExternalRounds(core::Environment& environment, Pages& pages, Start& start, RoundKeeper<Id>& keeper)
      : environment_(environment),
        pages_(pages),
        nodes_(pages.facts().nodes),
        keys_{prepare::bits_for_nodes(nodes_)},
        block_bytes_(core::block_share(environment.memory.available(), 64)),
        keeper_(keeper),
        rounds_(start.rounds) {
    if (start.estimates.missing()) {
      values_.replace(degrees());
    } else {
      values_ = start.estimates.take_run(environment, nodes_, block_bytes_);
    }
  }

  /// Calls `take(core number)` for every node in order; returns the number of rounds.
  template <class Take>
  std::uint64_t run(Take&& take) {
    core::Phase phase(environment_.progress, "rounds", 0, "rounds");
    while (round()) {
      ++rounds_;
      phase.advance(1);
      if (!keeper_.due()) continue;
      values_.seal([&](const auto& save) { keeper_.seal(rounds_, ValuesAre::a_run, save); });
    }
    core::RunReader<std::uint64_t> reader(environment_, values_.run(), 1);
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const std::uint64_t value : batch) take(value);
    }
    return rounds_ + 1;  // the last one has changed nothing
  }

 private:
  using Cursor = core::RunCursor<std::uint64_t>;

  /// Calls take(node, neighbours) for the parts of all lists, in the order of the nodes.
  template <class Take>
  void for_each_part(Take&& take) {
    std::array<Id, adjacency::fragment_neighbours + 3> list;  // decoding writes up to 3 values too many
    pages_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      while (cursor.next()) {
        cursor.decode(list.data());
        take(static_cast<std::uint64_t>(cursor.node()), std::span<const Id>(list.data(), cursor.count()));
      }
    });
  }

  RoundValues::Run degrees() {
    core::RunWriter<std::uint64_t> writer(environment_, block_bytes_, 2);
    std::uint64_t node = 0;
    std::uint64_t degree = 0;
    const auto go_to = [&](std::uint64_t next) {
      for (; node < next; ++node) writer.push(std::exchange(degree, 0));
    };
    for_each_part([&](std::uint64_t next, std::span<const Id> neighbours) {
      go_to(next);
      degree += neighbours.size();
    });
    go_to(nodes_);
    return writer.finish();
  }

  /// True if an estimate has changed.
  bool round() {
    // A smaller second end stands for a larger estimate, so that the largest come first.
    const std::uint64_t last = (std::uint64_t{1} << (keys_.id_bits - 1)) * 2 - 1;
    core::SerialSort<Key> messages(environment_, keys_.make(nodes_ - 1, last), pages_.facts().entries,
                                   environment_.memory.available() / 2);
    {
      Cursor value(environment_, values_.run());
      std::uint64_t node = 0;
      for_each_part([&](std::uint64_t next, std::span<const Id> neighbours) {
        for (; node < next; ++node) value.next();
        for (const Id neighbour : neighbours) messages.push(keys_.make(neighbour, last - *value));
      });
    }
    messages.start();
    bool changed = false;
    core::RunWriter<std::uint64_t> writer(environment_, block_bytes_, 2);
    Cursor old(environment_, values_.run());
    for (std::uint64_t node = 0; node < nodes_; ++node, old.next()) {
      std::uint64_t value = 0;
      for (; !messages.at_end() && keys_.first(messages.key()) == node; messages.next()) {
        if (last - keys_.second(messages.key()) > value) ++value;
      }
      changed = changed || value != *old;
      writer.push(value);
    }
    values_.replace(writer.finish());
    return changed;
  }

  core::Environment& environment_;
  Pages& pages_;
  const std::uint64_t nodes_;
  const prepare::EdgeKeys<Key> keys_;
  const std::size_t block_bytes_;
  RoundKeeper<Id>& keeper_;
  RoundValues values_;
  std::uint64_t rounds_;
};

}  // namespace emgraph::graph::kcore
