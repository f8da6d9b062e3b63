// SPDX-License-Identifier: MIT
// The order of a run, its roots, its memory model and its clocks.
#include "graph/graph500/benchmark.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "graph/graph500/kernels.hpp"
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
  const auto fail = [](const std::string& what) { throw core::UsageError("graph500: " + what); };
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

/// The edge list in memory.
struct StoredEdges {
  core::Array<Edge32> edges;
  core::Array<float> weights;

  static std::uint64_t bytes(std::uint64_t count, GraphParts parts) {
    return core::size_sum(core::size_product(count, sizeof(Edge32) + (parts.arcs ? sizeof(float) : 0)),
                          2 * core::page_bytes);
  }
  StoredEdges(core::MemoryBudget& memory, std::uint64_t count, GraphParts parts)
      : edges(memory, count, "edge list"), weights(memory, parts.arcs ? count : 0, "edge list") {}
};

/// Generates the edge list once, stores it if there is a place for it, and marks the nodes with an edge that
/// is no loop.
core::Array<std::uint64_t> generate_edges(core::Environment& environment, const EdgeList& list,
                                          const std::optional<StoredEdges>& stored) {
  core::Array<std::uint64_t> marks(environment.memory, (list.edges.nodes() + 63) / 64, "a bit per node");
  EdgePass pass(list, stored && stored->weights.size() > 0);
  core::Phase phase(environment.progress, "generate", list.count, "edges");
  core::run_on_threads(environment.threads, [&](unsigned) {
    const auto mark = [&](std::uint32_t node) {
      const std::atomic_ref word(marks[node / 64]);
      const std::uint64_t bit = std::uint64_t{1} << node % 64;
      if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
    };
    pass.run(environment.memory,
             [&](std::uint64_t first, std::span<const Edge32> edges, std::span<const float> weights) {
               for (const auto [source, target] : edges) {
                 if (source == target) continue;
                 mark(source);
                 mark(target);
               }
               if (stored) {
                 std::copy(edges.begin(), edges.end(), stored->edges.data() + first);
                 std::copy(weights.begin(), weights.end(), stored->weights.data() + first);
               }
               phase.advance(edges.size());
             });
  });
  return marks;
}

/// Candidates in their order, without repeats and without nodes whose edges are all loops; fewer than wanted
/// if as many candidates as nodes have been drawn.
std::vector<std::uint32_t> draw_roots(const Options& options, const core::Array<std::uint64_t>& with_edges) {
  generate::Graph500Roots candidates(options.scale, options.seed + 1, options.seed + 2);
  std::vector<std::uint32_t> roots;
  const std::uint64_t nodes = std::uint64_t{1} << options.scale;
  for (std::uint64_t drawn = 0; drawn < nodes && roots.size() < options.roots; ++drawn) {
    const auto root = static_cast<std::uint32_t>(candidates.next());
    const bool usable = with_edges[root / 64] >> root % 64 & 1;
    if (usable && std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
  }
  if (roots.empty())
    throw core::UsageError("graph500: all edges are loops, so there is no root to search from");
  return roots;
}

/// Of a run with the graph in memory, without the edge list.
std::uint64_t internal_run_bytes(const EdgeList& list, GraphParts parts, unsigned threads) {
  return core::size_sum(internal_bytes(list, parts, threads), Validator::bytes(list.edges.nodes()),
                        threads * std::uint64_t{110'000});
}

ModelChoice choose_model(const Options& options, const EdgeList& list, GraphParts parts, unsigned threads,
                         std::uint64_t free_bytes) {
  const std::uint64_t validation = Validator::bytes(list.edges.nodes()) + threads * 110'000;
  const std::uint64_t internal = internal_run_bytes(list, parts, threads);
  const std::uint64_t semi_external = core::size_sum(semi_external_bytes(list, parts), validation);
  if (options.model == MemoryModel::external) {
    throw core::UsageError(
        "graph500: --model external: parents and distances are validated in memory, expected internal or "
        "semi-external");
  }
  ModelChoice choice{.model = options.model, .reason = {}};
  if (choice.model == MemoryModel::automatic) {
    choice.model = internal <= free_bytes ? MemoryModel::internal : MemoryModel::semi_external;
  }
  const bool in_memory = choice.model == MemoryModel::internal;
  const std::uint64_t needed = in_memory ? internal : semi_external;
  if (needed > free_bytes) {
    throw missing_memory(
        {.what = in_memory ? "the graph in memory" : "parents, distances and levels of the nodes",
         .precision = "about ",
         .bytes = needed,
         .purpose = " at scale " + std::to_string(options.scale),
         .advice = in_memory ? "; --model semi-external needs less" : ""},
        free_bytes);
  }
  choice.reason = in_memory ? edges_and_nodes_fit(internal, free_bytes)
                            : share_of_memory("the graph in memory would take", internal, free_bytes);
  choice.reason += forced_suffix(options.model);
  return choice;
}

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
                     StoredEdges::bytes(list.count, parts)) <= free_bytes) {
    stored.emplace(environment.memory, list.count, parts);
  }
  std::vector<std::uint32_t> roots;
  {
    const Stopwatch watch;
    const auto with_edges = generate_edges(environment, list, stored);
    record.generation_seconds = watch.seconds();
    roots = draw_roots(options, with_edges);
  }
  if (stored) {
    list.stored = stored->edges.span();
    list.stored_weights = stored->weights.span();
  }
  Validator validator(environment, list);
  std::unique_ptr<Kernels> kernels;
  {
    const core::Phase phase(environment.progress, "construct", 0, "edges");
    const Stopwatch watch;
    kernels = result.choice.model == MemoryModel::internal
                  ? internal_kernels(environment, list, parts)
                  : semi_external_kernels(environment, list, options.edge_factor, options.seed, parts);
    record.construction_seconds = watch.seconds();
  }
  const auto run_kernel = [&](bool distances, std::vector<SearchRecord>& searches) {
    for (const std::uint32_t root : roots) {
      SearchRecord search{.root = root};
      search.seconds = distances ? kernels->shortest_paths(root) : kernels->breadth_first(root);
      const Stopwatch watch;
      const Verdict verdict = distances
                                  ? validator.check_distances(root, kernels->parents(), kernels->distances())
                                  : validator.check_levels(root, kernels->parents());
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
      searches.push_back(search);
      if (options.inspect) {
        options.inspect(root, kernels->parents(),
                        distances ? kernels->distances() : std::span<const double>());
      }
    }
  };
  if (options.bfs) {
    const core::Phase phase(environment.progress, "bfs and validation", 0, "searches");
    run_kernel(false, record.bfs);
  }
  if (options.sssp && result.violation.empty()) {
    const core::Phase phase(environment.progress, "sssp and validation", 0, "searches");
    run_kernel(true, record.sssp);
  }
  return result;
}

}  // namespace emgraph::graph::graph500
