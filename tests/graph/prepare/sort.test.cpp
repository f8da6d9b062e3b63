// SPDX-License-Identifier: MIT
// Sorting and simplifying edges against std::sort, on every machine and with every option.
#include "graph/prepare/sort.hpp"

#include "core/base/error.hpp"
#include "tests/graph/prepare/sort_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

using graph::EdgeOrder;
using graph::Record;

template <class R>
void check_sort(const ZooGraph& graph, const SortOptions& options, const Machine& machine, bool known = true,
                WeightType type = WeightType::none, bool rewindable = true) {
  CAPTURE(graph.name, sizeof(R), static_cast<int>(options.order), static_cast<int>(options.orientation));
  CAPTURE(options.unique, options.symmetrize, options.no_loops, known, machine.threads, machine.disks);
  const std::vector<R> input = records_of<R>(graph.edges);
  VectorSourceOptions source{.rewindable = rewindable, .sampled = rewindable && machine.threads == 2};
  source.facts.layout = {.id_bytes = sizeof(typename R::id_type), .weight = type};
  source.facts.layout.payload_bytes = R::attachment_bytes - graph::weight_bytes(type);
  if (known) source.facts.nodes = graph.nodes;
  if (machine.disks == 2) source.facts.edges = input.size();
  const std::uint64_t nodes = known ? graph.nodes : nodes_of(graph.edges);
  TestEnvironment test = environment_of(machine);
  const Sorted<R> sorted = sort_in(test, input, source, options);
  check_equal(sorted, sort_oracle(input, options, type, nodes));
  CHECK(!sorted.result.sorted_input_reused);
  CHECK(facts_hold(graph::prepare::sorted_facts(source.facts, options), sorted.edges));
}

std::vector<SortOptions> all_options() {
  std::vector<SortOptions> all;
  for (const EdgeOrder order : {EdgeOrder::source_target, EdgeOrder::target_source}) {
    for (const bool unique : {false, true}) {
      for (const bool no_loops : {false, true}) {
        all.push_back({.order = order, .unique = unique, .symmetrize = true, .no_loops = no_loops});
        for (const Orientation orientation :
             {Orientation::as_stored, Orientation::low, Orientation::degree}) {
          all.push_back({.order = order, .unique = unique, .no_loops = no_loops, .orientation = orientation});
        }
      }
    }
  }
  return all;
}

TEST_CASE("sort of every graph with every option is the oracle's") {
  Sample sample(3);
  std::size_t turn = 0;
  for (const ZooGraph& graph : graph_zoo()) {
    ++turn;
    for (const SortOptions& options : all_options()) {
      const bool known = options.orientation == Orientation::degree;  // needs n
      ++turn;
      if (!sample.takes(turn % 4 == 0 || turn % 4 == 3 ? 1 : 2)) continue;
      switch (turn % 4) {
        case 0:
          check_sort<Record<std::uint32_t, 0>>(graph, options, {core::MiB, 1, 1});
          break;
        case 1:
          check_sort<Record<std::uint64_t, 8>>(graph, options, {3 * core::MiB, 2, 2});
          break;
        case 2:
          check_sort<Record<std::uint64_t, 0>>(graph, options, {3 * core::MiB / 2, 2, 2}, known);
          break;
        default:
          check_sort<Record<std::uint32_t, 4>>(graph, options, {2 * core::MiB, 1, 3}, known, WeightType::u32);
      }
    }
  }
}

template <class R>
void check_weights(WeightType type, const Machine& machine) {
  // Small numbers, negative ones, zeros of both signs, infinities and NaNs, often equal.
  EdgeList list = random_edges(60, 4000, 41);
  std::vector<R> input = records_of<R>(list);
  std::mt19937_64 random(42);
  const auto weigh = [&](R& edge, auto value) { std::memcpy(edge.attachment.data(), &value, sizeof value); };
  const auto real = [&]<class T>(T) -> T {
    using Limits = std::numeric_limits<T>;
    const T values[] = {0,
                        -T(0),
                        1,
                        -1,
                        T(0.5),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        -Limits::quiet_NaN(),
                        Limits::denorm_min(),
                        -Limits::max()};
    return values[random() % std::size(values)];
  };
  for (R& edge : input) {
    if (random() % 2 == 0) edge.attachment.fill(std::byte{7});
    if (type == WeightType::u32) weigh(edge, static_cast<std::uint32_t>(random() % 3 * 0x7fffff81));
    if (type == WeightType::i64) {
      if constexpr (R::attachment_bytes >= 8) weigh(edge, static_cast<std::int64_t>(random() % 1025) - 512);
    }
    if (type == WeightType::f32) weigh(edge, real(float{}));
    if (type == WeightType::f64) {
      if constexpr (R::attachment_bytes >= 8) weigh(edge, real(double{}));
    }
  }
  VectorSourceOptions source;
  source.facts.layout = {.weight = type, .payload_bytes = R::attachment_bytes - graph::weight_bytes(type)};
  source.facts.nodes = 60;
  Sample sample(3);
  for (const EdgeOrder order : {EdgeOrder::source_target, EdgeOrder::target_source, EdgeOrder::weight}) {
    for (const bool unique : {false, true}) {
      for (const bool symmetrize : {false, true}) {
        for (const Orientation orientation : {Orientation::as_stored, Orientation::low}) {
          if (!sample.takes(machine.threads)) continue;
          CAPTURE(static_cast<int>(type), sizeof(R), static_cast<int>(order), unique, symmetrize);
          const SortOptions options{.order = order,
                                    .unique = unique,
                                    .symmetrize = symmetrize,
                                    .no_loops = symmetrize,
                                    .orientation = symmetrize ? Orientation::as_stored : orientation};
          TestEnvironment test = environment_of(machine);
          const Sorted<R> sorted = sort_in(test, input, source, options);
          check_equal(sorted, sort_oracle(input, options, type, 60));
        }
      }
    }
  }
}

TEST_CASE("sort orders weights of every type and keeps the least of equal edges") {
  check_weights<Record<std::uint32_t, 4>>(WeightType::u32, {5 * core::MiB, 1, 1});
  check_weights<Record<std::uint32_t, 8>>(WeightType::i64, {5 * core::MiB, 2, 2});
  check_weights<Record<std::uint64_t, 16>>(WeightType::i64, {6 * core::MiB, 2, 3});
  check_weights<Record<std::uint32_t, 4>>(WeightType::f32, {5 * core::MiB, 2, 1});
  check_weights<Record<std::uint64_t, 8>>(WeightType::f32, {6 * core::MiB, 1, 4});
  check_weights<Record<std::uint32_t, 8>>(WeightType::f64, {5 * core::MiB, 1, 2});
  check_weights<Record<std::uint32_t, 16>>(WeightType::f64, {6 * core::MiB, 2, 1});
}

TEST_CASE("sort of what does not fit in memory, with every attachment") {
  const ZooGraph skewed{"skewed", 4096, skewed_edges(12, 100000, 43)};
  ZooGraph hub{"hub", 50000, random_edges(50000, 50000, 44)};
  hub.edges.insert(hub.edges.end(), 100000, graph::Edge64{31000, 17});
  Sample sample(1.6);  // each graph with and without duplicates
  for (const ZooGraph& graph : {skewed, hub}) {
    for (const bool unique : {false, true}) {
      if (!sample.takes()) continue;
      const SortOptions by_source{.unique = unique};
      const SortOptions by_target{.order = EdgeOrder::target_source, .unique = unique, .symmetrize = true};
      const SortOptions low{.unique = unique, .no_loops = true, .orientation = Orientation::low};
      const SortOptions by_weight{.order = EdgeOrder::weight, .unique = unique};
      check_sort<Record<std::uint32_t, 0>>(graph, by_target, {512 * core::KiB, 2, 2});
      check_sort<Record<std::uint64_t, 0>>(graph, low, {core::MiB, 2, 1}, false);
      check_sort<Record<std::uint32_t, 4>>(graph, by_source, {3 * core::MiB / 2, 2, 3}, true,
                                           WeightType::f32);
      check_sort<Record<std::uint64_t, 8>>(graph, by_target, {2 * core::MiB, 1, 4}, false, WeightType::f64);
      check_sort<Record<std::uint32_t, 16>>(graph, low, {3 * core::MiB, 1, 1}, true, WeightType::i64);
      check_sort<Record<std::uint64_t, 8>>(graph, by_weight, {3 * core::MiB, 2, 2}, true, WeightType::i64);
    }
  }
  check_sort<Record<std::uint32_t, 64>>(skewed, {}, {4 * core::MiB, 1, 2}, true, WeightType::u32);
}

TEST_CASE("sort by degree reads twice or spools what comes only once") {
  const ZooGraph graph{"skewed", 4096, skewed_edges(12, 60000, 45)};
  for (const bool rewindable : {true, false}) {
    for (const bool unique : {true, false}) {
      const SortOptions options{.unique = unique, .no_loops = unique, .orientation = Orientation::degree};
      for (const unsigned threads : tried_threads({1U, 2U})) {
        check_sort<Record<std::uint32_t, 0>>(graph, options, {4 * core::MiB, threads, 2}, true,
                                             WeightType::none, rewindable);
        check_sort<Record<std::uint64_t, 16>>(graph, options, {4 * core::MiB, threads, 3}, true,
                                              WeightType::f64, rewindable);
      }
    }
  }
  const auto input = records_of<Record<std::uint32_t, 0>>(graph.edges);
  std::uint64_t nodes = 0;  // not declared
  for (const auto& edge : input)
    nodes = std::max<std::uint64_t>(nodes, std::max(edge.source, edge.target) + 1);
  const SortOptions options{.orientation = Orientation::degree};
  for (const bool rewindable : {true, false}) {
    TestEnvironment test = environment_of({4 * core::MiB, 2, 1});
    check_equal(sort_in(test, input, {.rewindable = rewindable}, options),
                sort_oracle(input, options, WeightType::none, nodes));
  }
}

}  // namespace
}  // namespace emgraph::tests
