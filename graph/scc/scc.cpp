// SPDX-License-Identifier: MIT
// From edges to labels: keeps the edges, chooses the model, contracts, and sends labels and condensation.
#include "graph/scc/scc.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/scc/choice.hpp"
#include "graph/scc/edge_store.hpp"
#include "graph/scc/external.hpp"
#include "graph/scc/node_search.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::scc {
namespace {

template <class Id>
class Job {
 public:
  Job(core::Environment& environment, EdgeSource<Id>& source, const Options& options)
      : environment_(environment),
        source_(source),
        options_(options),
        declared_(declared_nodes<Id>(options.nodes, source.facts())),
        memory_bytes_(environment.memory.available()),
        block_bytes_(edge_block_bytes(memory_bytes_)) {}

  Result run(NodeSink<Id>* labels, ArcSink<Id>* condensation) {
    read();
    if (labels != nullptr) labels->expect(result_.nodes);
    if (result_.nodes == 0) {
      result_.choice = {MemoryModel::internal, "there are no nodes"};
      return result_;
    }
    choose();
    if (result_.choice.model != MemoryModel::external) {
      solve_in_memory(labels, condensation);
    } else if (prepare::bits_for_nodes(result_.nodes) <= 32) {
      solve_externally<std::uint64_t>(labels, condensation);
    } else if constexpr (sizeof(Id) == 8) {
      solve_externally<core::uint128>(labels, condensation);
    }
    return result_;
  }

 private:
  void read() {
    const EdgeFacts& facts = source_.facts();
    core::Phase phase(environment_.progress, "read", facts.edges.value_or(0), "edges");
    const prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
    const std::uint64_t most =
        most_in_memory<Id>(options_, facts, declared_, block_bytes_, environment_.memory.available());
    store_ = std::make_unique<EdgeStore<Id>>(environment_, most, block_bytes_);
    constexpr std::size_t portion = 4096;
    std::vector<std::vector<Edge<Id>>> portions(lanes.size());
    const auto read =
        prepare::ingest(lanes, facts.name, declared_, phase, [&](unsigned thread, const auto& batch) {
          std::vector<Edge<Id>>& edges = portions[thread];
          for (const Edge<Id>& edge : batch) {
            if (edge.source == edge.target) continue;
            edges.push_back(edge);
            if (edges.size() < portion) continue;
            store_->append(edges);
            edges.clear();
          }
        });
    for (const auto& edges : portions) store_->append(edges);
    store_->finish();
    result_.nodes = read.nodes(declared_);
    result_.edges = read.edges;
    require_justified(facts, options_.nodes, result_.nodes, result_.edges);
    if (result_.nodes >= std::numeric_limits<Id>::max()) {
      throw format::IdTooWide(core::DataError(facts.name + ": " + core::format_count(result_.nodes) +
                                              " nodes found, expected fewer with ids of this width"));
    }
  }

  void choose() {
    const std::uint64_t nodes = result_.nodes;
    const std::uint64_t edges = store_->edges();
    if (store_->in_memory() && search_bytes<Id>(nodes, edges) > environment_.memory.available()) {
      store_->spill();
    }
    result_.choice = choose_model<Id>(options_, {nodes, edges, store_->in_memory()}, block_bytes_,
                                      memory_bytes_, environment_.memory.available());
  }

  void solve_in_memory(NodeSink<Id>* labels, ArcSink<Id>* condensation) {
    const bool internal = result_.choice.model == MemoryModel::internal;
    NodeSearch<Id> search(environment_, result_.nodes, block_bytes_, most_edges(options_, result_.nodes));
    const std::uint64_t edges = store_->edges();
    if (options_.largest_first) search.contract_largest(*store_, condensation != nullptr);
    if (internal) {
      search.search_all(*store_, edges);
    } else {
      search.search_in_batches(store_, edges, condensation != nullptr);
    }
    result_.passes += search.passes();
    UnionFind<Id>& sets = search.sets();
    sets.flatten(0, result_.nodes);
    const auto label = [&](Id node) { return static_cast<Id>(node - sets.steps()[node]); };
    send_labels(labels, label);
    if (condensation == nullptr) return;
    if (prepare::bits_for_nodes(result_.nodes) <= 32) {
      sort_condensation<std::uint64_t>(*condensation, label);
    } else if constexpr (sizeof(Id) == 8) {
      sort_condensation<core::uint128>(*condensation, label);
    }
  }

  template <class Label>
  void send_labels(NodeSink<Id>* sink, const Label& label) {
    const core::Phase phase(environment_.progress, "write labels", result_.nodes, "nodes");
    const auto nodes = static_cast<std::size_t>(result_.nodes);
    const core::Array<Id> members(environment_.memory, nodes, "an id per node");
    std::array<Id, 4096> batch;
    for (std::size_t begin = 0; begin < nodes; begin += batch.size()) {
      const std::size_t count = std::min(batch.size(), nodes - begin);
      for (std::size_t i = 0; i < count; ++i) {
        batch[i] = label(static_cast<Id>(begin + i));
        ++members[batch[i]];
      }
      if (sink != nullptr) sink->append({batch.data(), count});
    }
    for (const Id count : members.span()) {
      result_.components += count > 0;
      result_.single_nodes += count == 1;
      result_.largest_component = std::max<std::uint64_t>(result_.largest_component, count);
    }
  }

  template <core::IntegerKey Key, class Label>
  void sort_condensation(ArcSink<Id>& sink, const Label& label) {
    core::Phase phase(environment_.progress, "sort condensation", store_->edges(), "edges");
    const prepare::EdgeKeys<Key> keys{prepare::bits_for_nodes(result_.nodes)};
    core::SerialSort<Key> sorted(environment_, keys.range(result_.nodes - 1).last, store_->edges(),
                                 environment_.memory.available() / 2);
    store_->for_each([&](Id source, Id target) {
      const Id from = label(source);
      const Id to = label(target);
      if (from != to) sorted.push(keys.make(from, to));
    });
    send_condensation(sink, sorted, keys);
  }

  template <core::IntegerKey Key>
  [[gnu::cold]] void send_condensation(ArcSink<Id>& sink, core::SerialSort<Key>& sorted,
                                       const prepare::EdgeKeys<Key>& keys) {
    std::array<Edge<Id>, 1024> batch;
    std::size_t filled = 0;
    sorted.start();
    while (!sorted.at_end()) {
      const Key key = sorted.key();
      do sorted.next();
      while (!sorted.at_end() && sorted.key() == key);
      batch[filled++] = {static_cast<Id>(keys.first(key)), static_cast<Id>(keys.second(key))};
      ++result_.condensation_edges;
      if (filled == batch.size()) sink.append({batch.data(), std::exchange(filled, 0)});
    }
    sink.append({batch.data(), filled});
  }

  // Cold, as all that waits for sorts: compiled for size.
  template <core::IntegerKey Key>
  [[gnu::cold]] void solve_externally(NodeSink<Id>* labels, ArcSink<Id>* condensation) {
    const std::uint64_t edges = store_->edges();
    ComponentPart<Id> largest;
    if (options_.largest_first && LargestSearch<Id>::pays(result_.nodes, store_->edges(), block_bytes_,
                                                          environment_.memory.available() / 4)) {
      const core::Phase phase(environment_.progress, "search largest", 0, "edges");
      largest = LargestSearch<Id>(environment_, result_.nodes, *store_).contract(condensation != nullptr);
    }
    if (store_->in_memory()) store_->spill();
    const bool forced = options_.model == MemoryModel::external;
    External<Key> external(environment_, result_.nodes, edges, store_->sample(),
                           {.least_rounds = forced ? options_.least_rounds : 0,
                            .most_batch = options_.batch_edges.value_or(~std::uint64_t{0}),
                            .root = largest.root,
                            .root_nodes = std::max<std::uint64_t>(1, largest.size)});
    const auto add = [&](Id source, Id target) { external.add(source, target); };
    if (condensation != nullptr) {
      store_->for_each(add);
    } else {
      store_->consume_each(add);
      store_.reset();
    }
    const core::Run<Key> found = external.run();
    result_.passes += external.passes();
    result_.components = external.components();
    result_.single_nodes = external.single_nodes();
    result_.largest_component = external.largest_component();
    if (labels != nullptr) send_found(*labels, external.base(), found, largest);
    if (condensation != nullptr) relabel_edges(*condensation, external.base(), found);
  }

  template <core::IntegerKey Key>
  void send_found(NodeSink<Id>& sink, const ExternalBase<Key>& base, const core::Run<Key>& found,
                  const ComponentPart<Id>& largest) {
    const core::Phase phase(environment_.progress, "write labels", result_.nodes, "nodes");
    auto label = base.read(found);
    std::array<Id, 4096> batch;
    Id label_of_root = 0;
    for (std::uint64_t node = 0; node < result_.nodes;) {
      std::size_t filled = 0;
      for (; filled < batch.size() && node < result_.nodes; ++node) {
        Id& found_label = batch[filled++];
        found_label = static_cast<Id>(base.go_to(label, node) ? base.second(*label) : node);
        if (largest.size == 0) continue;
        if (node == largest.root) label_of_root = found_label;
        if (largest.members.test(node)) found_label = label_of_root;
      }
      sink.append({batch.data(), filled});
    }
  }

  template <core::IntegerKey Key>
  [[gnu::cold]] void relabel_edges(ArcSink<Id>& sink, const ExternalBase<Key>& base,
                                   const core::Run<Key>& found) {
    const core::Phase phase(environment_.progress, "sort condensation", store_->edges(), "edges");
    const std::uint64_t edges = store_->edges();
    auto sorted = std::make_unique<core::SerialSort<Key>>(base.sorter(edges, store_->sample()));
    store_->for_each([&](Id source, Id target) { sorted->push(base.pair(source, target)); });
    for (unsigned end = 0; end < 2; ++end) {  // the sources, then the targets get their labels
      auto next = std::make_unique<core::SerialSort<Key>>(base.sorter(edges));
      auto label = base.read(found);
      for (sorted->start(); !sorted->at_end(); sorted->next()) {
        const std::uint64_t node = base.first(sorted->key());
        const std::uint64_t other = base.second(sorted->key());
        const std::uint64_t to = base.go_to(label, node) ? base.second(*label) : node;
        if (end == 0 || to != other) next->push(base.pair(other, to));
      }
      sorted = std::move(next);
    }
    send_condensation(sink, *sorted, base.keys());
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const std::optional<std::uint64_t> declared_;
  const std::size_t memory_bytes_;
  const std::size_t block_bytes_;
  std::unique_ptr<EdgeStore<Id>> store_;
  Result result_;
};

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<Id>* labels, ArcSink<Id>* condensation) {
  return Job<Id>(environment, source, options).run(labels, condensation);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*,
                    ArcSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*,
                    ArcSink<std::uint64_t>*);

}  // namespace emgraph::graph::scc
