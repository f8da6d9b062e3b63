// SPDX-License-Identifier: MIT
// Shortest paths from one or several roots, and between pairs of nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/memory_model.hpp"
#include "graph/sinks.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::sssp {

/// The order in which nodes are settled. The distances are the same with all.
enum class Queue { automatic, heap, dial, multilevel_bucket, radix, delta_stepping };

constexpr std::string_view name(Queue queue) {
  switch (queue) {
    case Queue::automatic:
      return "auto";
    case Queue::heap:
      return "heap";
    case Queue::dial:
      return "dial";
    case Queue::multilevel_bucket:
      return "multilevel-bucket";
    case Queue::radix:
      return "radix";
    case Queue::delta_stepping:
      return "delta-stepping";
  }
  return "";
}

/// The order of the nodes in memory. Results are those of the given order.
enum class OrderRule { given, bfs, degree, hilbert };

constexpr std::string_view name(OrderRule order) {
  switch (order) {
    case OrderRule::given:
      return "given";
    case OrderRule::bfs:
      return "bfs";
    case OrderRule::degree:
      return "degree";
    case OrderRule::hilbert:
      return "hilbert";
  }
  return "";
}

/// Calls the argument with each node and its coordinates.
using CoordinateReader =
    std::function<void(core::FunctionRef<void(std::uint64_t node, std::int64_t x, std::int64_t y)>)>;

/// A pair of nodes, and the wanted path from one to the other.
struct Query {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  bool operator==(const Query&) const = default;
};

/// A file that keeps the distances of landmarks for later runs.
struct LandmarkFile {
  std::string path;
  /// What to do with a file of this name that holds no landmarks. One that holds others is replaced.
  core::Overwrite foreign = core::Overwrite::refuse;
};

/// What a run did with its file of landmarks.
struct LandmarkUse {
  bool read = false;     ///< the distances come from the file; else they were found and written
  std::string refused;   ///< why those of an older file were not used; "" if there was none
  bool damaged = false;  ///< that file was damaged
};

/// Receives the nodes on the way of each query, from source to target, in the order of the queries.
class PathSink {
 public:
  virtual ~PathSink() = default;
  /// A part of a path.
  virtual void append(std::span<const std::uint64_t> nodes) = 0;
  /// The path ends. It has no node if the target is not reached.
  virtual void end_path() = 0;
};

struct Options {
  MemoryModel model = MemoryModel::automatic;
  Queue queue = Queue::automatic;
  Weighting weighting = {};
  /// Arcs lead from source to target only; else an edge counts for both ends.
  bool directed = false;
  /// One full search from each, on one adjacency.
  std::vector<std::uint64_t> roots = {};
  /// Searches between pairs. Either these or roots.
  std::vector<Query> queries = {};
  /// Called with n before nodes of queries are looked up; it may throw what names their file and line.
  std::function<void(std::uint64_t)> require_nodes = nullptr;
  bool paths = false;             ///< find the nodes on the way of each query
  PathSink* path_sink = nullptr;  ///< gets them when all queries are answered; may be null
  unsigned landmarks = 0;         ///< of the queries' lower bounds; 0: bidirectional search
  /// Keeps the distances of the landmarks. For an existing adjacency, internal model only.
  std::optional<LandmarkFile> landmark_file = std::nullopt;
  bool bidirectional = true;               ///< false: a query's search goes forward and stops at the target
  OrderRule order = OrderRule::given;      ///< other ones: internal model only
  CoordinateReader coordinates = nullptr;  ///< for the order by Hilbert's curve
  std::optional<std::uint64_t> delta = std::nullopt;  ///< width of a bucket of delta-stepping
  /// Ids must be below this; default: the source's declared n, else largest id + 1.
  std::optional<std::uint64_t> nodes = std::nullopt;
  std::string input = {};  ///< name of the graph, for messages
};

/// The result of one full search.
struct Search {
  std::uint64_t root = 0;
  std::uint64_t reached = 0;       ///< including the root
  std::uint64_t max_distance = 0;  ///< largest finite distance, as a word (distances.hpp)
  double seconds = 0;              ///< of the search alone
  std::string method;
};

struct QueryResult {
  Query query;
  std::uint64_t distance = 0;  ///< as a word (distances.hpp)
  std::uint64_t settled = 0;   ///< nodes whose distance from either end was found
};

struct Result {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  WeightType weight_type =
      WeightType::none;  ///< of the lengths: u32 and i64 are integers, f32 and f64 doubles
  ModelChoice choice;
  Queue queue = Queue::automatic;  ///< the chosen one
  std::string queue_reason;
  OrderRule order = OrderRule::given;  ///< of the nodes in memory
  std::vector<Search> searches;
  std::vector<QueryResult> queries;
  std::optional<LandmarkUse> landmarks;  ///< if they are kept
};

/// Receives distances and parents of each full search, one value per node in node order.
template <class Id>
class Outputs {
 public:
  virtual ~Outputs() = default;
  virtual bool wants_distances() const = 0;
  virtual bool wants_parents() const = 0;
  /// Distances are words: integers, or the bits of doubles if the weights are floating. Unreached: all ones,
  /// or infinity. Parents of unreached nodes: all ones. The sinks must live until `close`.
  virtual NodeSink<std::uint64_t>& open_distances(std::uint64_t root, std::uint64_t nodes, bool floating) = 0;
  virtual NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) = 0;
  virtual void close() = 0;
};

/// Builds an adjacency of the edges, with their weights where these are stored ones, and searches it.
/// `outputs` may be null. I/O: O(sort(m)), only for edges that do not fit into memory, and the reads of the
/// model: internal none, semi-external see page_search.hpp, external see external.hpp. Throws: UsageError (a
/// root or the node of a query is not below n, the queue does not serve the weights, the file of landmarks is
/// another file), DataError (the graph has no nodes; id not below n; a weight that is negative, not finite,
/// or whose sum overflows), MemoryLimitError, EnvironmentError. Memory: internal 8 to 16 bytes per arc, a
/// distance per node, a queue; semi-external a distance and two bits per node, and pages; external blocks.
/// Paths of queries: query_paths.hpp, path_trace.hpp. Threads: all build; delta-stepping searches on all, the
/// other queues on one. Source: Meyer, Sanders (2003), doi 10.1016/S0196-6774(03)00076-2; the other queues:
/// README.md.
template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           Outputs<Id>* outputs);

/// The results that a full search would write.
struct WantedOutputs {
  bool distances = false;
  bool parents = false;
};

/// What run() would do with a source of this size (graph/forecast.hpp).
/// I/O: a sample of the edges. Throws as run() before its first edge.
template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size, const WantedOutputs& outputs);
/// The same for run() on an existing adjacency. I/O: none; with weights that are no lengths as run(), up to
/// the first of them.
template <class Id>
Forecast forecast(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph,
                  const Options& options, const WantedOutputs& outputs);

/// run() on an existing adjacency with weights, undirected or of the wanted direction, with its own n.
template <class Id>
Result run(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph, const Options& options,
           Outputs<Id>* outputs);

/// True if an existing adjacency suits a search with these options.
inline bool serves(const EdgeFacts& adjacency, const Options& options) {
  return options.weighting.rule == WeightRule::stored && adjacency.layout.weight != WeightType::none &&
         (adjacency.symmetric ? !options.directed : options.directed && adjacency.directed);
}

}  // namespace emgraph::graph::sssp
