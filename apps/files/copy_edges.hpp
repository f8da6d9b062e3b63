// SPDX-License-Identifier: MIT
// Edges from a source to a writer, unchanged and in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/files/output_check.hpp"
#include "apps/run/session.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/sequencer.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::apps {

struct Copied {
  std::uint64_t edges = 0;
  std::uint64_t largest_id_plus_1 = 0;  ///< 0 without edges
};

/// As much of a batch as an encoder has room for; without one, nothing.
template <class R>
std::size_t encode(graph::format::RecordEncoder* encoder, std::span<const R> batch) {
  if (encoder == nullptr) return 0;
  return encoder->encode(graph::format::shape_of<R>(), reinterpret_cast<const std::byte*>(batch.data()),
                         batch.size());
}

/// Copies the first `limit` edges to `writer`, which is that of -o. Threads decode and, where the writer lets
/// them, encode side by side and append in turn. IdTooWide becomes a DataError that says what to do where
/// edges have been written in place, so that with_edges does not write them again.
template <class R>
Copied copy_edges(Session& session, graph::EdgeSource<R>& edges, std::uint64_t limit,
                  graph::format::EdgeWriter& writer) {
  if (limit == 0) return {};
  // Below this a second thread would only read what nobody wants.
  constexpr std::uint64_t worth_sharing = std::uint64_t{1} << 20;
  core::Environment& environment = session.environment();
  const unsigned threads = limit < worth_sharing ? 1 : environment.threads;
  core::Phase phase(environment.progress, "copy", std::min(limit, edges.facts().edges.value_or(0)), "edges");
  std::vector<Copied> copied(threads);
  core::Sequencer turn;
  const auto work = [&](unsigned thread) {
    const core::StopOnFailure stop_on_failure(turn);
    const auto lane = edges.lane();
    const auto encoder = writer.encoder();
    while (!turn.stopped()) {
      std::span<const R> batch = lane->next();
      if (batch.empty()) return;
      const std::uint64_t first = lane->first_edge();
      if (first >= limit) return;
      const std::uint64_t end = first + batch.size();
      batch = batch.first(std::min<std::uint64_t>(batch.size(), limit - first));
      for (const R& edge : batch) {
        const std::uint64_t larger = std::max(edge.source, edge.target);
        copied[thread].largest_id_plus_1 = std::max(copied[thread].largest_id_plus_1, larger + 1);
      }
      copied[thread].edges += batch.size();
      const std::size_t encoded = encode(encoder.get(), batch);
      if (!turn.wait_for(first)) return;
      if (encoded != 0) writer.append_encoded(*encoder);
      writer.append(batch.subspan(encoded));
      phase.advance(batch.size());
      turn.pass_to(end);
    }
  };
  try {
    core::run_on_threads(threads, work);
  } catch (const graph::format::IdTooWide& error) {
    const bool restarts = sizeof(typename R::id_type) == 4;
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

}  // namespace emgraph::apps
