// SPDX-License-Identifier: MIT
// Turns the count of arcs between neighbours into a count of triangles.
//
// Problem: for each node v, how many arcs lead from a neighbour of v to a neighbour of v? Method: each node x
// has three copies, 3x, 3x + 1 and 3x + 2. An arc x -> y becomes the edges
//   {3x, 3y + 1}, {3y, 3x + 1}, {3x, 3y + 2}, {3y, 3x + 2}: copy 0 is joined to copies 1 and 2 of all
//   neighbours; {3x + 1, 3y + 2}: copy 1 of the arc's source to copy 2 of its target.
// Then every triangle has one copy of each kind, and those with copy 0 of v are the arcs between neighbours
// of v. The degree of copy 0 is twice the number of neighbours. Duplicates of arcs become duplicates of
// edges, which `triangles` leaves out. A loop becomes five loops.
//
// I/O, memory, threads, errors: prepare/changed_source.hpp; IdTooWide if 3x + 2 needs more than Id has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/changed_source.hpp"

namespace emgraph::graph::lcc {

inline constexpr std::uint64_t layers = 3;
inline constexpr std::uint64_t edges_per_arc = 5;

class LayeredSource final : public prepare::ChangedSource {
 public:
  /// `nodes`: n, if it is known; ids of `inner` are checked against it. `id_bytes`: of the new ids. Requires:
  /// `inner` is at its first edge.
  LayeredSource(core::Environment& environment, std::shared_ptr<RecordSource> inner, const EdgeFacts& facts,
                const std::optional<std::uint64_t>& nodes, std::size_t id_bytes, unsigned max_lanes);

  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;
  std::optional<std::uint64_t> edges_read() override;
  std::uint64_t seek(std::uint64_t edge) override;

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  core::PairShape inner_shape(const core::PairShape& shape) const override;

  const std::optional<std::uint64_t> nodes_;
};

}  // namespace emgraph::graph::lcc
