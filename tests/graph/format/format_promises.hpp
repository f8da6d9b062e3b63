// SPDX-License-Identifier: MIT
// What each format that can be written promises to keep of a graph, and graphs to hold it to that.
#pragma once

#include <map>

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests {

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

inline bool fractions(WeightType weight) {
  return weight == WeightType::f32 || weight == WeightType::f64;
}

/// None: the format refuses edges with such weights.
inline std::optional<Promise> promise_of(std::string_view format, WeightType weight) {
  const bool integers = weight == WeightType::u32 || weight == WeightType::i64;
  const auto only = [&](bool accepted, const Promise& promise) {
    return accepted ? std::optional(promise) : std::nullopt;
  };
  if (format == "emg") return Promise{weight, true};
  if (format == "adj") return Promise{weight, true, false};
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

inline double weight_of(const Row& row, WeightType type) {
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

inline void set_weight(Row& row, WeightType type, double weight) {
  row.attachment = {};
  const auto store = [&](auto value) { std::memcpy(row.attachment.data(), &value, sizeof(value)); };
  if (type == WeightType::u32) store(static_cast<std::uint32_t>(weight));
  if (type == WeightType::i64) store(static_cast<std::int64_t>(weight));
  if (type == WeightType::f32) store(static_cast<float>(weight));
  if (type == WeightType::f64) store(weight);
}

inline std::uint64_t largest_id_plus_1(const std::vector<Row>& rows) {
  std::uint64_t nodes = 0;
  for (const Row& row : rows) nodes = std::max({nodes, row.source + 1, row.target + 1});
  return nodes;
}

/// Both directions, no loops, of parallel edges the lightest. Slow on purpose.
inline std::vector<Row> adjacency_of(const Graph& graph) {
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
inline Graph kept(const Graph& graph, const Format& format) {
  const Promise promise = promise_of(format.name, graph.weight).value();
  Graph result = graph;
  if (format.wants != WantedEdges::as_they_come) result.rows = adjacency_of(graph);
  for (Row& row : result.rows) set_weight(row, promise.weight, weight_of(row, graph.weight));
  result.weight = promise.weight;
  if (!promise.nodes) result.nodes = largest_id_plus_1(result.rows);
  return result;
}

inline bool can_keep(const Graph& graph, const Format& format) {
  const auto promise = promise_of(format.name, graph.weight);
  return promise && (promise->wide || !graph.wide);
}

/// Text does not say what its weights are.
inline std::string reader_of(const Format& format, WeightType weight) {
  if (format.name != "text" && !(format.name == "wel" && fractions(weight))) return std::string(format.name);
  const std::map<WeightType, std::string> names = {{WeightType::none, "text"},
                                                   {WeightType::u32, "text-u32w"},
                                                   {WeightType::i64, "text-i64w"},
                                                   {WeightType::f32, "text-f32w"},
                                                   {WeightType::f64, "text-f64w"}};
  return names.at(weight);
}

/// Ids from `first_id` on; a fifth of the nodes have no edge, and they are not the last ones alone.
inline Graph random_graph(WeightType weight, std::uint64_t seed, std::uint64_t first_id = 0) {
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

}  // namespace emgraph::tests
