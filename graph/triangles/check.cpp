// SPDX-License-Identifier: MIT
// For every edge, the common neighbours of its ends that are larger than both.
#include "graph/triangles/check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/prepare/key_sort.hpp"

namespace emgraph::graph::triangles {
namespace {

/// Larger neighbours of every node, ascending.
template <class Id>
class LargerNeighbours {
 public:
  LargerNeighbours(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t edges)
      : begins_(budget, static_cast<std::size_t>(nodes) + 1, "8 bytes per node"),
        targets_(budget, static_cast<std::size_t>(edges), "an id per edge") {}
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t edges) {
    return (nodes + 1) * sizeof(std::uint64_t) + edges * sizeof(Id) + 2 * core::page_bytes;
  }

  void add(std::uint64_t low, std::uint64_t high) {
    for (; opened_ <= low; ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
    targets_[filled_++] = static_cast<Id>(high);
  }
  void finish() {
    for (; opened_ < begins_.size(); ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
  }
  std::span<const Id> of(std::uint64_t node) const {
    const auto at = static_cast<std::size_t>(node);
    return {targets_.data() + begins_[at], static_cast<std::size_t>(begins_[at + 1] - begins_[at])};
  }
  bool has(std::uint64_t low, std::uint64_t high) const {
    const std::span<const Id> list = of(low);
    return std::binary_search(list.begin(), list.end(), static_cast<Id>(high));
  }

 private:
  core::Array<std::uint64_t> begins_;
  core::Array<Id> targets_;
  std::uint64_t opened_ = 0;
  std::size_t filled_ = 0;
};

/// Calls `visit(id)` for ids in both lists.
template <class Id, class Visit>
void for_each_common(std::span<const Id> a, std::span<const Id> b, Visit&& visit) {
  constexpr std::size_t much_longer = 16;
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() * much_longer < b.size()) {
    for (const Id id : a) {
      if (std::binary_search(b.begin(), b.end(), id)) visit(id);
    }
    return;
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) visit(a[i]);
    const bool step_a = a[i] <= b[j];
    const bool step_b = b[j] <= a[i];
    i += step_a ? 1 : 0;
    j += step_b ? 1 : 0;
  }
}

/// Adds up the triangles at every node; returns how many there are in all.
template <class Id>
std::uint64_t count_all(core::Environment& environment, const LargerNeighbours<Id>& larger,
                        std::uint64_t nodes, const core::Array<std::uint64_t>& counts) {
  constexpr std::uint64_t nodes_at_a_time = 64;
  core::Phase phase(environment.progress, "count", nodes, "nodes");
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> all{0};
  core::run_on_threads(environment.threads, [&](unsigned) {
    const auto increment = [&](std::uint64_t node, std::uint64_t amount) {
      std::atomic_ref<std::uint64_t>(counts[static_cast<std::size_t>(node)])
          .fetch_add(amount, std::memory_order_relaxed);
    };
    std::uint64_t mine = 0;
    for (std::uint64_t begin = 0; (begin = next.fetch_add(nodes_at_a_time)) < nodes;) {
      const std::uint64_t end = std::min(begin + nodes_at_a_time, nodes);
      for (std::uint64_t a = begin; a < end; ++a) {
        std::uint64_t at_a = 0;
        for (const Id b : larger.of(a)) {
          std::uint64_t here = 0;
          for_each_common<Id>(larger.of(a), larger.of(b), [&](Id c) {
            increment(c, 1);
            ++here;
          });
          if (here > 0) increment(b, here);
          at_a += here;
        }
        if (at_a > 0) increment(a, at_a);
        mine += at_a;
      }
      phase.advance(end - begin);
    }
    all.fetch_add(mine);
  });
  return all.load();
}

std::string check_counts(format::NodeReader& per_node, const core::Array<std::uint64_t>& counts) {
  std::uint64_t node = 0;
  for (auto batch = per_node.next(); !batch.empty(); batch = per_node.next()) {
    for (const std::uint64_t found : batch) {
      if (node == counts.size()) {
        return "found a count for node " + std::to_string(node) + ", expected counts for the nodes below it";
      }
      const std::uint64_t expected = counts[static_cast<std::size_t>(node)];
      if (found != expected) {
        return "node " + std::to_string(node) + ": found " + std::to_string(found) + ", expected " +
               std::to_string(expected) + " triangles";
      }
      ++node;
    }
  }
  if (node < counts.size()) {
    return "found counts for " + std::to_string(node) + " nodes, expected " + std::to_string(counts.size());
  }
  return "";
}

template <class Id>
std::string check_list(format::NodeReader& list, const LargerNeighbours<Id>& larger, std::uint64_t nodes,
                       std::uint64_t triangles) {
  using Triple = std::array<std::uint64_t, 3>;
  Triple last{};
  Triple triple{};
  std::size_t filled = 0;
  std::uint64_t count = 0;
  const auto say = [&](const std::string& what) {
    return "triple " + std::to_string(count) + ": " + std::to_string(triple[0]) + " " +
           std::to_string(triple[1]) + " " + std::to_string(triple[2]) + " " + what;
  };
  for (auto batch = list.next(); !batch.empty(); batch = list.next()) {
    for (const std::uint64_t id : batch) {
      triple[filled++] = id;
      if (filled < triple.size()) continue;
      filled = 0;
      if (triple[0] >= triple[1] || triple[1] >= triple[2]) return say("found, expected ascending ids");
      if (count > 0 && triple <= last) return say("found, expected one behind the triple before");
      if (triple[2] >= nodes || !larger.has(triple[0], triple[1]) || !larger.has(triple[0], triple[2]) ||
          !larger.has(triple[1], triple[2])) {
        return say("is no triangle of the graph");
      }
      last = triple;
      ++count;
    }
  }
  if (filled != 0) return "the list ends within a triple";
  if (count != triangles) {
    return "found " + std::to_string(count) + " triples, expected " + std::to_string(triangles);
  }
  return "";
}

/// Sorts the edges without loops and duplicates into lists, then counts.
template <class R, core::IntegerKey Key>
Verdict check_with_keys(core::Environment& environment, EdgeSource<R>& edges, format::NodeReader& per_node,
                        format::NodeReader* list, const std::optional<std::uint64_t>& declared,
                        const prepare::EdgeKeys<Key>& keys) {
  using Id = typename R::id_type;
  const auto visit = [](std::uint64_t a, std::uint64_t b, auto&& push) {
    if (a != b) push(std::min(a, b), std::max(a, b));
  };
  const std::size_t free = environment.memory.available();
  auto options = prepare::sorter_options(edges, keys, declared, visit);
  prepare::Lanes<R> lanes = prepare::open_lanes(environment, edges);
  options.threads = static_cast<unsigned>(lanes.size());
  options.memory_bytes = free / 3;
  options.unique = true;
  std::optional<prepare::EdgeSorter<R, Key>> sorter(std::in_place, environment, std::move(options));
  Verdict verdict;
  const prepare::IngestFacts read =
      prepare::fill_sorter<R, Key>(environment, edges.facts(), "distribute", std::move(lanes), declared,
                                   *sorter, prepare::take_visited(keys, visit));
  verdict.nodes = read.nodes(declared);
  verdict.edges = read.edges;

  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 56;  // more would not fit 64 bits as bytes
  const std::uint64_t counted = std::min(verdict.nodes, most_nodes);
  const std::uint64_t need = LargerNeighbours<Id>::bytes_for(counted, sorter->records()) +
                             counted * sizeof(std::uint64_t) + core::page_bytes;
  if (need > environment.memory.available()) {
    const std::uint64_t least = environment.memory.limit() - free + need / 2 * 3 + core::MiB;
    throw core::MemoryLimitError(
        "checking triangles needs " + core::format_size(need) + " for " + core::format_count(verdict.nodes) +
        " nodes and " + core::format_count(sorter->records()) + " edges; -M " +
        std::to_string(core::divide_up(least, core::MiB)) + "M is the least that would do");
  }
  const core::Array<std::uint64_t> counts(environment.memory, static_cast<std::size_t>(verdict.nodes),
                                          "8 bytes per node for counts");
  LargerNeighbours<Id> larger(environment.memory, verdict.nodes, sorter->records());
  {
    core::Phase phase(environment.progress, "sort", sorter->records(), "edges");
    for (auto batch = sorter->next(); !batch.empty(); batch = sorter->next()) {
      for (const auto& record : batch) larger.add(keys.first(record.key), keys.second(record.key));
      phase.advance(batch.size());
    }
  }
  larger.finish();
  sorter.reset();
  verdict.triangles = count_all<Id>(environment, larger, verdict.nodes, counts);
  const core::Phase phase(environment.progress, "check", 0, "nodes");
  verdict.message = check_counts(per_node, counts);
  if (verdict.message.empty() && list != nullptr) {
    verdict.message = check_list<Id>(*list, larger, verdict.nodes, verdict.triangles);
    verdict.list_is_wrong = !verdict.message.empty();
  }
  verdict.ok = verdict.message.empty();
  return verdict;
}

}  // namespace

template <class R>
Verdict check(core::Environment& environment, EdgeSource<R>& edges, format::NodeReader& per_node,
              format::NodeReader* list, const CheckOptions& options) {
  const std::optional<std::uint64_t> declared = options.nodes ? options.nodes : edges.facts().nodes;
  return prepare::with_edge_keys<typename R::id_type>(declared, [&](const auto& keys) {
    return check_with_keys(environment, edges, per_node, list, declared, keys);
  });
}

template Verdict check(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);

}  // namespace emgraph::graph::triangles
