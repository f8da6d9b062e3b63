// SPDX-License-Identifier: MIT
// Spools labels, and sorts them with their nodes.
#include "graph/cc/component_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/progress.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::cc {
namespace {

constexpr std::size_t lists_spool_buffers = 2;
constexpr std::size_t lists_batch_values = 8192;
/// CPU time of all threads together, per node. Measured with scripts/bench_plan.py.
constexpr double sort_members_nanoseconds = 32;
constexpr double list_members_nanoseconds = 32;

unsigned lists_bits(std::uint64_t nodes) {
  // Sizes go up to n, so they need the bits of n + 1 values.
  return prepare::bits_for_nodes(nodes + 1);
}

/// Collects rows of two values for a sink.
template <class T>
class RowBatch {
 public:
  explicit RowBatch(NodeSink<T>* sink) : sink_(sink) {
    if (sink_ != nullptr) values_.reserve(lists_batch_values);
  }
  void add(std::uint64_t first, std::uint64_t second) {
    if (sink_ == nullptr) return;
    values_.push_back(static_cast<T>(first));
    values_.push_back(static_cast<T>(second));
    if (values_.size() == lists_batch_values) flush();
  }
  void flush() {
    if (sink_ != nullptr && !values_.empty()) sink_->append(values_);
    values_.clear();
  }

 private:
  NodeSink<T>* sink_;
  std::vector<T> values_;
};

}  // namespace

template <class Id>
ComponentLists<Id>::ComponentLists(core::Environment& environment, NodeSink<Id>* next)
    : environment_(environment),
      next_(next),
      spool_(std::in_place, environment, core::small_block_bytes(environment.memory), lists_spool_buffers) {}

template <class Id>
void ComponentLists<Id>::append(std::span<const Id> labels) {
  if (next_ != nullptr) next_->append(labels);
  spool_->append(labels);
}

template <class Id>
void ComponentLists<Id>::finish(NodeSink<std::uint64_t>* sizes, NodeSink<Id>* groups) {
  core::Run<Id> labels = spool_->finish();
  spool_.reset();
  if (labels.records == 0) return;
  const unsigned bits = lists_bits(labels.records);
  if (2 * bits <= 64) {
    list<std::uint64_t>(std::move(labels), sizes, groups, bits);
  } else {
    list<core::uint128>(std::move(labels), sizes, groups, bits);
  }
}

template <class Id>
template <class Key>
void ComponentLists<Id>::list(core::Run<Id> labels, NodeSink<std::uint64_t>* sizes, NodeSink<Id>* groups,
                              unsigned bits) {
  const std::uint64_t nodes = labels.records;
  const prepare::EdgeKeys<Key> keys{bits};
  const Key last = keys.make(nodes, nodes);
  core::RunReader<Id> reader(environment_, std::move(labels), lists_spool_buffers - 1);
  // The sorter of the sizes needs memory while the other is read.
  const std::size_t free = environment_.memory.available() / 8 * 7;
  core::SerialSort<Key> members(environment_, last, nodes, sizes == nullptr ? free : free / 8 * 5);
  {
    core::Phase phase(environment_.progress, "sort members", nodes, "nodes");
    std::uint64_t node = 0;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const Id label : batch) members.push(keys.make(label, node++));
      phase.advance(batch.size());
    }
    members.start();
  }
  std::optional<core::SerialSort<Key>> by_size;
  if (sizes != nullptr) by_size.emplace(environment_, last, nodes, free / 8 * 3);
  {
    core::Phase phase(environment_.progress, "list members", nodes, "nodes");
    RowBatch<Id> rows(groups);
    while (!members.at_end()) {
      const std::uint64_t label = keys.first(members.key());
      std::uint64_t size = 0;
      for (; !members.at_end() && keys.first(members.key()) == label; members.next(), ++size) {
        rows.add(label, keys.second(members.key()));
      }
      if (by_size) by_size->push(keys.make(nodes - size, label));
      phase.advance(size);
    }
    rows.flush();
  }
  if (!by_size) return;
  by_size->start();
  RowBatch<std::uint64_t> rows(sizes);
  for (; !by_size->at_end(); by_size->next()) {
    rows.add(keys.second(by_size->key()), nodes - keys.first(by_size->key()));
  }
  rows.flush();
}

template <class Id>
void ComponentLists<Id>::rehearse(std::uint64_t nodes, bool sizes, Forecast& forecast) {
  spool_.reset();
  if (nodes == 0) return;
  const unsigned bits = lists_bits(nodes);
  2 * bits <= 64 ? rehearse_lists<std::uint64_t>(nodes, sizes, bits, forecast)
                 : rehearse_lists<core::uint128>(nodes, sizes, bits, forecast);
}

template <class Id>
template <class Key>
void ComponentLists<Id>::rehearse_lists(std::uint64_t nodes, bool sizes, unsigned bits, Forecast& forecast) {
  const Key last = prepare::EdgeKeys<Key>{bits}.make(nodes, nodes);
  const std::size_t block = core::small_block_bytes(environment_.memory);
  const core::Reservation reader = environment_.memory.reserve_up_to(2 * block);
  const std::size_t free = environment_.memory.available() / 8 * 7;
  core::SerialSort<Key> members(environment_, last, nodes, sizes ? free / 8 * 5 : free, {}, true);
  const core::SpillForecast spill = members.rehearse_distribution(nodes);
  core::SpillForecast by_size_spill;
  if (sizes) {
    core::SerialSort<Key> by_size(environment_, last, nodes, free / 8 * 3, {}, true);
    by_size_spill = by_size.rehearse_distribution(nodes);
    members.rehearse_sorting(nodes);
    by_size.rehearse_sorting(nodes);
  } else {
    members.rehearse_sorting(nodes);
  }
  const std::uint64_t labels = core::size_product(nodes, sizeof(Id));
  if (forecast.temporary) {
    core::SpillForecast& space = *forecast.temporary;
    // The labels come while the solver still has its data, and are freed as they are sorted. There may be as
    // many components as nodes; most graphs have few.
    const std::uint64_t beside = core::size_sum(space.most_bytes, labels, 2 * block);
    space.cover(std::max(beside, peak_while_sort_is_read(spill.most_bytes, spill.whole_bytes,
                                                         by_size_spill.most_bytes)),
                std::max(labels, spill.expected_bytes));
  }
  forecast.phases.push_back(
      {.name = "sort members",
       .temporary_bytes = core::size_sum(core::size_product(2, labels), spill.expected_bytes),
       .cpu_seconds = seconds_for(nodes, sort_members_nanoseconds)});
  forecast.phases.push_back({.name = "list members",
                             .temporary_bytes = spill.expected_bytes,
                             .cpu_seconds = seconds_for(nodes, list_members_nanoseconds)});
}

template class ComponentLists<std::uint32_t>;
template class ComponentLists<std::uint64_t>;

}  // namespace emgraph::graph::cc
