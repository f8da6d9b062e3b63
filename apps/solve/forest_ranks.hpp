// SPDX-License-Identifier: MIT
// The spanning forest of files that many processes read: each reduces its own, and the forests are merged.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "apps/command_line/inputs.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/run/ranks.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/function_ref.hpp"
#include "graph/edge_facts.hpp"
#include "graph/mst/mst.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::apps {

/// Follows the help on INPUT.
inline constexpr const char* parts_of_ranks =
    "; started by mpirun, as in mpirun -n 4 emgraph COMMAND part-*.bin, the processes share the files, and "
    "-M and -j count for each";

/// The minimum spanning forest of all files, at rank 0. Its edges have stored weights if the files do.
struct GatheredForest {
  graph::EdgeFacts facts;  ///< layout and n as the files together declare them
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< of all files, as read
  graph::prepare::SpooledRows rows;
  std::uint64_t sent_bytes = 0;  ///< by all ranks
  unsigned ranks = 1;

  /// Calls work.template operator()<Id>(facts, EdgeSource<Id>&), once.
  template <class Work>
  void with_edges(core::Environment& environment, Work&& work) {
    graph::EdgeFacts of_rows = facts;
    of_rows.edges = rows.rows;
    const core::PairShape shape = graph::record_shape(facts.layout);
    const auto records = graph::prepare::spooled_source(environment, of_rows, shape, std::move(rows));
    if (facts.layout.id_bytes == 4) {
      graph::EdgeSource<std::uint32_t> source(records, of_rows, shape.attachment_bytes);
      work.template operator()<std::uint32_t>(facts, source);
    } else {
      graph::EdgeSource<std::uint64_t> source(records, of_rows, shape.attachment_bytes);
      work.template operator()<std::uint64_t>(facts, source);
    }
  }
};

/// Rank R of P takes inputs R, R + P, R + 2 P … Collective. Ranks other than 0 get nothing. `check`: called
/// with the facts of a rank's inputs. Throws: as mst::run and with_edges; UsageError: standard input, ids
/// that are translated, weights of several types.
std::optional<GatheredForest> gather_forest(Session& session, Communicator& communicator,
                                            const Inputs& inputs, const graph::mst::Options& solver,
                                            core::FunctionRef<void(const graph::EdgeFacts&)> check);

/// Rows of the report in place of those of the model.
void report_ranks(Report& report, const GatheredForest& forest);

}  // namespace emgraph::apps
