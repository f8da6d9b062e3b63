// SPDX-License-Identifier: MIT
// Sorts the arcs into lists with the number of arcs of each pair, then marks and counts.
#include "graph/lcc/check.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/memory/buffer.hpp"
#include "graph/memory_model.hpp"
#include "graph/prepare/kept_edges.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::lcc {
namespace {

/// Pairs of neighbours and their arcs, by the smaller id.
template <class Id>
struct Pairs {
  core::Array<std::uint64_t> ends;  ///< of the list of each node
  core::Array<Id> larger;
  core::Array<std::uint8_t> arcs;

  std::size_t nodes() const { return ends.size(); }
  std::uint64_t begin(std::size_t node) const { return node == 0 ? 0 : ends[node - 1]; }
};

/// Arcs between the neighbours of each node, and degrees.
template <class Id>
class ArcCount {
 public:
  ArcCount(core::Environment& environment, const Pairs<Id>& pairs)
      : environment_(environment),
        nodes_(pairs.nodes()),
        counts_(environment.memory, nodes_, "8 bytes per node for counts"),
        degrees_(environment.memory, nodes_, "4 bytes per node for degrees") {
    orient(pairs);
    count();
  }
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t pairs, unsigned threads) {
    return core::size_sum(core::size_product(nodes, 20 + threads), core::size_product(pairs, sizeof(Id) + 1),
                          std::uint64_t{6 + threads} * core::page_bytes);
  }

  std::uint64_t arcs(std::uint64_t node) const { return counts_[static_cast<std::size_t>(node)]; }
  std::uint64_t degree(std::uint64_t node) const { return degrees_[static_cast<std::size_t>(node)]; }

 private:
  template <class T>
  static T add(T& to, T amount) {
    return std::atomic_ref<T>(to).fetch_add(amount, std::memory_order_relaxed);
  }

  /// Each pair goes to the list of the end with fewer neighbours, ties by id.
  void orient(const Pairs<Id>& pairs) {
    const auto for_all = [&](auto&& visit) {
      for (std::size_t low = 0; low < nodes_; ++low) {
        for (std::uint64_t at = pairs.begin(low); at < pairs.ends[low]; ++at) {
          visit(low, static_cast<std::size_t>(pairs.larger[at]), pairs.arcs[at]);
        }
      }
    };
    for_all([&](std::size_t low, std::size_t high, std::uint8_t) {
      ++degrees_[low];
      ++degrees_[high];
    });
    const auto from = [&](std::size_t low, std::size_t high) {
      return degrees_[low] <= degrees_[high] ? std::pair(low, high) : std::pair(high, low);
    };
    ends_ = core::Array<std::uint64_t>(environment_.memory, nodes_, "8 bytes per node");
    targets_ = core::Array<Id>(environment_.memory, pairs.larger.size(), "an id per edge");
    arcs_ = core::Array<std::uint8_t>(environment_.memory, pairs.larger.size(), "a byte per edge");
    for_all([&](std::size_t low, std::size_t high, std::uint8_t) { ++ends_[from(low, high).first]; });
    std::uint64_t begin = 0;
    for (std::uint64_t& end : ends_.span()) begin += std::exchange(end, begin);
    for_all([&](std::size_t low, std::size_t high, std::uint8_t arcs) {
      const auto [source, target] = from(low, high);
      const std::uint64_t at = ends_[source]++;
      targets_[at] = static_cast<Id>(target);
      arcs_[at] = arcs;
    });
  }

  std::uint64_t begin(std::size_t node) const { return node == 0 ? 0 : ends_[node - 1]; }

  void count() {
    constexpr std::size_t nodes_at_a_time = 64;
    std::vector<core::Array<std::uint8_t>> marks;
    for (unsigned thread = 0; thread < environment_.threads; ++thread) {
      marks.emplace_back(environment_.memory, nodes_, "a mark per node and thread");
    }
    core::Phase phase(environment_.progress, "count", nodes_, "nodes");
    std::atomic<std::size_t> next{0};
    core::run_on_threads(environment_.threads, [&](unsigned thread) {
      for (std::size_t first = 0; (first = next.fetch_add(nodes_at_a_time)) < nodes_;) {
        const std::size_t last = std::min(first + nodes_at_a_time, nodes_);
        for (std::size_t u = first; u < last; ++u) count_at(u, marks[thread].data());
        phase.advance(last - first);
      }
    });
  }

  /// The triangles whose two sides are on the list of u.
  void count_at(std::size_t u, std::uint8_t* mark) {
    for (std::uint64_t i = begin(u); i < ends_[u]; ++i) mark[targets_[i]] = arcs_[i];
    std::uint64_t at_u = 0;
    for (std::uint64_t i = begin(u); i < ends_[u]; ++i) {
      const auto v = static_cast<std::size_t>(targets_[i]);
      std::uint64_t at_v = 0;
      for (std::uint64_t j = begin(v); j < ends_[v]; ++j) {
        const std::uint8_t marked = mark[targets_[j]];
        if (marked == 0) continue;
        at_u += arcs_[j];
        at_v += marked;
        add(counts_[targets_[j]], std::uint64_t{arcs_[i]});
      }
      if (at_v > 0) add(counts_[v], at_v);
    }
    if (at_u > 0) add(counts_[u], at_u);
    for (std::uint64_t i = begin(u); i < ends_[u]; ++i) mark[targets_[i]] = 0;
  }

  core::Environment& environment_;
  const std::size_t nodes_;
  core::Array<std::uint64_t> counts_;
  core::Array<std::uint32_t> degrees_;
  core::Array<std::uint64_t> ends_;
  core::Array<Id> targets_;
  core::Array<std::uint8_t> arcs_;
};

template <class Id>
std::string compare(format::NodeReader& values, const ArcCount<Id>& counts, std::uint64_t nodes) {
  std::uint64_t node = 0;
  for (auto batch = values.next(); !batch.empty(); batch = values.next()) {
    for (const std::uint64_t bits : batch) {
      if (node == nodes) {
        return "found a value for node " + std::to_string(node) + ", expected values for the nodes below it";
      }
      const auto found = std::bit_cast<double>(bits);
      const auto pairs =
          static_cast<double>(counts.degree(node)) * (static_cast<double>(counts.degree(node)) - 1);
      const double expected = pairs > 0 ? static_cast<double>(counts.arcs(node)) / pairs : 0;
      if (!(std::abs(found - expected) <= std::numeric_limits<double>::epsilon())) {
        return "node " + std::to_string(node) + ": found " + core::format_real(found) + ", expected " +
               core::format_real(expected) + ": " + std::to_string(counts.arcs(node)) + " arcs between " +
               std::to_string(counts.degree(node)) + " neighbours";
      }
      ++node;
    }
  }
  if (node == nodes) return "";
  return "found values for " + std::to_string(node) + " nodes, expected " + std::to_string(nodes);
}

/// Calls push(smaller id, 2 · larger id + whether the arc leads to the smaller one) for each arc.
struct TaggedArcs {
  bool directed;
  void operator()(std::uint64_t a, std::uint64_t b, auto&& push) const {
    if (a != b) push(std::min(a, b), 2 * std::max(a, b) + (directed && a > b ? 1 : 0));
  }
};

prepare::SortSpec check_sort(const std::optional<std::uint64_t>& declared) {
  prepare::SortSpec spec{.unique = true};
  if (declared) spec.ends_below = core::size_product(*declared, 2);
  return spec;
}

/// The bytes of Pairs.
template <class Id>
std::uint64_t pairs_bytes(std::uint64_t nodes, std::uint64_t arcs) {
  return core::size_sum(core::size_product(nodes, 8), core::size_product(arcs, sizeof(Id) + 1));
}

/// Throws MemoryLimitError unless pairs and counts, after the sort, fit in the `free` bytes.
template <class Id>
void require_check_memory(const core::Environment& environment, std::size_t free, std::uint64_t nodes,
                          std::uint64_t arcs) {
  const std::uint64_t lists = pairs_bytes<Id>(nodes, arcs);
  const std::uint64_t counts_bytes = ArcCount<Id>::bytes_for(nodes, arcs, environment.threads);
  const std::uint64_t need = core::size_sum(lists, std::max<std::uint64_t>(free / 3, counts_bytes));
  if (need <= free) return;
  const std::uint64_t least = core::size_sum(std::max(lists / 2 * 3, core::size_sum(lists, counts_bytes)),
                                             environment.memory.limit() - free, 3 * core::MiB);
  throw missing_check_memory("coefficients", need, nodes, arcs, least);
}

/// Calls `body` with keys for ids and twice ids.
template <class Id, class Body>
auto with_tagged_keys(const std::optional<std::uint64_t>& declared, Body&& body) {
  const unsigned bits = (declared ? prepare::bits_for_nodes(*declared) : 8 * sizeof(Id)) + 1;
  if (bits <= 32) return body(prepare::EdgeKeys<std::uint64_t>{bits});
  return body(prepare::EdgeKeys<core::uint128>{std::min(bits, 64U)});
}

/// Keys (smaller id, 2 · larger id + whether the arc leads to the smaller one).
template <class Id, core::IntegerKey Key>
Verdict check_with_keys(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& values,
                        const CheckOptions& options, const std::optional<std::uint64_t>& declared,
                        const prepare::EdgeKeys<Key>& keys) {
  const bool directed = options.directed;
  const std::size_t free = environment.memory.available();
  auto sorted =
      prepare::sort_edges(prepare::sort_input(environment, edges, declared), keys, check_sort(declared),
                          TaggedArcs{directed}, [&](unsigned) { return free / 3; });
  Verdict verdict;
  verdict.nodes = sorted.read().nodes(declared);
  verdict.edges = sorted.read().edges;
  const auto nodes = static_cast<std::size_t>(verdict.nodes);
  const auto most_pairs = static_cast<std::size_t>(prepare::most_kept_edges(nodes, sorted.records(), false));
  require_check_memory<Id>(environment, free, nodes, most_pairs);
  Pairs<Id> pairs{{environment.memory, nodes, "8 bytes per node"},
                  {environment.memory, most_pairs, "an id per edge"},
                  {environment.memory, most_pairs, "a byte per edge"}};
  {
    core::Phase phase(environment.progress, "sort", sorted.records(), "edges");
    std::size_t opened = 0;
    std::size_t filled = 0;
    std::uint64_t last_low = ~std::uint64_t{0};
    std::uint64_t last_high = 0;
    sorted.for_each(phase, [&](std::uint64_t low, std::uint64_t tagged) {
      for (; opened < low; ++opened) pairs.ends[opened] = filled;
      if (low == last_low && tagged / 2 == last_high) {
        pairs.arcs[filled - 1] = 2;
        return;
      }
      last_low = low;
      last_high = tagged / 2;
      pairs.larger[filled] = static_cast<Id>(last_high);
      pairs.arcs[filled++] = directed ? 1 : 2;
    });
    for (; opened < nodes; ++opened) pairs.ends[opened] = filled;
  }
  sorted.close();
  const ArcCount<Id> counts(environment, pairs);
  const core::Phase phase(environment.progress, "check", 0, "nodes");
  verdict.message = compare(values, counts, verdict.nodes);
  verdict.ok = verdict.message.empty();
  return verdict;
}

// Measured on random graphs beside the run.
constexpr prepare::ListCosts list_costs{
    .edge_nanoseconds = 35, .misses = 3, .mark_nanoseconds = 3.3, .node_nanoseconds = 40};

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& values,
              const CheckOptions& options) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  return with_tagged_keys<Id>(declared, [&](const auto& keys) {
    return check_with_keys(environment, edges, values, options, declared, keys);
  });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
  const std::uint64_t count = size.edges.value_or(0);
  const std::uint64_t most = prepare::most_kept_edges(nodes, count, false);
  require_check_memory<Id>(environment, environment.memory.available(), nodes, most);
  Forecast forecast;
  forecast.choice = Verdict().choice;
  const std::uint64_t lists = pairs_bytes<Id>(nodes, most);
  const prepare::KeptEdges kept{
      lists, core::size_sum(lists, ArcCount<Id>::bytes_for(nodes, most, environment.threads))};
  with_tagged_keys<Id>(declared, [&](const auto& keys) {
    prepare::rehearse_kept_edges(environment, edges, declared, keys, check_sort(declared),
                                 TaggedArcs{options.directed}, size, kept, forecast);
  });
  prepare::add_list_check(sample_facts(edges, count, options.directed), nodes, count, list_costs, forecast);
  return forecast;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       const CheckOptions&);

template Forecast forecast_check(core::Environment&, EdgeSource<std::uint32_t>&, const CheckOptions&,
                                 const InputSize&);
template Forecast forecast_check(core::Environment&, EdgeSource<std::uint64_t>&, const CheckOptions&,
                                 const InputSize&);

}  // namespace emgraph::graph::lcc
