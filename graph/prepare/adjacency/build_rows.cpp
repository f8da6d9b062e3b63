// SPDX-License-Identifier: MIT
// Counts, places and fills rows on all threads.
#include "graph/prepare/adjacency/build_rows.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/base/bytes.hpp"
#include "graph/prepare/adjacency/row_builder.hpp"
#include "graph/prepare/sorted_edges.hpp"

namespace emgraph::graph::adjacency {
namespace {

/// Entries that are the other ends of edges.
class NeighbourEntries {
  using Node = std::uint32_t;

 public:
  NeighbourEntries(const RowsOptions& options, bool symmetric)
      : rows_(options.rows), both_(options.rows == RowsOf::neighbours && !symmetric), loops_(options.loops) {}

  template <class Put>
  void entries(unsigned, const EdgeBatch<Node>& batch, std::uint64_t, Put&& put) const {
    if (batch.plain()) {
      of_edges(batch.edges(), put);
    } else {
      of_edges(batch, put);
    }
  }

 private:
  template <class Edges, class Put>
  void of_edges(const Edges& edges, Put&& put) const {
    if (rows_ == RowsOf::sources) {
      for (const auto [source, target] : edges) {
        if (source != target || loops_) put(target, source);
      }
    } else if (both_) {
      for (const auto [source, target] : edges) {
        if (source != target) {
          put(source, target);
          put(target, source);
        } else if (loops_) {
          put(source, source);
        }
      }
    } else {
      for (const auto [source, target] : edges) {
        if (source != target || loops_) put(source, target);
      }
    }
  }

  const RowsOf rows_;
  const bool both_;  // an edge is an entry of both ends
  const bool loops_;
};

/// Ids may be that many times above a guess of n.
constexpr std::uint64_t guess_slack = 4;

}  // namespace

std::optional<std::uint64_t> most_row_entries(const EdgeFacts& facts, RowsOf rows) {
  if (!facts.edges) return std::nullopt;
  return core::size_product(*facts.edges, rows == RowsOf::neighbours && !facts.symmetric ? 2 : 1);
}

std::optional<RowsPlan> plan_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                  const RowsOptions& options, std::size_t offset_bytes) {
  const EdgeFacts& facts = source.facts();
  const std::optional<std::uint64_t> entries = most_row_entries(facts, options.rows);
  if (!entries) return std::nullopt;
  const std::optional<std::uint64_t> declared = known_nodes(options.nodes, facts);
  const bool sure = declared && *entries <= most_entries_of_bucket;
  if (!source.quick_to_reread() && (!sure || environment.checkpoint != nullptr)) return std::nullopt;
  RowsPlan plan;
  RowsShape& shape = plan.shape;
  if (declared) {
    shape.nodes = shape.below = *declared;
  } else {
    const std::vector<Edge32> sample = source.sample(prepare::splitter_sample);
    shape.nodes = std::uint64_t{1} << std::bit_width(prepare::largest_id(std::span(sample)));
    shape.below = std::min(most_row_nodes, shape.nodes * guess_slack);
    plan.guessed = true;
  }
  if (shape.nodes > most_row_nodes || rows_are_sparse(shape.nodes, *entries)) return std::nullopt;
  shape.shift = row_shift(shape.nodes, *entries);
  shape.entries = *entries;
  shape.entry_bytes = options.entry_bytes;
  shape.offset_bytes = offset_bytes;
  shape.threads = environment.threads;
  cut_pieces(shape);
  if (shape.pieces > most_pieces) return std::nullopt;
  plan.bytes = rows_bytes(shape);
  const prepare::Lanes<std::uint32_t> lanes =
      prepare::open_lanes(environment, source);  // they take memory, too
  if (!rows_fit(plan.bytes, shape.nodes, options, environment.memory.available())) return std::nullopt;
  return plan;
}

core::Reservation rehearse_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                const RowsPlan& plan) {
  {
    const prepare::Lanes<std::uint32_t> lanes = prepare::open_lanes(environment, source);
    const core::Reservation all = environment.memory.reserve_up_to(plan.bytes.construction);
  }
  return environment.memory.reserve_up_to(plan.bytes.rows);
}

std::vector<ForecastPhase> row_phases(std::uint64_t entries, bool simple) {
  // CPU time of all threads together, nanoseconds. Measured with scripts/bench_plan.py.
  constexpr double distribute_nanoseconds = 5;  // per entry, and a quarter of a miss
  constexpr double build_nanoseconds = 4;       // per entry
  constexpr double sort_nanoseconds = 5;        // per entry, for rows that ascend
  return {{.name = "distribute",
           .input_readings = 1,
           .cpu_seconds = seconds_for(
               entries, distribute_nanoseconds + miss_nanoseconds(core::size_product(entries, 4)) / 4)},
          {.name = "build rows",
           .cpu_seconds = seconds_for(entries, build_nanoseconds + (simple ? sort_nanoseconds : 0))}};
}

template <class Offset>
std::optional<BuiltRows<Offset>> build_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                            const RowsOptions& options) {
  const NeighbourEntries neighbours(options, source.facts().symmetric);
  auto built = build_entry_rows<Offset, std::uint32_t>(environment, source, options, neighbours);
  if (!built) return std::nullopt;
  return BuiltRows<Offset>{std::make_unique<Csr<std::uint32_t, Offset>>(
                               std::move(built->offsets), std::move(built->entries), built->facts),
                           std::move(built->read)};
}

template std::optional<BuiltRows<std::uint32_t>> build_rows(core::Environment&, EdgeSource<std::uint32_t>&,
                                                            const RowsOptions&);
template std::optional<BuiltRows<std::uint64_t>> build_rows(core::Environment&, EdgeSource<std::uint32_t>&,
                                                            const RowsOptions&);

}  // namespace emgraph::graph::adjacency
