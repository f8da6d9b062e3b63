// SPDX-License-Identifier: MIT
// The benchmark's order: construction, roots, one search after another with its validation.
#include "graph/graph500/distributed/run.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/integers.hpp"
#include "core/base/stopwatch.hpp"
#include "core/base/thread_team.hpp"
#include "graph/graph500/answer_checksum.hpp"
#include "graph/graph500/distributed/breadth_first.hpp"
#include "graph/graph500/distributed/shortest_paths.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::graph500::distributed {

namespace {

/// The largest of values that are not negative.
double largest(mpi::Communicator& communicator, double value) {
  return std::bit_cast<double>(
      communicator.reduce(std::bit_cast<std::uint64_t>(value), mpi::Reduction::maximum));
}

PhaseTraffic sum_up(mpi::Communicator& communicator, const mpi::Traffic& own) {
  PhaseTraffic traffic;
  traffic.sent_bytes = communicator.reduce(own.sent_bytes, mpi::Reduction::sum);
  traffic.rounds = communicator.reduce(own.rounds, mpi::Reduction::maximum);
  traffic.seconds = largest(communicator, own.seconds);
  return traffic;
}

void add(mpi::Traffic& sum, const mpi::Traffic& more) {
  sum.sent_bytes += more.sent_bytes;
  sum.rounds += more.rounds;
  sum.seconds += more.seconds;
}

/// Nodes with edges that are no loops, in the order of the candidates, without repeats; as many as there are.
template <class Id>
std::vector<std::uint64_t> choose_roots(mpi::Communicator& communicator, const LocalGraph<Id>& graph,
                                        const Options& options) {
  std::vector<std::uint64_t> roots;
  const Partition& partition = graph.partition();
  const std::uint64_t most = options.list.nodes;  // candidates, as in the reference code
  constexpr std::size_t batch = 64;
  for (std::uint64_t drawn = 0; drawn < most && roots.size() < options.roots; drawn += batch) {
    std::array<std::uint64_t, batch> candidates{};
    std::uint64_t good = 0;
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(batch, most - drawn));
    for (std::size_t i = 0; i < size; ++i) {
      candidates[i] = options.next_root();
      if (!partition.owns(candidates[i])) continue;
      if (graph.degree(candidates[i] - partition.own_first()) > 0) good |= std::uint64_t{1} << i;
    }
    good = communicator.reduce(good, mpi::Reduction::sum);  // each bit is set by one rank at most
    for (std::size_t i = 0; i < size && roots.size() < options.roots; ++i) {
      const bool known = std::find(roots.begin(), roots.end(), candidates[i]) != roots.end();
      if ((good >> i & 1) != 0 && !known) roots.push_back(candidates[i]);
    }
  }
  return roots;
}

std::uint64_t word_of(std::uint32_t level) {
  return level;
}
std::uint64_t word_of(double distance) {
  return std::bit_cast<std::uint64_t>(distance);
}

/// Searches from every root with one kernel; returns false after a violation.
template <class Rule, class Kernel, class Id, class Values>
bool search_all(Room& room, const LocalGraph<Id>& graph, const std::vector<std::uint64_t>& roots,
                core::Phase& phase, Kernel& kernel, Values&& values_of, std::vector<Search>& searches,
                PhaseTraffic& traffic, Result& result) {
  mpi::Communicator& communicator = room.communicator;
  Validation<Id, Rule> validation(room, graph);
  mpi::Traffic sum;
  bool fine = true;
  for (const std::uint64_t root : roots) {
    kernel.reset();
    communicator.barrier();
    const mpi::Traffic before = communicator.traffic();
    const core::Stopwatch searching;
    kernel.search(root);
    communicator.barrier();
    const double seconds = searching.seconds();
    add(sum, communicator.traffic() - before);
    const std::span<const typename Rule::Value> values = values_of();
    const std::span<const Id> parents = kernel.parents();
    Search search;
    search.root = root;
    search.seconds = largest(communicator, seconds);
    const core::Stopwatch validating;
    const ValidationResult verdict = validation.check(root, values, parents);
    search.validation_seconds = largest(communicator, validating.seconds());
    search.reached = verdict.reached;
    search.edges = verdict.edges;
    search.loops = verdict.loops;
    std::uint64_t last = 0;
    for (std::size_t local = 0; local < values.size(); ++local) {
      if (!Rule::reached(values[local])) continue;
      last = std::max(last, word_of(values[local]));
      search.checksum +=
          node_hash(graph.partition().own_first() + local, word_of(values[local]), parents[local]);
    }
    last = communicator.reduce(last, mpi::Reduction::maximum);
    search.checksum = communicator.reduce(search.checksum, mpi::Reduction::sum);
    if constexpr (std::is_same_v<Rule, LevelRule>) {
      search.levels = last + 1;
    } else {
      search.max_distance = std::bit_cast<double>(last);
    }
    searches.push_back(search);
    phase.advance(1);
    if (verdict.violation.rule != 0) {
      result.violation = verdict.violation;
      result.violation_root = root;
      fine = false;
      break;
    }
  }
  traffic = sum_up(communicator, sum);
  return fine;
}

template <class Id>
Result run_with_ids(core::Environment& environment, mpi::Communicator& communicator, const Options& options) {
  core::ThreadTeam team(environment.threads);
  PoolBuffers pools(environment.memory, communicator.ranks());
  Room room{environment.memory, communicator, team, pools};
  Result result;
  result.nodes = options.list.nodes;
  result.edges = options.list.edges;

  std::optional<core::Phase> phase(std::in_place, environment.progress, "construct", 0, "edges");
  const LocalGraph<Id> graph(room, options.list, options.sssp);
  result.generation_seconds = largest(communicator, graph.generation_seconds());
  result.construction_seconds = largest(communicator, graph.construction_seconds());
  result.construction_traffic = sum_up(communicator, communicator.traffic());

  const std::vector<std::uint64_t> roots = choose_roots(communicator, graph, options);
  if (roots.empty()) throw core::UsageError("no root: all edges of the graph are loops");
  bool fine = true;
  if (options.bfs) {
    phase.emplace(environment.progress, "bfs", roots.size(), "searches");
    BreadthFirst<Id> bfs(room, graph);
    fine = search_all<LevelRule>(
        room, graph, roots, *phase, bfs, [&] { return bfs.levels(); }, result.bfs, result.bfs_traffic,
        result);
    if (!fine) result.violation_kernel = "bfs";
  }
  if (options.sssp && fine) {
    phase.emplace(environment.progress, "sssp", roots.size(), "searches");
    ShortestPaths<Id> sssp(room, graph);
    fine = search_all<DistanceRule>(
        room, graph, roots, *phase, sssp, [&] { return sssp.distances(); }, result.sssp, result.sssp_traffic,
        result);
    if (!fine) result.violation_kernel = "sssp";
  }
  result.memory_peak_bytes = communicator.reduce(environment.memory.peak(), mpi::Reduction::maximum);
  return result;
}

/// Throws MemoryLimitError before any edge is made if the graph is clearly too large. Loops and parallel
/// edges take no room in the rows; what is near the limit is tried.
void refuse_too_large(const core::Environment& environment, unsigned ranks, const Options& options) {
  const core::uint128 edges = (core::uint128{options.list.edges} + ranks - 1) / ranks;
  const core::uint128 nodes = (core::uint128{options.list.nodes} + ranks - 1) / ranks;
  const bool wide = options.list.nodes >= std::uint64_t{1} << 32;
  const unsigned id = wide ? 8 : 4;
  const core::uint128 arcs = 2 * edges * (id + (options.sssp ? 2 * id : 0));
  const core::uint128 all =
      edges * (wide ? 16 : 12) + arcs + 50 * nodes + core::uint128{options.list.nodes} / 2;
  const std::uint64_t bytes = all >> 63 != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(all);
  const std::uint64_t free = environment.memory.available();
  if (bytes / 10 * 7 <= free) return;
  throw missing_memory(
      {.what = "a rank's part of the graph",
       .precision = "about ",
       .bytes = bytes,
       .purpose = " with " + std::to_string(ranks) + (ranks == 1 ? " process" : " processes"),
       .advice = "; more processes, on more hosts, need less each"},
      free);
}

}  // namespace

Result run(core::Environment& environment, mpi::Communicator& communicator, const Options& options) {
  refuse_too_large(environment, communicator.ranks(), options);
  const bool wide = options.wide_ids || options.list.nodes >= std::uint64_t{1} << 32;  // all ones are no node
  return wide ? run_with_ids<std::uint64_t>(environment, communicator, options)
              : run_with_ids<std::uint32_t>(environment, communicator, options);
}

}  // namespace emgraph::graph::graph500::distributed
