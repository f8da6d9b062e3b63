// SPDX-License-Identifier: MIT
// From any format to the container and to any other, and straight from one to another: what each promises to
// keep is kept, over all rows of the table of formats.
#include <cmath>
#include <limits>
#include <tuple>

#include "graph/prepare/sort.hpp"
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests {
namespace {

using Row = Record<std::uint64_t, 8>;

struct Graph {
  WeightType weight = WeightType::none;
  std::uint64_t nodes = 0;
  std::vector<Row> rows;
  bool wide = false;  ///< ids need 8 bytes
};

struct Promise {
  WeightType weight = WeightType::none;  ///< what weights are once they are read again
  bool nodes = false;                    ///< n is stored
  bool wide = true;                      ///< ids of 8 bytes
};

bool fractions(WeightType weight) {
  return weight == WeightType::f32 || weight == WeightType::f64;
}

/// None: the format refuses edges with such weights.
std::optional<Promise> promise_of(std::string_view format, WeightType weight) {
  const bool integers = weight == WeightType::u32 || weight == WeightType::i64;
  const auto only = [&](bool accepted, const Promise& promise) {
    return accepted ? std::optional(promise) : std::nullopt;
  };
  if (format == "emg") return Promise{weight, true};
  if (format == "adj") return Promise{WeightType::none, true, false};
  if (format == "npy" || format == "u64" || format == "graph500") return Promise{};
  if (format == "u32") return Promise{WeightType::none, false, false};
  if (format == "mtx") {
    return Promise{integers ? WeightType::i64 : fractions(weight) ? WeightType::f64 : weight, true};
  }
  if (format == "graph") {
    return only(!fractions(weight), {integers ? WeightType::i64 : weight, true, false});
  }
  if (format == "gr") return only(!fractions(weight), {WeightType::i64, true});
  if (format == "sg") return Promise{WeightType::none, true, false};
  if (format == "wsg") return only(integers, {WeightType::i64, true, false});
  if (format == "u32w") return only(weight == WeightType::u32, {WeightType::u32, false, false});
  if (format == "u64w") return only(integers, {WeightType::i64});
  if (format == "f32w") return only(weight == WeightType::f32, {WeightType::f32, false, false});
  if (format == "f64w") return only(fractions(weight), {WeightType::f64});
  if (format == "text") return Promise{weight};
  if (format == "wel")
    return only(weight != WeightType::none, {fractions(weight) ? weight : WeightType::i64});
  FAIL("a format that can be written and of which nothing is promised here: " << format);
  return std::nullopt;
}

template <class T>
T weight_as(const Row& row) {
  T value;
  std::memcpy(&value, row.attachment.data(), sizeof(value));
  return value;
}

double weight_of(const Row& row, WeightType type) {
  switch (type) {
    case WeightType::none:
      return 1;  // what a format that must have weights gives those without
    case WeightType::u32:
      return weight_as<std::uint32_t>(row);
    case WeightType::i64:
      return static_cast<double>(weight_as<std::int64_t>(row));
    case WeightType::f32:
      return weight_as<float>(row);
    case WeightType::f64:
      return weight_as<double>(row);
  }
  return 0;
}

void set_weight(Row& row, WeightType type, double weight) {
  row.attachment = {};
  const auto store = [&](auto value) { std::memcpy(row.attachment.data(), &value, sizeof(value)); };
  if (type == WeightType::u32) store(static_cast<std::uint32_t>(weight));
  if (type == WeightType::i64) store(static_cast<std::int64_t>(weight));
  if (type == WeightType::f32) store(static_cast<float>(weight));
  if (type == WeightType::f64) store(weight);
}

std::uint64_t largest_id_plus_1(const std::vector<Row>& rows) {
  std::uint64_t nodes = 0;
  for (const Row& row : rows) nodes = std::max({nodes, row.source + 1, row.target + 1});
  return nodes;
}

/// Both directions, no loops, of parallel edges the lightest. Slow on purpose.
std::vector<Row> adjacency_of(const Graph& graph) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Row> lightest;
  for (const Row& row : graph.rows) {
    if (row.source == row.target) continue;
    for (Row arc : {row, Row{row.target, row.source, row.attachment}}) {
      const auto [place, added] = lightest.try_emplace({arc.source, arc.target}, arc);
      if (!added && weight_of(arc, graph.weight) < weight_of(place->second, graph.weight))
        place->second = arc;
    }
  }
  std::vector<Row> rows;
  for (const auto& [arc, row] : lightest) rows.push_back(row);
  return rows;
}

/// What reading `format` must give of what was `graph`.
Graph kept(const Graph& graph, const Format& format) {
  const Promise promise = promise_of(format.name, graph.weight).value();
  Graph result = graph;
  if (format.wants != WantedEdges::as_they_come) result.rows = adjacency_of(graph);
  for (Row& row : result.rows) set_weight(row, promise.weight, weight_of(row, graph.weight));
  result.weight = promise.weight;
  if (!promise.nodes) result.nodes = largest_id_plus_1(result.rows);
  return result;
}

bool can_keep(const Graph& graph, const Format& format) {
  const auto promise = promise_of(format.name, graph.weight);
  return promise && (promise->wide || !graph.wide);
}

/// Text does not say what its weights are.
std::string reader_of(const Format& format, WeightType weight) {
  if (format.name != "text" && !(format.name == "wel" && fractions(weight))) return std::string(format.name);
  const std::map<WeightType, std::string> names = {{WeightType::none, "text"},
                                                   {WeightType::u32, "text-u32w"},
                                                   {WeightType::i64, "text-i64w"},
                                                   {WeightType::f32, "text-f32w"},
                                                   {WeightType::f64, "text-f64w"}};
  return names.at(weight);
}

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
    const auto edges = input->source<Row>();
    File to = next(format, from.graph);
    EdgeFacts facts = edges->facts();
    const CreateOptions options = {.format = std::string(format.name)};
    if (format.wants == WantedEdges::as_they_come) {
      const auto writer = create_edges(test_.environment, to.path, facts, options);
      const auto lane = edges->lane();
      for (auto batch = lane->next(); !batch.empty(); batch = lane->next()) writer->append(batch);
      writer->finish();
    } else {
      const prepare::SortOptions sort = {.unique = true, .symmetrize = true, .no_loops = true};
      facts = prepare::sorted_facts(facts, sort);
      if (format.wants == WantedEdges::adjacency) facts.layout.weight = WeightType::none;
      const auto writer = create_edges(test_.environment, to.path, facts, options);
      const auto sorted = prepare::sort<Row>(test_.environment, *edges, sort,
                                             [&](std::span<const Row> batch) { writer->append(batch); });
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
    CHECK(same_records(drain(*input->source<Row>(), 1), file.graph.rows));
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
    if (format.create == nullptr || !can_keep(graph, format)) continue;
    INFO(format.name);
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

/// Ids from `first_id` on; a fifth of the nodes have no edge, and they are not the last ones alone.
Graph random_graph(WeightType weight, std::uint64_t seed, std::uint64_t first_id = 0) {
  std::mt19937_64 random(seed);
  constexpr std::uint64_t nodes = 80;
  Graph graph{.weight = weight, .nodes = first_id + nodes + 7, .rows = {}, .wide = first_id != 0};
  const auto id = [&] {
    const std::uint64_t node = random() % nodes;
    return first_id + (node % 5 == 3 ? node - 1 : node);
  };
  const auto add = [&](std::uint64_t source, std::uint64_t target) {
    Row row{source, target, {}};
    set_weight(row, weight, static_cast<double>(random() % 1000) + (fractions(weight) ? 0.1 : 0));
    graph.rows.push_back(row);
  };
  for (std::size_t i = 0; i < 250; ++i) add(id(), id());
  for (std::size_t i = 0; i < 30; ++i) {
    const Row twin = graph.rows[random() % graph.rows.size()];
    add(twin.source, twin.target);
    add(twin.target, twin.source);
    const std::uint64_t node = id();
    add(node, node);
  }
  return graph;
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

}  // namespace emgraph::tests
