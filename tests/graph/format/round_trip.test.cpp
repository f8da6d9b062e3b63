// SPDX-License-Identifier: MIT
// From any format to the container and to any other, and straight from one to another: what each promises to
// keep is kept, over all rows of the table of formats.
#include <limits>

#include "graph/prepare/sort.hpp"
#include "tests/graph/format/format_promises.hpp"

namespace emgraph::tests::edge_formats::round_trip {
namespace {

class Conversions {
 public:
  /// A file that holds `graph`, as far as `format` can.
  struct File {
    std::string path;
    const Format* format = nullptr;
    Graph graph;
  };

  File write(const Graph& graph, const Format& format) {
    const File file = next(format, graph);
    EdgeFacts facts;
    facts.layout = {.id_bytes = graph.wide ? 8u : 4u, .weight = graph.weight};
    facts.nodes = graph.nodes;
    write_edges(test_.environment, file.path, facts, {.format = std::string(format.name)}, graph.rows);
    return file;
  }

  /// As the command convert.
  File convert(const File& from, const Format& format) {
    const auto input = open(from);
    const auto edges = typed_source<Row>(*input);
    File to = next(format, from.graph);
    EdgeFacts facts = edges->facts();
    const CreateOptions options = {.format = std::string(format.name)};
    if (format.wants == WantedEdges::as_they_come) {
      const auto writer = create_edges(test_.environment, to.path, facts, options);
      const auto lane = edges->lane();
      for (auto batch = lane->next(); !batch.empty(); batch = lane->next()) append(*writer, batch);
      writer->finish();
    } else {
      const prepare::SortOptions sort = {.unique = true, .symmetrize = true, .no_loops = true};
      facts = prepare::sorted_facts(facts, sort);
      if (format.wants == WantedEdges::adjacency) facts.layout.weight = WeightType::none;
      const auto writer = create_edges(test_.environment, to.path, facts, options);
      auto source = input->source<Row::id_type>(Row::attachment_bytes);
      const auto sorted = prepare::sort(test_.environment, source, sort,
                                        [&](const core::PairShape& shape, const RecordBatch& batch) {
                                          writer->append_records(shape, batch.records, batch.count);
                                        });
      writer->at_least_nodes(sorted.nodes);
      writer->finish();
    }
    to.graph = kept(from.graph, format);
    return to;
  }

  /// Reads it and compares.
  void check(const File& file) {
    INFO("read from " << file.path);
    const auto input = open(file);
    CHECK(input->facts().layout.weight == file.graph.weight);
    if (promise_of(file.format->name, file.graph.weight)->nodes) {
      CHECK(input->facts().nodes == file.graph.nodes);
    } else {
      CHECK_FALSE(input->facts().nodes.has_value());
    }
    CHECK(same_records(drain(*typed_source<Row>(*input), 1), file.graph.rows));
  }

  void remove(const File& file) { std::filesystem::remove(file.path); }

 private:
  File next(const Format& format, const Graph& graph) {
    const std::string name = std::to_string(files_++) + "." + std::string(format.name);
    return {directory_.file(name), &format, graph};
  }
  std::unique_ptr<EdgeInput> open(const File& file) {
    OpenOptions options = {.format = reader_of(*file.format, file.graph.weight)};
    if (file.graph.wide) options.id_bytes = 8;
    return open_edges(test_.environment, file.path, options);
  }

  TestEnvironment test_{.memory_bytes = 16 * MiB};
  // In memory where there is such a place: hundreds of files are synced, which is not what is tested here.
  const TemporaryDirectory directory_{std::filesystem::is_directory("/dev/shm")
                                          ? "/dev/shm"
                                          : std::filesystem::temp_directory_path().string()};
  std::size_t files_ = 0;
};

const Format& container() {
  return format_called("emg");
}

/// To any format and back to the container.
void check_round_trips(const Graph& graph) {
  Conversions files;
  const auto original = files.write(graph, container());
  files.check(original);
  for (const Format& format : formats()) {
    if (format.create == nullptr) continue;
    INFO(format.name);
    if (!promise_of(format.name, graph.weight)) {
      CHECK_FALSE(message_of<core::UsageError>([&] { files.convert(original, format); }).empty());
    }
    if (!can_keep(graph, format)) continue;
    const auto there = files.convert(original, format);
    files.check(there);
    files.check(files.convert(there, container()));
  }
}

/// From any format to any other, straight and through the container.
void check_all_pairs(const Graph& graph) {
  Conversions files;
  const auto original = files.write(graph, container());
  for (const Format& first : formats()) {
    if (first.create == nullptr || !can_keep(graph, first)) continue;
    const auto from = files.convert(original, first);
    const auto through = files.convert(from, container());
    for (const Format& second : formats()) {
      if (second.create == nullptr || !can_keep(from.graph, second)) continue;
      INFO(first.name << " to " << second.name);
      const auto direct = files.convert(from, second);
      const auto by_way_of = files.convert(through, second);
      files.check(direct);
      files.check(by_way_of);
      files.remove(direct);
      files.remove(by_way_of);
    }
  }
}

}  // namespace

TEST_CASE("round trips: to every format and back, with every kind of weight") {
  for (const WeightType weight :
       {WeightType::none, WeightType::u32, WeightType::i64, WeightType::f32, WeightType::f64}) {
    INFO("weight type " << static_cast<int>(weight));
    check_round_trips(random_graph(weight, 3));
    check_round_trips(random_graph(weight, 4, std::uint64_t{5} << 40));
  }
}

TEST_CASE("round trips: from any format to any other, with and without the container between") {
  check_all_pairs(random_graph(WeightType::none, 5));
  check_all_pairs(random_graph(WeightType::u32, 6));
  check_all_pairs(random_graph(WeightType::f32, 7));
}

TEST_CASE("round trips: graphs with hardly anything in them") {
  for (const WeightType weight : {WeightType::none, WeightType::i64}) {
    Row row{3, 3, {}};
    set_weight(row, weight, 5);
    Row edge{4, 0, {}};
    set_weight(edge, weight, 7);
    for (const Graph& graph : {Graph{weight, 0, {}}, Graph{weight, 9, {}}, Graph{weight, 4, {row}},
                               Graph{weight, 5, {edge}}, Graph{weight, 6, {edge, row, edge}}}) {
      INFO(graph.rows.size() << " edges, n = " << graph.nodes);
      check_round_trips(graph);
    }
  }
}

TEST_CASE("round trips: the extremes of weights") {
  const auto with = [](WeightType weight, auto... values) {
    Graph graph;
    graph.weight = weight;
    graph.nodes = sizeof...(values) + 1;
    const auto add = [&](auto value) {
      Row row{graph.rows.size(), graph.rows.size() + 1, {}};
      std::memcpy(row.attachment.data(), &value, sizeof(value));
      graph.rows.push_back(row);
    };
    (add(values), ...);
    return graph;
  };
  using Long = std::numeric_limits<std::int64_t>;
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  Conversions files;
  for (const Graph& graph :
       {with(WeightType::u32, std::uint32_t{0}, ~std::uint32_t{0}),
        with(WeightType::i64, Long::min(), std::int64_t{-1}, std::int64_t{0}, Long::max()),
        with(WeightType::f32, Float::lowest(), Float::min(), Float::denorm_min(), Float::max(), 0.1f),
        with(WeightType::f64, Double::lowest(), Double::min(), Double::denorm_min(), Double::max(), 0.1)}) {
    const auto original = files.write(graph, container());
    for (const std::string name : {"emg", "text", "wel", "mtx", "gr", "u64w", "f32w", "f64w"}) {
      const Format& format = format_called(name);
      if (!can_keep(graph, format)) continue;
      INFO(name);
      const auto file = files.convert(original, format);
      const auto back = files.convert(file, container());
      // Compared as bits: a double does not hold every i64.
      TestEnvironment test{.memory_bytes = 16 * MiB};
      const auto rows = read_edges<Row>(test.environment, back.path);
      REQUIRE(rows.size() == graph.rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (graph.weight == WeightType::i64) {
          CHECK(weight_as<std::int64_t>(rows[i]) == weight_as<std::int64_t>(graph.rows[i]));
        } else {
          CHECK(weight_of(rows[i], back.graph.weight) == weight_of(graph.rows[i], graph.weight));
        }
      }
    }
  }
}

}  // namespace emgraph::tests::edge_formats::round_trip
