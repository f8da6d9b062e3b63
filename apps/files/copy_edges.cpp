// SPDX-License-Identifier: MIT
// Passes on records in the shape for complete edges.
#include "apps/files/copy_edges.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "apps/files/output_check.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/sequencer.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/prepare/largest_id.hpp"

namespace emgraph::apps {

Copied copy_edges(Session& session, graph::RecordSource& edges, std::uint64_t limit,
                  graph::format::EdgeWriter& writer) {
  if (limit == 0) return {};
  // With fewer edges a second thread would only read edges that are not copied.
  constexpr std::uint64_t worth_sharing = std::uint64_t{1} << 20;
  core::Environment& environment = session.environment();
  const core::PairShape shape = graph::record_shape(edges.facts().layout);
  const unsigned threads = limit < worth_sharing ? 1 : environment.threads;
  core::Phase phase(environment.progress, "copy", std::min(limit, edges.facts().edges.value_or(0)), "edges");
  std::vector<Copied> copied(threads);
  core::Sequencer turn;
  const auto work = [&](unsigned thread) {
    const core::StopOnFailure stop_on_failure(turn);
    const auto lane = edges.lane(shape);
    const auto encoder = writer.encoder();
    while (!turn.stopped()) {
      graph::RecordBatch batch = lane->next();
      if (batch.count == 0) return;
      const std::uint64_t first = lane->first_edge();
      if (first >= limit) return;
      const std::uint64_t end = first + batch.count;
      batch.count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count, limit - first));
      copied[thread].largest_id_plus_1 =
          std::max(copied[thread].largest_id_plus_1, graph::prepare::largest_id(shape, batch) + 1);
      copied[thread].edges += batch.count;
      const std::size_t encoded = encoder ? encoder->encode(shape, batch.records, batch.count) : 0;
      if (!turn.wait_for(first)) return;
      if (encoded != 0) writer.append_encoded(*encoder);
      writer.append_records(shape, batch.records + encoded * shape.row_bytes, batch.count - encoded);
      phase.advance(batch.count);
      turn.pass_to(end);
    }
  };
  try {
    core::run_on_threads(threads, work);
  } catch (const graph::format::IdTooWide& error) {
    const bool restarts = shape.integer_bytes == 4;
    if (!restarts || writer.edges() == 0 || !written_in_place(session.options().output)) throw;
    throw core::DataError(std::string(error.what()) +
                          "; edges were written before it was found: write to a regular file, or give "
                          "--nodes N above all ids to have 8 bytes from the start");
  }
  Copied all;
  for (const Copied& one : copied) {
    all.edges += one.edges;
    all.largest_id_plus_1 = std::max(all.largest_id_plus_1, one.largest_id_plus_1);
  }
  return all;
}

void rehearse_copy(Session& session, graph::RecordSource& edges, graph::format::EdgeWriter& writer) {
  const core::PairShape shape = graph::record_shape(edges.facts().layout);
  std::vector<std::unique_ptr<graph::RecordLane>> lanes;
  std::vector<std::unique_ptr<graph::format::RecordEncoder>> encoders;
  for (unsigned thread = 0; thread < session.environment().threads; ++thread) {
    lanes.push_back(edges.lane(shape));
    encoders.push_back(writer.encoder());
  }
}

}  // namespace emgraph::apps
