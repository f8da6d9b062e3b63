// SPDX-License-Identifier: MIT
// Spools labels, and makes a set of the nodes that have the largest one.
#include "graph/cc/largest_component.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/block/run.hpp"
#include "graph/cc/cc.hpp"
#include "graph/prepare/relabel/relabel.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::cc {
namespace {

constexpr std::size_t spool_buffers = 2;

/// Values on the temporary disks.
template <class T>
class Spool final : public NodeSink<T> {
 public:
  explicit Spool(core::Environment& environment)
      : writer_(environment, core::small_block_bytes(environment.memory), spool_buffers) {}
  void append(std::span<const T> values) override { writer_.append(values); }
  core::Run<T> finish() { return writer_.finish(); }

 private:
  core::RunWriter<T> writer_;
};

/// Calls `take(node)` for the nodes with this label, ascending.
template <class Id, class Take>
void for_members(core::Environment& environment, core::Run<Id> labels, std::uint64_t label, Take&& take) {
  const std::uint64_t nodes = labels.records;
  core::RunReader<Id> reader(environment, std::move(labels));
  core::Phase phase(environment.progress, "read labels", nodes, "nodes");
  std::uint64_t node = 0;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    for (const Id found : batch) {
      if (found == label) take(node);
      ++node;
    }
    phase.advance(batch.size());
  }
}

/// The smallest of `nodes`, if one is below n.
std::optional<std::uint64_t> smallest(const prepare::ListedNodes& nodes, std::uint64_t n) {
  if (nodes.sorted.size() > 0 && nodes.sorted[0] < n) return nodes.sorted[0];
  for (std::uint64_t node = 0; node < std::min(n, nodes.bits.size()); ++node) {
    if (nodes.bits.test(node)) return node;
  }
  return std::nullopt;
}

/// `original_ids`: of the nodes, if these are numbers of relabel(); null otherwise. Nodes without an edge
/// have no number then, so `among` is null.
template <class Id>
prepare::ListedNodes find(core::Environment& environment, EdgeSource<Id> edges,
                          core::Run<std::uint64_t>* original_ids, const prepare::ListedNodes* among) {
  Spool<Id> spool(environment);
  const Result result = run<Id>(environment, edges, {}, &spool);
  core::Run<Id> labels = spool.finish();
  prepare::ListedNodes set;
  if (result.nodes == 0) return set;
  std::uint64_t label = result.count.largest_label;
  if (result.count.largest_component == 1 && among != nullptr) {
    const auto first = smallest(*among, result.nodes);
    if (!first) return set;
    label = *first;
  }
  if (original_ids == nullptr) {
    set.bits = NodeBits(environment.memory, result.nodes, "a bit per node of the largest component");
    for_members(environment, std::move(labels), label, [&](std::uint64_t node) { set.bits.set(node); });
    return set;
  }
  set.sorted = core::Array<std::uint64_t>(environment.memory, result.count.largest_component,
                                          "ids of the largest component");
  core::RunReader<std::uint64_t> ids(environment, std::move(*original_ids));
  std::span<const std::uint64_t> block = ids.next();
  std::uint64_t first = 0;  // node of the first id of the block
  std::size_t filled = 0;
  for_members(environment, std::move(labels), label, [&](std::uint64_t node) {
    for (; node - first >= block.size(); block = ids.next()) first += block.size();
    set.sorted[filled++] = block[node - first];
  });
  return set;
}

prepare::ListedNodes find_any(core::Environment& environment, std::shared_ptr<RecordSource> edges,
                              const EdgeFacts& facts, core::Run<std::uint64_t>* original_ids,
                              const prepare::ListedNodes* among) {
  if (facts.layout.id_bytes == 4) {
    return find<std::uint32_t>(environment, {std::move(edges), facts, 0}, original_ids, among);
  }
  return find<std::uint64_t>(environment, {std::move(edges), facts, 0}, original_ids, among);
}

Forecast forecast_any(core::Environment& environment, const std::shared_ptr<RecordSource>& edges,
                      const EdgeFacts& facts, const InputSize& size) {
  if (facts.layout.id_bytes == 4) {
    EdgeSource<std::uint32_t> narrow(edges, facts, 0);
    return cc::forecast<std::uint32_t>(environment, narrow, {}, size);
  }
  EdgeSource<std::uint64_t> wide(edges, facts, 0);
  return cc::forecast<std::uint64_t>(environment, wide, {}, size);
}

}  // namespace

core::Reservation forecast_largest_component(core::Environment& environment,
                                             const std::shared_ptr<RecordSource>& edges,
                                             const EdgeFacts& facts, const InputSize& size,
                                             Forecast& forecast) {
  constexpr double read_nanoseconds = 4;  // per label, an estimate
  const std::uint64_t nodes = size.nodes.value_or(0);
  const std::uint64_t labels = core::size_product(nodes, facts.layout.id_bytes);
  const core::Reservation spool =
      environment.memory.reserve_up_to(spool_buffers * core::small_block_bytes(environment.memory));
  Forecast components = forecast_any(environment, edges, facts, size);
  components.phases.push_back({.name = "read labels",
                               .temporary_bytes = core::size_product(labels, 2),
                               .cpu_seconds = seconds_for(nodes, read_nanoseconds),
                               .one_thread = true});
  forecast.phases = std::move(components.phases);
  forecast.notes = std::move(components.notes);
  forecast.temporary = components.temporary;
  if (forecast.temporary) {
    const std::uint64_t blocks = 2 * core::small_block_bytes(environment.memory);
    forecast.temporary->add({.most_bytes = core::size_sum(labels, blocks), .expected_bytes = labels});
  }
  return environment.memory.reserve_up_to(NodeBits::bytes_for(nodes));
}

prepare::ListedNodes largest_component(core::Environment& environment, std::shared_ptr<RecordSource> edges,
                                       const EdgeFacts& facts, bool sparse,
                                       const prepare::ListedNodes* among) {
  if (!sparse) return find_any(environment, std::move(edges), facts, nullptr, among);
  Spool<std::uint64_t> spool(environment);
  const relabel::Relabelled numbered =
      relabel::relabel(environment, std::move(edges), facts, {.max_lanes = environment.threads}, &spool);
  core::Run<std::uint64_t> ids = spool.finish();
  return find_any(environment, numbered.source, numbered.source->facts(), &ids, nullptr);
}

}  // namespace emgraph::graph::cc
