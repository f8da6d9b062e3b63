// SPDX-License-Identifier: MIT
// Several inputs, one after another, as one source.
//
// Method: one part is open at a time. A lane holds a lane of the part that is being read; at its end it goes
// on to the next part, which the first lane that arrives opens. Invariant: the edges are numbered as if the
// parts were one file, so a part begins with the number of edges before it, which is known at the end of the
// part before. A lane that a part leaves idle for want of memory stays idle.
//
// I/O: each part once, and its start twice more: for its facts and for the memory of its lanes. Memory: that
// of the part whose lanes need most, of the part that needs most while it is open, of all pipes, and what a
// part holds after let_go(); reserved before the first edge is read. Threads: any number of lanes. Throws:
// what the parts throw; UsageError if they have different weights or payloads and may not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

class JoinedSource final : public RecordSource {
 public:
  struct Part {
    std::shared_ptr<RecordSource> source;
    bool reopenable = false;  ///< false: a pipe, which stays open
  };
  /// Opens part `number`. Called again for parts that are reopenable.
  using Open = std::function<Part(core::Environment& environment, std::size_t number)>;

  /// `ids_of_8_bytes`: called before parts are opened again if some part has ids of 8 bytes and others of 4;
  /// text parts then read ids of 8 bytes, too. At most `max_lanes` lanes exist at the same time.
  /// `weights_may_differ`: parts with different weights or payloads are joined without any.
  JoinedSource(core::Environment& environment, std::size_t parts, Open open,
               core::FunctionRef<void()> ids_of_8_bytes, unsigned max_lanes, bool weights_may_differ);

  /// n: the largest, if all parts declare one; m: the sum; flags: those that all parts have.
  const EdgeFacts& facts() const override { return facts_; }
  /// The largest n that a part declares, if others declare none: n is at least this.
  std::optional<std::uint64_t> least_nodes() const { return least_nodes_; }
  std::vector<EdgeFacts> part_facts() const;
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool in_pieces() const override { return in_pieces_; }
  bool rewindable() const override;
  void rewind() override;
  /// From at most 32 parts.
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  struct Known {
    EdgeFacts facts;
    std::shared_ptr<RecordSource> kept;  ///< null: is opened when its turn comes
  };
  struct OpenPart {
    std::size_t number;
    std::uint64_t first_edge;
    std::shared_ptr<RecordSource> source;
  };

  void join_facts(bool weights_may_differ);
  std::shared_ptr<RecordSource> open_part(std::size_t number);
  /// Reserves the memory for lanes of this shape.
  void reserve_lanes(const core::PairShape& shape);
  /// Part `number`, or the later one that is open already; null after the last part.
  std::shared_ptr<const OpenPart> enter(std::size_t number, std::uint64_t first_edge);
  void leave() noexcept;

  core::Environment& environment_;
  /// The parts' budget. Its limit is what was free at the beginning, so that a part takes as much each time
  /// it is opened; open_ and lanes_ hold that much of the environment's budget.
  core::MemoryBudget budget_;
  core::Environment parts_environment_;
  const Open open_;
  const unsigned max_lanes_;
  std::vector<Known> parts_;
  EdgeFacts facts_;
  bool in_pieces_ = false;
  std::optional<std::uint64_t> least_nodes_;
  core::Reservation opened_;
  std::mutex mutex_;  // guards the members below
  core::Reservation lanes_;
  unsigned lane_count_ = 0;
  std::optional<core::PairShape> measured_shape_;
  std::size_t lane_bytes_ = 0;
  std::shared_ptr<const OpenPart> current_;
  std::uint64_t readings_ = 0;
};

/// The names of inputs for a message: all of up to three, else two and the number of the others.
std::string joined_name(const std::vector<std::string>& names);

}  // namespace emgraph::graph::format
