// SPDX-License-Identifier: MIT
// Compares the labels with the checker's own links.
#include "graph/cc/check.hpp"

#include <algorithm>
#include <utility>

#include "core/memory/growing_array.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::cc {
namespace {

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

/// A label and a link per node, adjacent because every edge needs both.
template <class Id>
struct Node {
  Id label;
  Id link;  ///< a smaller node of the same component, or itself
};

/// The root that the links of v lead to. Shortens the links.
template <class Id>
Id smallest_linked(Node<Id>* nodes, Id v) {
  Id root = v;
  while (nodes[root].link != root) root = nodes[root].link;
  while (nodes[v].link != root) v = std::exchange(nodes[v].link, root);
  return root;
}

/// Reads the labels; returns what is wrong with them without regard to the edges. `count` becomes their
/// number.
template <class Id>
std::string take_labels(core::Environment& environment, core::GrowingArray<Node<Id>>& nodes,
                        format::NodeReader& labels, std::uint64_t most, std::uint64_t& count) {
  core::Phase phase(environment.progress, "read labels", labels.count().value_or(0), "nodes");
  for (auto batch = labels.next(); !batch.empty(); batch = labels.next()) {
    if (batch.size() > most - count) {
      return "there are more than " + number(most) + " labels, the number of nodes";
    }
    nodes.reach(count + batch.size());
    for (const std::uint64_t label : batch) {
      if (label > count) {
        return "node " + number(count) + " has the label " + number(label) + ", which is not its smallest id";
      }
      nodes[count] = {static_cast<Id>(label), static_cast<Id>(count)};
      const std::uint64_t next = nodes[label].label;
      if (next != label) {
        return "node " + number(count) + " has the label " + number(label) + ", but node " + number(label) +
               " has the label " + number(next);
      }
      ++count;
    }
    phase.advance(batch.size());
  }
  return {};
}

/// Links the ends of an edge. False if their labels are wrong.
template <class Id>
bool take_edge(Node<Id>* nodes, std::uint64_t count, const Edge<Id>& edge) {
  if (std::max(edge.source, edge.target) >= count) return false;
  if (nodes[edge.source].label != nodes[edge.target].label) return false;
  const Id a = smallest_linked(nodes, edge.source);
  const Id b = smallest_linked(nodes, edge.target);
  nodes[std::max(a, b)].link = std::min(a, b);
  return true;
}

/// What is wrong with the labels of the ends of edge number `number_of_edge`.
template <class Id>
std::string wrong_edge(const Node<Id>* nodes, std::uint64_t count, const Edge<Id>& edge,
                       std::uint64_t number_of_edge) {
  const std::string name =
      "edge " + number(number_of_edge) + " (" + number(edge.source) + ", " + number(edge.target) + ")";
  const std::uint64_t larger = std::max(edge.source, edge.target);
  if (larger >= count) {
    return "node " + number(larger) + " of " + name + " has no label: there are " + number(count);
  }
  return name + " joins nodes with the labels " + number(nodes[edge.source].label) + " and " +
         number(nodes[edge.target].label);
}

/// Compares the labels with the links of all edges; returns what is wrong. Counts the components.
template <class Id>
std::string compare_with_links(Node<Id>* nodes, std::uint64_t count, std::uint64_t& components) {
  for (std::uint64_t v = 0; v < count; ++v) {
    const Id smallest = smallest_linked(nodes, static_cast<Id>(v));
    if (smallest == v) ++components;
    if (smallest == nodes[v].label) continue;
    return "node " + number(v) + " has the label " + number(nodes[v].label) +
           ", but no path leads there: the smallest id of its component is " + number(smallest);
  }
  return {};
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& labels,
              const CheckOptions& options) {
  Verdict verdict;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  prepare::Lanes<Id> lanes;
  lanes.push_back(edges.lane());

  // Address space for as many nodes as memory can hold; if more are declared, for those, so that the error
  // names them.
  const std::uint64_t promised = declared.value_or(labels.count().value_or(0));
  const std::uint64_t most = declared.value_or(std::uint64_t{1} << (sizeof(Id) == 4 ? 32 : 40));
  const std::uint64_t addressable = std::min(most, std::uint64_t{1} << 40);
  static_assert(sizeof(Node<Id>) == checked_node_bytes(sizeof(Id)));
  core::GrowingArray<Node<Id>> nodes(environment.memory, addressable, "a label and a link per node");
  if (promised <= most) nodes.reach(std::min(promised, addressable));
  verdict.nodes = declared.value_or(0);
  std::uint64_t count = 0;
  verdict.message = take_labels(environment, nodes, labels, most, count);
  if (!verdict.message.empty()) return verdict;
  if (declared && count != *declared) {
    verdict.message = "there are " + number(count) + " labels for " + number(*declared) + " nodes";
    return verdict;
  }

  core::Phase phase(environment.progress, "check", edges.facts().edges.value_or(0), "edges");
  const auto look = [&](unsigned, std::span<const Edge<Id>> batch) {
    if (!verdict.message.empty()) return;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Edge<Id>& edge = batch[i];
      if (take_edge(nodes.data(), count, edge)) continue;
      verdict.message = wrong_edge(nodes.data(), count, edge, lanes[0].first_edge() + i);
      return;
    }
  };
  const prepare::IngestFacts read = prepare::ingest(lanes, edges.facts().name, declared, phase, look);
  verdict.edges = read.edges;
  verdict.nodes = read.nodes(declared);
  if (!verdict.message.empty()) return verdict;
  if (count != verdict.nodes) {
    verdict.message = "there are " + number(count) + " labels for " + number(verdict.nodes) + " nodes";
    return verdict;
  }
  verdict.message = compare_with_links(nodes.data(), count, verdict.components);
  verdict.ok = verdict.message.empty();
  return verdict;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       const CheckOptions&);

}  // namespace emgraph::graph::cc
