// SPDX-License-Identifier: MIT
// Joins both files to one source of edges, numbers its ids and keeps the edges without the loops.
#include "graph/graphalytics/load.hpp"

#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/format/source/joined_source.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/table/open.hpp"
#include "graph/graphalytics/vertex_lines.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/prepare/relabel/relabel.hpp"
#include "graph/prepare/relabel/row_run.hpp"

namespace emgraph::graph::graphalytics {
namespace {

/// A loop at each vertex of a vertex file, with weight 0 if edges have weights.
class VertexLoops final : public format::LanedSource {
 public:
  VertexLoops(core::Environment& environment, const DataSet& set, std::uint64_t vertices, unsigned max_lanes)
      : LanedSource(environment), path_(set.vertex_file) {
    facts_.layout.id_bytes = 8;
    facts_.layout.weight = set.weight_column ? WeightType::f64 : WeightType::none;
    facts_.edges = vertices;
    facts_.name = set.vertex_file;
    open_lanes(max_lanes, environment.memory.limit());  // one lane: the lines have one reader
  }

 private:
  class Lane final : public format::WorkingLane {
   public:
    Lane(core::Environment& environment, const std::string& path, const core::PairShape& shape)
        : lines_(environment, path, ValueKind::none),
          shape_(shape),
          records_(environment.memory, batch_records * shape.row_bytes, "vertices") {
      std::memset(records_.data(), 0, records_.size());
    }
    RecordBatch next() override {
      first_edge_ += count_;
      for (count_ = 0; count_ < batch_records; ++count_) {
        const std::optional<VertexLine> line = lines_.next();
        if (!line) break;
        std::byte* const record = records_.data() + count_ * shape_.row_bytes;
        set_id(shape_, record, 0, line->vertex);
        set_id(shape_, record, 1, line->vertex);
      }
      return {records_.data(), count_};
    }

   private:
    static constexpr std::size_t batch_records = 4096;
    VertexLines lines_;
    const core::PairShape shape_;
    core::Buffer records_;
    std::size_t count_ = 0;
  };

  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override {
    return std::make_unique<Lane>(environment_, path_, shape);
  }

  const std::string path_;
};

/// Counts the vertices, and checks that each stands there once.
std::uint64_t count_vertices(core::Environment& environment, const DataSet& set) {
  core::Phase phase(environment.progress, "count vertices", set.vertices.value_or(0), "vertices");
  core::DistributionSorter<std::uint64_t>::Options options;
  options.records = set.vertices;
  options.memory_bytes = core::sorter_memory(environment.memory) / 2;
  options.threads = 1;
  options.unique = true;
  core::DistributionSorter<std::uint64_t> sorter(environment, std::move(options));
  {
    VertexLines lines(environment, set.vertex_file, ValueKind::none);
    while (const std::optional<VertexLine> line = lines.next()) {
      sorter.lane(0).push(line->vertex);
      phase.advance(1);
    }
  }
  sorter.lane(0).finish();
  sorter.finish();
  std::uint64_t different = 0;
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) different += batch.size();
  if (different < sorter.records()) {
    throw core::DataError::in_file(set.vertex_file, "has " + std::to_string(sorter.records()) +
                                                        " lines with " + std::to_string(different) +
                                                        " different vertices, expected each vertex once");
  }
  if (set.vertices && *set.vertices != different) {
    throw core::DataError::in_file(
        set.vertex_file, "has " + std::to_string(different) + " vertices, expected " +
                             std::to_string(*set.vertices) + ", as " + set.properties + " declares");
  }
  return different;
}

std::shared_ptr<format::JoinedSource> join_files(core::Environment& environment, const DataSet& set,
                                                 std::uint64_t vertices) {
  const auto open = [&set, vertices](core::Environment& part_environment,
                                     std::size_t number) -> format::JoinedSource::Part {
    const unsigned lanes = part_environment.threads;
    if (number == 0) return {std::make_shared<VertexLoops>(part_environment, set, vertices, lanes), true};
    format::OpenOptions options;
    options.format = "text";
    options.id_bytes = 8;
    options.max_lanes = lanes;
    options.text.columns = format::TextColumns{1, 2, set.weight_column};
    if (set.weight_column) options.text.weight = WeightType::f64;
    options.text.separator = format::blanks_separator;
    return {format::open_edges(part_environment, set.edge_file, options)->release(), true};
  };
  return std::make_shared<format::JoinedSource>(
      environment, 2, open, [] {}, environment.threads, false);
}

/// Copies the edges after the loops to the temporary disks.
template <class Id>
relabel::RowRun keep_edges(core::Environment& environment, const std::shared_ptr<RecordSource>& source,
                           const EdgeFacts& facts, std::uint64_t loops) {
  EdgeSource<Id> edges(source, facts, facts.layout.attachment_bytes());
  core::Phase phase(environment.progress, "keep edges", facts.edges.value_or(0), "edges");
  const prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
  relabel::RowRunWriter writer(environment, facts.layout);
  std::mutex mutex;
  prepare::ingest(lanes, facts.name, facts.nodes, phase,
                  [&](unsigned, const EdgeBatch<Id>& batch, std::uint64_t first) {
                    const EdgeBatch<Id> kept = prepare::from_edge(batch, first, loops);
                    const std::lock_guard lock(mutex);
                    writer.append(edges.shape(), kept.rows(), kept.size());
                  });
  return writer.finish();
}

std::uint64_t root(const DataSet& set, Algorithm algorithm, std::uint64_t vertex,
                   const std::optional<std::uint64_t>& number) {
  if (!set.has(algorithm)) return 0;
  if (number) return *number;
  throw core::DataError::in_file(set.properties, std::string(name(algorithm)) + ".source-vertex is " +
                                                     std::to_string(vertex) + ", expected a vertex of " +
                                                     set.vertex_file);
}

}  // namespace

LoadedGraph load(core::Environment& environment, const DataSet& set) {
  LoadedGraph graph;
  graph.vertices = count_vertices(environment, set);
  NodeWordSink<std::uint64_t> ids(environment);
  const auto joined = join_files(environment, set, graph.vertices);
  relabel::Relabelled numbered =
      relabel::relabel(environment, joined, joined->facts(),
                       {.max_lanes = environment.threads, .asked = {set.bfs_root, set.sssp_root}}, &ids);
  graph.ids = ids.finish();
  if (graph.ids.records > graph.vertices) {
    throw core::DataError::in_file(set.edge_file, "has " +
                                                      std::to_string(graph.ids.records - graph.vertices) +
                                                      " vertices that " + set.vertex_file + " does not have");
  }
  graph.bfs_root = root(set, Algorithm::bfs, set.bfs_root, numbered.numbers[0]);
  graph.sssp_root = root(set, Algorithm::sssp, set.sssp_root, numbered.numbers[1]);

  EdgeFacts facts = numbered.source->facts();
  relabel::RowRun rows = facts.layout.id_bytes == 4
                             ? keep_edges<std::uint32_t>(environment, numbered.source, facts, graph.vertices)
                             : keep_edges<std::uint64_t>(environment, numbered.source, facts, graph.vertices);
  numbered.source.reset();
  graph.edges = rows.rows;
  if (set.edges && *set.edges != graph.edges) {
    throw core::DataError::in_file(set.edge_file, "has " + std::to_string(graph.edges) + " edges, expected " +
                                                      std::to_string(*set.edges) + ", as " + set.properties +
                                                      " declares");
  }
  facts.edges = graph.edges;
  facts.directed = set.directed;
  facts.name = set.edge_file;
  graph.source = std::make_shared<relabel::RowRunSource>(environment, std::move(facts), std::move(rows),
                                                         environment.threads);
  return graph;
}

}  // namespace emgraph::graph::graphalytics
