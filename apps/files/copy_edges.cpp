// SPDX-License-Identifier: MIT
// Passes on records in the shape for complete edges.
#include "apps/files/copy_edges.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/files/output_check.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/sequencer.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/largest_id.hpp"

namespace emgraph::apps {

namespace {

using graph::prepare::IdBound;

/// The place of the lane's latest batch without its first `skipped` edges.
graph::BatchPlace place_of(const graph::RecordLane& lane, const std::string& source, std::uint64_t skipped) {
  graph::BatchPlace place = lane.place();
  if (place.file == nullptr) place.file = &source;
  place.first_edge += skipped;
  return place;
}

/// The bound of the ids: n, or that of the output, which has this name, if it is less.
IdBound bound_of(const graph::format::EdgeWriter& writer, std::string_view name_of_limit,
                 const std::optional<std::uint64_t>& nodes) {
  IdBound bound(nodes);
  const auto limit = writer.id_limit();
  if (limit && *limit < nodes.value_or(most_nodes)) {
    bound = *limit;
    bound.what = name_of_limit;
  } else if (nodes == most_nodes) {
    bound.what = "the most nodes";
  }
  return bound;
}

[[noreturn]] void refuse_ids(const core::PairShape& shape, const graph::RecordBatch& batch,
                             const IdBound& bound, const graph::BatchPlace& place) {
  using graph::EdgeBatch;
  if (shape.integer_bytes == 4) {
    graph::prepare::refuse_ids(EdgeBatch<std::uint32_t>(batch.records, batch.count, shape.row_bytes), bound,
                               place);
  }
  graph::prepare::refuse_ids(EdgeBatch<std::uint64_t>(batch.records, batch.count, shape.row_bytes), bound,
                             place);
}

}  // namespace

Copied copy_edges(Session& session, graph::RecordSource& edges, std::uint64_t limit,
                  graph::format::EdgeWriter& writer, std::optional<std::uint64_t> nodes) {
  if (limit == 0) return {};
  // With fewer edges a second thread would only read edges that are not copied.
  constexpr std::uint64_t worth_sharing = std::uint64_t{1} << 20;
  core::Environment& environment = session.environment();
  const core::PairShape shape = graph::record_shape(edges.facts().layout);
  const unsigned threads = limit < worth_sharing ? 1 : environment.threads;
  core::Phase phase(environment.progress, "copy", std::min(limit, edges.facts().edges.value_or(0)), "edges");
  core::Sequencer turn;
  core::Checkpoint* const checkpoint = environment.checkpoint;
  Copied all;  // what is appended, by the thread that has the turn
  if (checkpoint != nullptr && checkpoint->has_state()) {
    const auto state = checkpoint->take_state();
    all = state->value<Copied>();
    writer.restore(*state);
    if (all.edges > 0 && edges.rewindable()) turn.pass_to(edges.seek(all.edges - 1));
    phase.advance(all.edges);
  }
  const std::uint64_t from = all.edges;
  const std::string name_of_limit = "the limit of " + session.options().output;
  const IdBound bound = bound_of(writer, name_of_limit, nodes);
  const auto work = [&](unsigned) {
    const core::StopOnFailure stop_on_failure(turn);
    const auto lane = edges.lane(shape);
    const auto encoder = writer.encoder();
    while (!turn.stopped()) {
      graph::RecordBatch batch = lane->next();
      if (batch.count == 0) return;
      const std::uint64_t first = lane->first_edge();
      if (first >= limit) return;
      const std::uint64_t end = first + batch.count;
      const std::uint64_t skip = std::min<std::uint64_t>(batch.count, from - std::min(first, from));
      batch.count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count, limit - first) - skip);
      batch.records += skip * shape.row_bytes;
      const std::uint64_t largest = graph::prepare::largest_id(shape, batch);
      if (bound.below && batch.count > 0 && largest >= *bound.below) {
        if (!turn.wait_for(first)) return;  // the first one is named
        refuse_ids(shape, batch, bound, place_of(*lane, edges.facts().name, skip));
      }
      const std::size_t encoded =
          encoder && batch.count > 0 ? encoder->encode(shape, batch.records, batch.count) : 0;
      if (!turn.wait_for(first)) return;
      if (encoded != 0) writer.append_encoded(*encoder);
      writer.append_records(shape, batch.records + encoded * shape.row_bytes, batch.count - encoded);
      phase.advance(batch.count);
      all.edges += batch.count;
      all.largest_id = std::max(all.largest_id, largest);
      if (checkpoint != nullptr && checkpoint->due()) {
        checkpoint->seal(core::format_count(all.edges) + " edges are copied", [&](core::StateWriter& to) {
          to.value(all);
          writer.save(to);
        });
      }
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
  const std::optional<std::uint64_t> declared = edges.facts().edges;
  if (declared && all.edges != std::min(limit, *declared)) graph::prepare::refuse_changed(edges.facts().name);
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
  writer.append_records(shape, nullptr,
                        0);  // as copy_edges() does: some writers have an encoder of their own
}

}  // namespace emgraph::apps
