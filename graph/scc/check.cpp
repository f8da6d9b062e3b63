// SPDX-License-Identifier: MIT
// Searches the classes from their labels along and against the edges, then removes classes that none enters.
#include "graph/scc/check.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "graph/prepare/adjacency/unpack_forecast.hpp"

namespace emgraph::graph::scc {
namespace {

std::string label_of(std::uint64_t node, std::uint64_t label) {
  return "node " + std::to_string(node) + " has the label " + std::to_string(label);
}

/// Reads a label for each node; rule 1.
template <class Id>
std::string take_labels(format::NodeReader& reader, std::span<Id> labels) {
  std::uint64_t count = 0;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    for (const std::uint64_t label : batch) {
      if (count < labels.size()) {
        if (label > count) return label_of(count, label) + ", which is larger than the node";
        labels[count] = static_cast<Id>(label);
        if (labels[label] != label) {
          return label_of(count, label) + ", but " + label_of(label, labels[label]);
        }
      }
      ++count;
    }
  }
  if (count == labels.size()) return {};
  return "there are " + std::to_string(count) + " labels for " + std::to_string(labels.size()) + " nodes";
}

/// The rows with all arcs turned round.
template <class Rows, class Id>
struct TurnedRows {
  core::Array<std::uint64_t> ends;
  core::Array<Id> targets;

  TurnedRows(core::MemoryBudget& memory, const Rows& rows, std::size_t nodes)
      : ends(memory, core::size_sum(nodes, 1), "8 bytes per node"),
        targets(memory, static_cast<std::size_t>(rows.facts().entries), "an id per edge") {
    for (std::size_t v = 0; v < nodes; ++v) {
      for (const Id target : rows.neighbours(v)) ++ends[target + std::size_t{1}];
    }
    for (std::size_t v = 0; v < nodes; ++v) ends[v + 1] += ends[v];
    // ends[v] is now the begin of row v, and its end when the row is filled.
    for (std::size_t v = 0; v < nodes; ++v) {
      for (const Id target : rows.neighbours(v)) targets[ends[target]++] = static_cast<Id>(v);
    }
  }
  std::span<const Id> neighbours(std::size_t node) const {
    return {targets.data() + (node == 0 ? 0 : ends[node - 1]), targets.data() + ends[node]};
  }
};

/// One half of rule 2. `queue`: room for an id per node.
template <class Rows, class Id>
std::string check_reached(core::MemoryBudget& memory, const Rows& rows, std::span<const Id> labels,
                          std::span<Id> queue, std::string_view failing) {
  NodeBits reached(memory, labels.size(), "a bit per node");
  std::size_t filled = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (labels[v] != v) continue;
    reached.set(v);
    queue[filled++] = static_cast<Id>(v);
  }
  for (std::size_t next = 0; next < filled; ++next) {
    const Id node = queue[next];
    for (const Id target : rows.neighbours(node)) {
      if (labels[target] != labels[node] || reached.test(target)) continue;
      reached.set(target);
      queue[filled++] = target;
    }
  }
  if (filled == labels.size()) return {};
  std::size_t v = 0;
  while (reached.test(v)) ++v;
  return label_of(v, labels[v]) + ", but " + std::string(failing) + " by edges inside the component";
}

/// Rule 3. `queue`: room for an id per node.
template <class Rows, class Id>
std::string check_acyclic(core::MemoryBudget& memory, const Rows& rows, std::span<const Id> labels,
                          std::span<Id> queue) {
  const std::size_t nodes = labels.size();
  const core::Array<std::uint64_t> entering(memory, nodes, "8 bytes per node");
  // The members of each class as a list that starts at its label.
  const core::Array<Id> next_member(memory, nodes, "an id per node");
  std::uint64_t classes = 0;
  for (std::size_t v = 0; v < nodes; ++v) {
    const Id label = labels[v];
    classes += label == v;
    next_member[v] = label == v ? label : std::exchange(next_member[label], static_cast<Id>(v));
    for (const Id target : rows.neighbours(v)) entering[labels[target]] += labels[target] != label;
  }
  std::size_t filled = 0;
  for (std::size_t v = 0; v < nodes; ++v) {
    if (labels[v] == v && entering[v] == 0) queue[filled++] = static_cast<Id>(v);
  }
  for (std::size_t next = 0; next < filled; ++next) {
    const Id label = queue[next];
    Id member = label;
    do {
      for (const Id target : rows.neighbours(member)) {
        const Id other = labels[target];
        if (other != label && --entering[other] == 0) queue[filled++] = other;
      }
      member = next_member[member];
    } while (member != label);
  }
  if (filled == classes) return {};
  std::size_t v = 0;
  while (labels[v] != v || entering[v] == 0) ++v;
  return "the components have a cycle; component " + std::to_string(v) + " is on it or behind it";
}

/// Rules 2 and 3.
template <class Id, class Rows>
std::string check_components(core::MemoryBudget& memory, const Rows& rows, std::span<const Id> labels) {
  const core::Array<Id> queue(memory, labels.size(), "an id per node");
  std::string wrong = check_reached(memory, rows, labels, queue.span(), "it is not reached from it");
  if (wrong.empty()) {
    const TurnedRows<Rows, Id> turned(memory, rows, labels.size());
    wrong = check_reached(memory, turned, labels, queue.span(), "it does not reach it");
  }
  return wrong.empty() ? check_acyclic(memory, rows, labels, queue.span()) : wrong;
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& reader,
              const CheckOptions& options) {
  Verdict verdict;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const auto rows = [&] {
    const auto built = adjacency::build_pages(environment, edges, {.directed = true, .nodes = declared});
    verdict.edges = built.edges;
    return adjacency::unpack<Id, std::uint64_t>(environment, *built.adjacency);
  }();
  verdict.nodes = rows->facts().nodes;
  const auto nodes = static_cast<std::size_t>(verdict.nodes);
  const core::Array<Id> labels(environment.memory, nodes, "an id per node");
  {
    const core::Phase phase(environment.progress, "read labels", nodes, "nodes");
    verdict.message = take_labels<Id>(reader, labels.span());
  }
  const core::Phase phase(environment.progress, "check", nodes, "nodes");
  if (verdict.message.empty())
    verdict.message = check_components<Id>(environment.memory, *rows, labels.span());
  for (std::size_t v = 0; v < nodes; ++v) verdict.components += labels[v] == v;
  verdict.ok = verdict.message.empty();
  return verdict;
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  // CPU time measured on random graphs beside the run.
  constexpr double edge_nanoseconds = 14;  // and misses
  constexpr double misses = 5;
  constexpr double node_nanoseconds = 60;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
  Forecast forecast;
  forecast.choice = Verdict().choice;
  const auto rows =
      adjacency::rehearse_unpacked(environment, edges, {.directed = true, .nodes = declared}, size, forecast);
  const auto hold = [&](std::uint64_t count, std::size_t bytes, const char* what) {
    return adjacency::hold_array(environment.memory, count, bytes, what);
  };
  const auto top_up = [&](unsigned times) {
    const std::uint64_t bytes = core::size_product(rows.further_bytes, times);
    environment.memory.raise_peak(bytes);
  };
  const core::Reservation labels = hold(nodes, sizeof(Id), "an id per node");
  const core::Reservation queue = hold(nodes, sizeof(Id), "an id per node");
  {
    const core::Reservation ends = hold(core::size_sum(nodes, 1), sizeof(std::uint64_t), "8 bytes per node");
    const core::Reservation turned = hold(rows.likely_entries, sizeof(Id), "an id per edge");
    const core::Reservation reached = hold(NodeBits::bytes_for(nodes), 1, "a bit per node");
    top_up(2);
  }
  {
    const core::Reservation entering = hold(nodes, sizeof(std::uint64_t), "8 bytes per node");
    const core::Reservation next = hold(nodes, sizeof(Id), "an id per node");
    top_up(1);
  }
  forecast.add("read labels", 0, 0, 0);
  const double edge = edge_nanoseconds + misses * miss_nanoseconds(labels.bytes());
  forecast
      .add("check", 0, 0, seconds_for(size.edges.value_or(0), edge) + seconds_for(nodes, node_nanoseconds))
      .one_thread = true;
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

}  // namespace emgraph::graph::scc
