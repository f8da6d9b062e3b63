// SPDX-License-Identifier: MIT
// One function an algorithm: it calls the solver and returns a word per vertex.
#include "graph/graphalytics/benchmark.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/stopwatch.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/cc/cc.hpp"
#include "graph/cdlp/cdlp.hpp"
#include "graph/graphalytics/load.hpp"
#include "graph/graphalytics/validation.hpp"
#include "graph/lcc/lcc.hpp"
#include "graph/pagerank/pagerank.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::graphalytics {
namespace {

/// What the reference says of vertices that were not reached: the largest integer of Java.
constexpr std::uint64_t unreached_level = ~std::uint64_t{0} >> 1;

class LevelSink final : public NodeSink<std::uint32_t> {
 public:
  explicit LevelSink(core::Environment& environment) : words_(environment) {}
  void append(std::span<const std::uint32_t> levels) override {
    for (const std::uint32_t level : levels) {
      const std::uint64_t word = level == ~std::uint32_t{0} ? unreached_level : level;
      words_.append(std::span(&word, 1));
    }
  }
  NodeWords finish() { return words_.finish(); }

 private:
  NodeWordSink<std::uint64_t> words_;
};

[[noreturn]] void no_parents() {
  throw std::logic_error("parents in a Graphalytics search");
}

template <class Id>
class Levels final : public bfs::Outputs<Id> {
 public:
  explicit Levels(core::Environment& environment) : sink_(environment) {}
  bool wants_levels() const override { return true; }
  bool wants_parents() const override { return false; }
  NodeSink<std::uint32_t>& open_levels(std::uint64_t, std::uint64_t) override { return sink_; }
  NodeSink<Id>& open_parents(std::uint64_t, std::uint64_t) override { no_parents(); }
  void close() override {}
  NodeWords finish() { return sink_.finish(); }

 private:
  LevelSink sink_;
};

template <class Id>
class Distances final : public sssp::Outputs<Id> {
 public:
  explicit Distances(core::Environment& environment) : sink_(environment) {}
  bool wants_distances() const override { return true; }
  bool wants_parents() const override { return false; }
  NodeSink<std::uint64_t>& open_distances(std::uint64_t, std::uint64_t, bool) override { return sink_; }
  NodeSink<Id>& open_parents(std::uint64_t, std::uint64_t) override { no_parents(); }
  void close() override {}
  NodeWords finish() { return sink_.finish(); }

 private:
  NodeWordSink<std::uint64_t> sink_;
};

/// Runs the solvers on the loaded graph.
template <class Id>
class Solvers {
 public:
  Solvers(core::Environment& environment, const DataSet& set, const LoadedGraph& graph, MemoryModel model)
      : environment_(environment), set_(set), graph_(graph), model_(model) {}

  /// Sets the times and the model of the job.
  NodeWords run(Job& job) {
    const core::Stopwatch watch;
    graph_.source->rewind();
    const EdgeFacts& facts = graph_.source->facts();
    EdgeSource<Id> edges(graph_.source, facts,
                         job.algorithm == Algorithm::sssp ? facts.layout.attachment_bytes() : 0);
    NodeWords words = solve(job, edges);
    job.makespan_seconds = watch.seconds();
    return words;
  }

 private:
  NodeWords solve(Job& job, EdgeSource<Id>& edges) {
    switch (job.algorithm) {
      case Algorithm::bfs: {
        Levels<Id> levels(environment_);
        return timed(job, levels, [&] {
          return bfs::run<Id>(environment_, edges,
                              {.model = model_, .directed = set_.directed, .roots = {graph_.bfs_root}},
                              &levels);
        });
      }
      case Algorithm::sssp: {
        Distances<Id> distances(environment_);
        return timed(job, distances, [&] {
          return sssp::run<Id>(environment_, edges,
                               {.model = model_, .directed = set_.directed, .roots = {graph_.sssp_root}},
                               &distances);
        });
      }
      case Algorithm::pr: {
        NodeWordSink<std::uint64_t> ranks(environment_);
        return timed(job, ranks, [&] {
          return pagerank::run<Id>(environment_, edges,
                                   {.model = model_,
                                    .undirected = !set_.directed,
                                    .damping = set_.damping,
                                    .iterations = set_.pr_iterations},
                                   &ranks);
        });
      }
      case Algorithm::wcc: {
        NodeWordSink<Id> labels(environment_);
        return timed(job, labels,
                     [&] { return cc::run<Id>(environment_, edges, {.model = model_}, &labels); });
      }
      case Algorithm::cdlp: {
        NodeWordSink<Id> labels(environment_);
        return timed(job, labels, [&] {
          return cdlp::run<Id>(
              environment_, edges,
              {.model = model_, .directed = set_.directed, .iterations = set_.cdlp_iterations}, &labels);
        });
      }
      case Algorithm::lcc: {
        NodeWordSink<std::uint64_t> coefficients(environment_);
        return timed(job, coefficients, [&] {
          return lcc::run<Id>(environment_, edges, {.model = model_, .directed = set_.directed},
                              &coefficients);
        });
      }
    }
    throw std::logic_error("an algorithm that is none");
  }

  template <class Sink, class Solve>
  static NodeWords timed(Job& job, Sink& sink, Solve&& solve) {
    const core::Stopwatch watch;
    job.choice = solve().choice;
    job.processing_seconds = watch.seconds();
    return sink.finish();
  }

  core::Environment& environment_;
  const DataSet& set_;
  const LoadedGraph& graph_;
  const MemoryModel model_;
};

constexpr Match match_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::bfs:
      return Match::exact;
    case Algorithm::cdlp:
      return Match::same_labels;
    case Algorithm::wcc:
      return Match::equivalence;
    case Algorithm::pr:
    case Algorithm::lcc:
    case Algorithm::sssp:
      return Match::epsilon;
  }
  return Match::exact;
}

void validate(core::Environment& environment, const DataSet& set, const LoadedGraph& graph,
              const NodeWords& values, Job& job) {
  const std::string reference = set.reference_file(job.algorithm);
  std::error_code failed;
  if (!std::filesystem::exists(reference, failed)) return;
  job.violation = compare(environment, match_of(job.algorithm), reference, graph.ids, values);
  job.outcome = job.violation.empty() ? Outcome::passed : Outcome::failed;
}

template <class Id>
void run_jobs(core::Environment& environment, const DataSet& set, const LoadedGraph& graph,
              const Options& options, Result& result) {
  Solvers<Id> solvers(environment, set, graph, options.model);
  for (const Algorithm algorithm : options.algorithms) {
    Job job;
    job.algorithm = algorithm;
    const NodeWords values = solvers.run(job);
    validate(environment, set, graph, values, job);
    result.jobs.push_back(std::move(job));
  }
}

}  // namespace

Result run(core::Environment& environment, const DataSet& set, const Options& options) {
  Result result;
  const core::Stopwatch watch;
  const LoadedGraph graph = load(environment, set);
  result.load_seconds = watch.seconds();
  result.vertices = graph.vertices;
  result.edges = graph.edges;
  if (graph.source->facts().layout.id_bytes == 4) {
    run_jobs<std::uint32_t>(environment, set, graph, options, result);
  } else {
    run_jobs<std::uint64_t>(environment, set, graph, options, result);
  }
  return result;
}

}  // namespace emgraph::graph::graphalytics
