// SPDX-License-Identifier: MIT
// Which memory model a run of the benchmark takes, and what it keeps in memory.
#include "graph/graph500/choice.hpp"

#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/graph500/external_validation.hpp"
#include "graph/graph500/roots.hpp"

namespace emgraph::graph::graph500 {

void check_options(const Options& options) {
  const auto fail = [](const std::string& what) { throw core::UsageError(what); };
  if (options.scale < 1 || options.scale > 32) {
    fail("scale is " + std::to_string(options.scale) + ", expected 1 to 32");
  }
  if (options.edge_factor < 1 || options.edge_factor >> (63 - options.scale) != 0) {
    fail("edge factor is " + std::to_string(options.edge_factor) + ", expected 1 to 2^" +
         std::to_string(63 - options.scale) + " - 1 at this scale");
  }
  if (options.roots < 1) fail("roots is 0, expected 1 or more");
  if (!options.bfs && !options.sssp) fail("no kernel to run");
}

namespace {

/// Throws MemoryLimitError if external validation could not run, before hours of work.
void refuse_too_large(const Options& options, std::uint64_t free_bytes) {
  plan_validation(options.scale, options.sssp, options.roots, free_bytes);
}

}  // namespace

std::uint64_t validation_bytes(const EdgeList& list, Validator::Copies copies, unsigned threads) {
  constexpr std::uint64_t pass_bytes = 110'000;  // of a thread
  return core::size_sum(Validator::bytes(list.edges.nodes(), copies), threads * pass_bytes);
}

Validator::Copies validation_copies(MemoryModel model, GraphParts parts) {
  if (model != MemoryModel::internal) return Validator::Copies::none;
  return parts.arcs ? Validator::Copies::distances : Validator::Copies::levels;
}

std::uint64_t internal_run_bytes(const EdgeList& list, GraphParts parts, unsigned threads) {
  const Validator::Copies copies = validation_copies(MemoryModel::internal, parts);
  return core::size_sum(internal_bytes(list, parts, threads), validation_bytes(list, copies, threads));
}

ModelChoice choose_model(const Options& options, const EdgeList& list, GraphParts parts, unsigned threads,
                         std::uint64_t free_bytes) {
  const std::uint64_t internal = internal_run_bytes(list, parts, threads);
  const std::uint64_t semi_external = core::size_sum(
      semi_external_bytes(list, parts), validation_bytes(list, Validator::Copies::none, threads));
  const ModelNeed in_memory{MemoryModel::internal, internal, edges_and_nodes_fit(internal, free_bytes)};
  const ModelNeed nodes_in_memory{MemoryModel::semi_external, semi_external,
                                  share_of_memory("the graph in memory would take", internal, free_bytes)};
  const ModelNeed on_disk{
      MemoryModel::external, 0,
      share_of_memory("parents, distances and levels of the nodes would take", semi_external, free_bytes)};
  if (options.model == MemoryModel::automatic) {
    const ModelChoice choice = first_that_fits({in_memory, nodes_in_memory, on_disk}, free_bytes);
    if (choice.model == MemoryModel::external) refuse_too_large(options, free_bytes);
    return choice;
  }
  const ModelNeed& forced = options.model == MemoryModel::internal        ? in_memory
                            : options.model == MemoryModel::semi_external ? nodes_in_memory
                                                                          : on_disk;
  if (forced.bytes > free_bytes) {
    const bool graph = forced.model == MemoryModel::internal;
    throw missing_memory(
        {.what = graph ? "the graph in memory" : "the state of the nodes (parents, distances, levels)",
         .precision = "about ",
         .bytes = forced.bytes,
         .purpose = " at scale " + std::to_string(options.scale),
         .advice = graph ? "; --model semi-external needs less" : "; --model external needs less"},
        free_bytes);
  }
  if (forced.model == MemoryModel::external) refuse_too_large(options, free_bytes);
  return {forced.model, forced.reason + std::string(forced_suffix(options.model))};
}

bool stores_edges(MemoryModel model, const EdgeList& list, GraphParts parts, unsigned threads,
                  std::uint64_t free_bytes) {
  return model == MemoryModel::internal &&
         core::size_sum(internal_run_bytes(list, parts, threads),
                        StoredEdges::bytes(list.count, parts.arcs)) <= free_bytes;
}

}  // namespace emgraph::graph::graph500
