// SPDX-License-Identifier: MIT
// Rounds of contraction, a search of what is left, and the rounds backwards.
#include "graph/scc/external.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/node_bits.hpp"
#include "graph/scc/node_search.hpp"

namespace emgraph::graph::scc {

template <core::IntegerKey Key>
External<Key>::External(core::Environment& environment, std::uint64_t nodes, std::uint64_t arcs,
                        const PairSample& sample, const Parameters& parameters)
    : environment_(environment),
      parameters_(parameters),
      base_(environment, nodes),
      rounds_(base_, arcs, sample) {}

template <core::IntegerKey Key>
typename External<Key>::Pairs External<Key>::run() {
  contract();
  Pairs labels = search_rest();
  {
    core::Phase phase(environment_.progress, "expand", rounds_.rounds(), "rounds");
    while (rounds_.rounds() > 0) {
      labels = rounds_.expand(std::move(labels));
      phase.advance(1);
    }
  }
  return smallest_labels(std::move(labels));
}

template <core::IntegerKey Key>
void External<Key>::contract() {
  constexpr unsigned most_slow_rounds = 2;
  core::Phase phase(environment_.progress, "contract", 0, "edges");
  unsigned slow_rounds = 0;
  do {
    const std::uint64_t arcs = rounds_.contract();
    ++passes_;
    phase.advance(arcs);
    const auto above = [&](std::uint64_t share) { return rounds_.arcs_left() > arcs / 64 * share; };
    // Searches by scans need many of them where paths are long, but there contraction does well.
    if (!fits() && above(48) && rounds_.search_bytes() <= environment_.memory.available() / 2) {
      rounds_.contract_around();
      ++passes_;
    }
    if (fits() && rounds_.rounds() >= parameters_.least_rounds) return;
    slow_rounds = above(63) ? slow_rounds + 1 : 0;
    if (slow_rounds > most_slow_rounds && !fits()) refuse();
  } while (rounds_.arcs_left() > 0);
}

template <core::IntegerKey Key>
bool External<Key>::fits() const {
  const std::uint64_t nodes = rounds_.nodes_left();
  const std::uint64_t arcs = rounds_.arcs_left();
  const std::size_t free = environment_.memory.available();
  return nodes < std::numeric_limits<LocalId>::max() &&
         std::min(search_bytes<LocalId>(nodes, arcs, base_.block_bytes()),
                  least_pass_bytes<LocalId>(nodes, arcs, base_.block_bytes())) <= free;
}

template <core::IntegerKey Key>
void External<Key>::refuse() const {
  const std::uint64_t nodes = rounds_.nodes_left();
  const std::uint64_t need = least_pass_bytes<LocalId>(nodes, rounds_.arcs_left(), base_.block_bytes());
  const std::uint64_t used = environment_.memory.limit() - environment_.memory.available();
  throw core::MemoryLimitError(
      "contraction has left " + core::format_count(nodes) + " of " + core::format_count(base_.nodes()) +
      " nodes, for which strongly connected components need " + core::format_size(need) + "; " +
      core::memory_option(core::size_sum(need, used, core::MiB)) + " would do");
}

/// The nodes with arcs, ascending, each once. By a bit per node if these fit; a sort would take more space
/// than the arcs.
template <core::IntegerKey Key>
typename External<Key>::Pairs External<Key>::ends_of(const Pairs& arcs) const {
  auto ids = base_.writer();
  if (NodeBits::bytes_for(base_.nodes()) <= environment_.memory.available() / 4) {
    NodeBits ends(environment_.memory, base_.nodes(), "a bit per node");
    for (auto arc = base_.read(arcs); !arc.at_end(); arc.next()) {
      ends.set(base_.first(*arc));
      ends.set(base_.second(*arc));
    }
    for (std::uint64_t node = 0; node < base_.nodes(); ++node) {
      if (ends.test(node)) ids.push(base_.pair(node, 0));
    }
    return ids.finish();
  }
  auto sorted = base_.sorter(2 * arcs.records);
  for (auto arc = base_.read(arcs); !arc.at_end(); arc.next()) {
    sorted.push(base_.pair(base_.first(*arc), 0));
    sorted.push(base_.pair(base_.second(*arc), 0));
  }
  sorted.start();
  while (!sorted.at_end()) {
    const Key key = sorted.key();
    ids.push(key);
    while (!sorted.at_end() && sorted.key() == key) sorted.next();
  }
  return ids.finish();
}

/// The labels of the nodes that are left. Numbers them without gaps, searches, and names them again.
template <core::IntegerKey Key>
typename External<Key>::Pairs External<Key>::search_rest() {
  Pairs& arcs = rounds_.arcs();
  if (arcs.records == 0) return {};
  const Pairs ids = ends_of(arcs);
  auto store = std::make_unique<EdgeStore<LocalId>>(environment_, 0, base_.block_bytes());
  store_numbered(arcs, ids, *store);
  const auto nodes = ids.records;
  const bool at_once =
      store->edges() <= parameters_.most_batch &&
      search_bytes<LocalId>(nodes, store->edges(), base_.block_bytes()) <= environment_.memory.available();
  NodeSearch<LocalId> search(environment_, nodes, base_.block_bytes(), parameters_.most_batch);
  if (at_once) {
    search.search_all(*store, store->edges());
    store.reset();
  } else {
    search.search_in_batches(store, store->edges(), false);
  }
  passes_ += search.passes();
  search.sets().flatten(0, nodes);
  return name_sets(search.sets().steps(), ids);
}

/// Moves the arcs to the store, their ends replaced by their places among the ids.
template <core::IntegerKey Key>
void External<Key>::store_numbered(Pairs& arcs, const Pairs& ids, EdgeStore<LocalId>& store) const {
  auto by_target = base_.sorter(arcs.records);
  // Replaces the first ids by numbers.
  const auto number = [&](auto& sorted, auto&& take) {
    std::uint64_t next = 0;
    auto id = base_.read(ids);
    for (; !sorted.at_end(); sorted.next()) {
      for (; base_.first(*id) < base_.first(sorted.key()); id.next()) ++next;
      take(next, base_.second(sorted.key()));
    }
  };
  {
    auto by_source = base_.sorter(arcs.records);
    for (auto arc = base_.consume(arcs); !arc.at_end(); arc.next()) by_source.push(*arc);
    by_source.start();
    number(by_source,
           [&](std::uint64_t source, std::uint64_t target) { by_target.push(base_.pair(target, source)); });
  }
  by_target.start();
  std::array<Edge<LocalId>, 1024> batch;
  std::size_t filled = 0;
  number(by_target, [&](std::uint64_t target, std::uint64_t source) {
    batch[filled++] = {static_cast<LocalId>(source), static_cast<LocalId>(target)};
    if (filled == batch.size()) store.append(std::span(batch.data(), std::exchange(filled, 0)));
  });
  store.append(std::span(batch.data(), filled));
  store.finish();
}

/// The labels: the id of the root of each set for its other members. `steps`: how far before each number that
/// of its root is.
template <core::IntegerKey Key>
typename External<Key>::Pairs External<Key>::name_sets(std::span<const LocalId> steps,
                                                       const Pairs& ids) const {
  auto by_node = base_.sorter(ids.records);
  {
    auto by_root = base_.sorter(ids.records);
    auto id = base_.read(ids);
    for (std::uint64_t i = 0; i < ids.records; ++i, id.next()) {
      const std::uint64_t step = steps[static_cast<std::size_t>(i)];
      if (step > 0) by_root.push(base_.pair(i - step, base_.first(*id)));
    }
    by_root.start();
    name_roots(by_root, ids, by_node);
  }
  by_node.start();
  auto labels = base_.writer();
  for (; !by_node.at_end(); by_node.next()) labels.push(by_node.key());
  return labels.finish();
}

/// From (number of the root, node) to (node, root).
template <core::IntegerKey Key>
void External<Key>::name_roots(Sorter& by_root, const Pairs& ids, Sorter& by_node) const {
  std::uint64_t number = 0;
  auto id = base_.read(ids);
  for (; !by_root.at_end(); by_root.next()) {
    for (; number < base_.first(by_root.key()); ++number) id.next();
    by_node.push(base_.pair(base_.second(by_root.key()), base_.first(*id)));
  }
}

/// From any node of a component as its label to the smallest, and counts the components.
template <core::IntegerKey Key>
typename External<Key>::Pairs External<Key>::smallest_labels(Pairs labels) {
  const std::uint64_t merged = parameters_.root_nodes - 1;  // into the root
  components_ = base_.nodes() - labels.records - merged;
  single_nodes_ = components_ - (merged > 0 ? 1 : 0);
  largest_ = parameters_.root_nodes;
  auto by_node = base_.sorter(labels.records);
  {
    auto by_label = base_.sorter(labels.records);
    for (auto label = base_.consume(labels); !label.at_end(); label.next()) {
      by_label.push(base_.pair(base_.second(*label), base_.first(*label)));
    }
    by_label.start();
    while (!by_label.at_end()) {
      const std::uint64_t chosen = base_.first(by_label.key());
      const std::uint64_t smallest = std::min(chosen, base_.second(by_label.key()));
      if (chosen != smallest) by_node.push(base_.pair(chosen, smallest));
      std::uint64_t members = 1;
      bool has_root = chosen == parameters_.root;
      for (; !by_label.at_end() && base_.first(by_label.key()) == chosen; by_label.next(), ++members) {
        const std::uint64_t node = base_.second(by_label.key());
        has_root |= node == parameters_.root;
        if (node != smallest) by_node.push(base_.pair(node, smallest));
      }
      if (has_root) members += merged;
      if (merged == 0 || !has_root) --single_nodes_;
      largest_ = std::max(largest_, members);
    }
  }
  by_node.start();
  auto smallest = base_.writer();
  for (; !by_node.at_end(); by_node.next()) smallest.push(by_node.key());
  return smallest.finish();
}

template class External<std::uint64_t>;
template class External<core::uint128>;

}  // namespace emgraph::graph::scc
