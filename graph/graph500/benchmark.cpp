// SPDX-License-Identifier: MIT
// The order of a run, its roots, its memory model and its clocks.
#include "graph/graph500/benchmark.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/graph500/external_kernels.hpp"
#include "graph/graph500/external_validation.hpp"
#include "graph/graph500/kernels.hpp"
#include "graph/graph500/roots.hpp"
#include "graph/graph500/validation.hpp"

namespace emgraph::graph::graph500 {
namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

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

/// Throws MemoryLimitError if external validation could not run, before hours of work.
void refuse_too_large(const Options& options, std::uint64_t free_bytes) {
  plan_validation(options.scale, options.sssp, options.roots, free_bytes);
}

/// Of the validation in memory.
std::uint64_t validation_bytes(const EdgeList& list, Validator::Copies copies, unsigned threads) {
  constexpr std::uint64_t pass_bytes = 110'000;  // of a thread
  return core::size_sum(Validator::bytes(list.edges.nodes(), copies), threads * pass_bytes);
}

/// Where the graph is in memory there is room for copies.
Validator::Copies validation_copies(MemoryModel model, GraphParts parts) {
  if (model != MemoryModel::internal) return Validator::Copies::none;
  return parts.arcs ? Validator::Copies::distances : Validator::Copies::levels;
}

/// Of a run with the graph in memory, without the edge list.
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

/// A constructed graph, its searches one at a time, and the validation of the last one.
class Searches {
 public:
  virtual ~Searches() = default;
  /// Gives the seconds of the search.
  virtual double search(bool distances, std::uint32_t root) = 0;
  virtual Verdict validate(bool distances, std::uint32_t root) = 0;
};

/// With parents and distances in memory.
class SearchesInMemory final : public Searches {
 public:
  SearchesInMemory(core::Environment& environment, const Options& options, const EdgeList& list,
                   GraphParts parts, Result& result)
      : validator_(environment, list, validation_copies(result.choice.model, parts)) {
    const core::Phase phase(environment.progress, "construct", 0, "edges");
    const Stopwatch watch;
    kernels_ = result.choice.model == MemoryModel::internal
                   ? internal_kernels(environment, list, parts)
                   : semi_external_kernels(environment, list, options.edge_factor, options.seed, parts);
    result.record.construction_seconds = watch.seconds();
    result.edge_list = list.stored.empty() ? "generated by each validation" : "in memory";
  }
  double search(bool distances, std::uint32_t root) override {
    return distances ? kernels_->shortest_paths(root) : kernels_->breadth_first(root);
  }
  Verdict validate(bool distances, std::uint32_t root) override {
    return distances ? validator_.check_distances(root, kernels_->parents(), kernels_->distances())
                     : validator_.check_levels(root, kernels_->parents());
  }

 private:
  Validator validator_;
  std::unique_ptr<Kernels> kernels_;
};

/// With parents and distances on the temporary disks.
class SearchesOnDisk final : public Searches {
 public:
  SearchesOnDisk(core::Environment& environment, const Options& options, const EdgeList& list,
                 GraphParts parts, std::uint64_t validations, Result& result)
      : quiet_environment_(environment) {
    const Stopwatch construction;
    kernels_.emplace(environment, list, options.edge_factor, options.seed, parts, options.model);
    result.record.construction_seconds = construction.seconds();
    plan_ = plan_validation(options.scale, parts.arcs, validations, environment.memory.available());
    const Stopwatch keeping;
    validator_.emplace(environment, list, plan_, parts.arcs);
    result.edge_list = plan_.text();
    if (plan_.keep) result.keeping_seconds = keeping.seconds();
  }
  double search(bool distances, std::uint32_t root) override {
    return distances ? kernels_->shortest_paths(root, plan_.grid.piece_bits)
                     : kernels_->breadth_first(root, plan_.grid.piece_bits);
  }
  Verdict validate(bool, std::uint32_t) override { return validator_->check(kernels_->answer()); }

 private:
  QuietEnvironment quiet_environment_;
  std::optional<ExternalKernels> kernels_;
  ValidationPlan plan_;
  std::optional<ExternalValidator> validator_;
};

}  // namespace

Result run(core::Environment& environment, const Options& options) {
  check_options(options);
  const GraphParts parts{.neighbours = options.bfs, .arcs = options.sssp};
  EdgeList list{generate::Graph500Edges(options.scale, options.seed + 1, options.seed + 2),
                options.edge_factor << options.scale};
  Result result;
  result.nodes = list.edges.nodes();
  result.edges = list.count;
  RunRecord& record = result.record;
  record.scale = options.scale;
  record.edge_factor = options.edge_factor;
  const std::uint64_t free_bytes = environment.memory.available();
  result.choice = choose_model(options, list, parts, environment.threads, free_bytes);
  std::optional<StoredEdges> stored;
  if (result.choice.model == MemoryModel::internal &&
      core::size_sum(internal_run_bytes(list, parts, environment.threads),
                     StoredEdges::bytes(list.count, parts.arcs)) <= free_bytes) {
    stored.emplace(environment.memory, list.count, parts.arcs);
  }
  const Stopwatch generation;
  const std::vector<std::uint32_t> roots =
      draw_roots(environment, list, options.seed, options.roots, stored ? &*stored : nullptr);
  record.generation_seconds = generation.seconds();
  if (stored) {
    list.stored = stored->edges.span();
    list.stored_weights = stored->weights.span();
  }
  std::unique_ptr<Searches> searches;
  if (result.choice.model == MemoryModel::external) {
    const std::uint64_t validations =
        (std::uint64_t{options.bfs} + std::uint64_t{options.sssp}) * roots.size();
    searches = std::make_unique<SearchesOnDisk>(environment, options, list, parts, validations, result);
  } else {
    searches = std::make_unique<SearchesInMemory>(environment, options, list, parts, result);
  }
  const auto run_kernel = [&](bool distances, std::vector<SearchRecord>& done) {
    core::Phase phase(environment.progress, distances ? "sssp and validation" : "bfs and validation",
                      roots.size(), "searches");
    for (const std::uint32_t root : roots) {
      SearchRecord search{.root = root};
      search.seconds = searches->search(distances, root);
      const Stopwatch watch;
      const Verdict verdict = searches->validate(distances, root);
      search.validation_seconds = watch.seconds();
      if (verdict.violated_rule != 0) {
        result.violation = std::string(distances ? "shortest paths" : "breadth-first search") + " from " +
                           std::to_string(root) + ": " + verdict.message;
        return;
      }
      search.reached = verdict.reached;
      search.edges = verdict.edges;
      search.loops = verdict.loops;
      search.levels = verdict.levels;
      search.max_distance = verdict.max_distance;
      search.checksum = verdict.checksum;
      done.push_back(search);
      phase.advance(1);
    }
  };
  if (options.bfs) run_kernel(false, record.bfs);
  if (options.sssp && result.violation.empty()) run_kernel(true, record.sssp);
  return result;
}

}  // namespace emgraph::graph::graph500
