// SPDX-License-Identifier: MIT
// Forecasts of relabel() and number_labels(), which read all edges before a solver gets them.
//
// The number of nodes is known only after the edges have been read. It is estimated from a sample of the
// ends, as the greater of two estimates. Chao1 (Chao 1984, Scandinavian Journal of Statistics 11, 265-270) is
// a lower bound, and good if all nodes have about the same degree. GEE (Charikar, Chaudhuri, Motwani,
// Narasayya 2000, doi 10.1145/335168.335230) is off by sqrt(ends / sample) at most, whatever the degrees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/budget.hpp"
#include "core/spill/spill_forecast.hpp"
#include "graph/edge_facts.hpp"
#include "graph/forecast.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::relabel {

/// How many of the ends of all edges are different.
struct DistinctEnds {
  std::uint64_t likely = 0;  ///< by the sample
  std::uint64_t most = 0;    ///< if nodes that the sample has once have no other end
};

/// `sample`: ids or hashes of some ends, from all parts of the input, or of all ends. `ends`: of all edges.
DistinctEnds estimate_distinct(std::vector<std::uint64_t> sample, std::uint64_t ends);

/// Of this many edges in a row one is taken: edges that are neighbours in a file often have the same source.
inline constexpr std::size_t edges_per_sampled = 8;

/// What numbering would do.
struct NumberingForecast {
  std::string method;  ///< as the run would report it
  std::uint64_t edges = 0;
  DistinctEnds nodes;
  std::vector<ForecastPhase> phases;
  core::SpillForecast temporary;   ///< while edges are numbered
  core::SpillForecast kept;        ///< while the numbered edges are read
  bool rows_on_disk = false;       ///< each reading of the numbered edges reads the temporary disks
  double reading_nanoseconds = 0;  ///< more CPU time per edge of each reading, to translate its ids
  core::Reservation table;         ///< memory that the numbered edges take
  std::size_t lane_bytes = 0;      ///< memory of a lane that reads the numbered edges
};

/// What is known of the input, and what the caller wants.
struct NumberingDemand {
  std::uint64_t edges = 0;
  EdgeLayout layout;         ///< of the edges that are read
  bool most_nodes = false;   ///< a forecast for NumberingForecast::nodes.most, else for the likely number
  bool keeps_names = false;  ///< results have the names of nodes
  bool writes_map = false;
  std::size_t lane_bytes = 0;   ///< labels: memory of all lanes
  std::size_t label_bytes = 0;  ///< labels: of a label, on average
};

/// Of relabel(). I/O: a sample of the edges. `source`: at its first edge. Reserves what the run would.
NumberingForecast forecast_relabelling(core::Environment& environment,
                                       const std::shared_ptr<RecordSource>& source, const EdgeFacts& facts,
                                       const NumberingDemand& demand);

/// Of number_labels(). `sample`: hashes of labels, as for estimate_distinct.
NumberingForecast forecast_labels(core::Environment& environment, std::vector<std::uint64_t> sample,
                                  const NumberingDemand& demand);

}  // namespace emgraph::graph::relabel
