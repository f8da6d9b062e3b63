// SPDX-License-Identifier: MIT
// Forecasts of relabel() and number_labels(), which read all edges before a solver gets them. The number of
// nodes is estimated from a sample (id_estimate.hpp).
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
#include "graph/prepare/relabel/id_estimate.hpp"

namespace emgraph::graph::relabel {

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
