// SPDX-License-Identifier: MIT
// Kernel 1 in memory: edges are distributed to ranges of nodes, whose rows are then made in cache.
//
// Both directions of an edge go to the bucket of their first node, through a buffer per bucket and thread,
// into blocks that are taken from one pool. Then each thread takes a bucket after the other: it counts, and
// puts each entry into its row. All rows of a bucket are written in a region that the second-level cache
// holds. A row of neighbours is sorted; a row of arcs is made in order of weight class by the counting.
// Memory: the pool of 2 m records, given back when all rows are made.
#include "graph/graph500/graph.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::size_t block_bytes = std::size_t{32} << 10;
constexpr std::size_t buffered_records = 32;

struct PlainRecord {
  std::uint32_t from, to;
};
struct WeightedRecord {
  std::uint32_t from, to;
  float weight;
};
template <class Record>
constexpr bool weighted = requires(Record record) {
  record.weight;
};

/// Buckets are as small as their counters of 32 classes fit the second-level cache, and few enough that the
/// buffers do as well.
unsigned bucket_bits(std::uint64_t nodes) {
  const auto bits = static_cast<unsigned>(std::bit_width(nodes - 1));
  constexpr unsigned small = 13;
  constexpr unsigned most_buckets = 11;
  return std::min(bits, std::max(small, bits > most_buckets ? bits - most_buckets : 0));
}

/// Sorts a short row without the fixed cost of the vector sort.
void sort_row(std::span<std::uint32_t> row) {
  constexpr std::size_t few = 24;
  if (row.size() > few) return core::vector_sort(row);
  for (std::size_t i = 1; i < row.size(); ++i) {
    const std::uint32_t value = row[i];
    std::size_t at = i;
    for (; at > 0 && row[at - 1] > value; --at) row[at] = row[at - 1];
    row[at] = value;
  }
}

std::uint64_t pool_blocks(std::uint64_t entries, std::uint64_t buckets, unsigned threads,
                          std::size_t record_bytes) {
  return entries / (block_bytes / record_bytes) + buckets * threads + 1;
}

}  // namespace

class GraphBuilder {
 public:
  GraphBuilder(core::Environment& environment, const EdgeList& list, GraphParts parts)
      : environment_(environment),
        list_(list),
        parts_(parts),
        nodes_(list.edges.nodes()),
        shift_(bucket_bits(nodes_)),
        buckets_(static_cast<std::size_t>(((nodes_ - 1) >> shift_) + 1)),
        threads_(environment.threads) {}

  std::unique_ptr<Graph> build() {
    auto graph = std::make_unique<Graph>();
    graph->nodes_ = nodes_;
    core::MemoryBudget& memory = environment_.memory;
    graph->base_bits_ = shift_;
    graph->bases_ = core::Array<std::uint64_t>(memory, buckets_ + 1, "bases of rows");
    graph->offsets_ = core::Array<std::uint32_t>(memory, nodes_ + 1, "offsets of rows");
    graph->isolated_ = core::Array<std::uint64_t>(memory, (nodes_ + 63) / 64, "a bit per node");
    if (parts_.arcs) {
      fill<WeightedRecord>(*graph);
    } else {
      fill<PlainRecord>(*graph);
    }
    return graph;
  }

 private:
  /// Blocks of one bucket that one thread filled; all but the last are full.
  struct Chain {
    std::vector<std::uint32_t> blocks;
    std::size_t last_count = 0;
  };

  std::size_t classes() const { return parts_.arcs ? weight_classes : 1; }

  template <class Record>
  static constexpr std::size_t block_records() {
    return block_bytes / sizeof(Record);
  }

  template <class Record>
  void fill(Graph& graph) {
    const std::uint64_t blocks = pool_blocks(2 * list_.count, buckets_, threads_, sizeof(Record));
    const core::Buffer pool(environment_.memory, core::size_product(blocks, block_bytes),
                            "edges by ranges of nodes");
    std::vector<std::vector<Chain>> chains(threads_, std::vector<Chain>(buckets_));
    distribute<Record>(pool, chains);
    std::vector<std::uint64_t> starts(buckets_ + 1);
    for (std::size_t b = 0; b < buckets_; ++b) {
      starts[b + 1] = starts[b];
      for (const auto& of_thread : chains) {
        const Chain& chain = of_thread[b];
        if (chain.blocks.empty()) continue;
        starts[b + 1] += (chain.blocks.size() - 1) * block_records<Record>() + chain.last_count;
      }
    }
    graph.entries_ = starts.back();
    core::MemoryBudget& memory = environment_.memory;
    if (parts_.neighbours) {
      graph.neighbours_ = core::Array<std::uint32_t>(memory, graph.entries_, "neighbours");
    }
    if (parts_.arcs) graph.arcs_ = core::Array<Arc>(memory, graph.entries_, "arcs");
    make_rows<Record>(graph, pool, chains, starts);
  }

  template <class Record>
  void distribute(const core::Buffer& pool, std::vector<std::vector<Chain>>& chains) {
    EdgePass pass(list_, parts_.arcs);
    std::atomic<std::uint32_t> next_block{0};
    core::run_on_threads(threads_, [&](unsigned thread) {
      core::Array<Record> buffers(environment_.memory, buckets_ * buffered_records, "buffers of buckets");
      std::vector<std::uint32_t> counts(buckets_);
      auto& mine = chains[thread];
      const auto flush = [&](std::size_t bucket) {
        const Record* from = buffers.data() + bucket * buffered_records;
        Chain& chain = mine[bucket];
        for (std::size_t left = counts[bucket]; left > 0;) {
          if (chain.blocks.empty() || chain.last_count == block_records<Record>()) {
            chain.blocks.push_back(next_block.fetch_add(1, std::memory_order_relaxed));
            chain.last_count = 0;
          }
          const std::size_t some = std::min(left, block_records<Record>() - chain.last_count);
          std::memcpy(pool.data() + chain.blocks.back() * block_bytes + chain.last_count * sizeof(Record),
                      from, some * sizeof(Record));
          chain.last_count += some;
          from += some;
          left -= some;
        }
        counts[bucket] = 0;
      };
      const auto put = [&](std::uint32_t from, std::uint32_t to, float weight) {
        const std::size_t bucket = from >> shift_;
        Record& record = buffers[bucket * buffered_records + counts[bucket]];
        record.from = from;
        record.to = to;
        if constexpr (weighted<Record>) record.weight = weight;
        if (++counts[bucket] == buffered_records) flush(bucket);
      };
      pass.run(environment_.memory,
               [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float> weights) {
                 for (std::size_t i = 0; i < edges.size(); ++i) {
                   const auto [source, target] = edges[i];
                   if (source == target) continue;
                   const float weight = weights.empty() ? 0 : weights[i];
                   put(source, target, weight);
                   put(target, source, weight);
                 }
               });
      for (std::size_t bucket = 0; bucket < buckets_; ++bucket) flush(bucket);
    });
  }

  template <class Record, class Use>
  void each_record(const core::Buffer& pool, const std::vector<std::vector<Chain>>& chains,
                   std::size_t bucket, const Use& use) const {
    for (const auto& of_thread : chains) {
      const Chain& chain = of_thread[bucket];
      for (std::size_t i = 0; i < chain.blocks.size(); ++i) {
        const auto* records = reinterpret_cast<const Record*>(pool.data() + chain.blocks[i] * block_bytes);
        const std::size_t count = i + 1 < chain.blocks.size() ? block_records<Record>() : chain.last_count;
        for (std::size_t k = 0; k < count; ++k) use(records[k]);
      }
    }
  }

  template <class Record>
  void make_rows(Graph& graph, const core::Buffer& pool, const std::vector<std::vector<Chain>>& chains,
                 const std::vector<std::uint64_t>& starts) {
    for (std::size_t b = 0; b <= buckets_; ++b) graph.bases_[b] = starts[b];
    std::atomic<std::size_t> next{0};
    core::run_on_threads(threads_, [&](unsigned) {
      const std::size_t counters = (std::size_t{1} << shift_) * classes();
      const core::Array<std::uint32_t> places(environment_.memory, counters, "places of rows");
      for (std::size_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < buckets_;) {
        make_bucket<Record>(graph, pool, chains, b, places);
      }
    });
  }

  /// Places count from the start of the bucket.
  template <class Record>
  void make_bucket(Graph& graph, const core::Buffer& pool, const std::vector<std::vector<Chain>>& chains,
                   std::size_t bucket, const core::Array<std::uint32_t>& places) {
    const std::uint64_t width = std::uint64_t{1} << shift_;
    const std::uint64_t first = static_cast<std::uint64_t>(bucket) << shift_;
    const std::uint64_t start = graph.bases_[bucket];
    const std::uint64_t entries = graph.bases_[bucket + 1] - start;
    if (entries > ~std::uint32_t{0}) {
      throw core::UsageError("graph500: more than 2^32 neighbours of " + std::to_string(width) +
                             " nodes, expected a smaller edge factor, or the semi-external model");
    }
    const auto place_of = [&](const Record& record) -> std::uint32_t& {
      const std::uint64_t node = record.from - first;
      if constexpr (weighted<Record>) return places[node * weight_classes + weight_class(record.weight)];
      return places[node];
    };
    std::fill_n(places.data(), width * classes(), 0u);
    each_record<Record>(pool, chains, bucket, [&](const Record& record) { ++place_of(record); });
    std::uint32_t place = 0;
    std::uint64_t isolated = 0;
    for (std::uint64_t i = 0; i < width; ++i) {
      const std::uint32_t row = place;
      graph.offsets_[first + i] = row;
      for (std::uint64_t c = i * classes(); c < (i + 1) * classes(); ++c) {
        const std::uint32_t count = places[c];
        places[c] = place;
        place += count;
      }
      isolated |= std::uint64_t{place == row} << i % 64;
      if (i % 64 == 63 || i + 1 == width) {
        if (width < 64) isolated |= ~std::uint64_t{0} << width;
        graph.isolated_[(first + i) / 64] = std::exchange(isolated, 0);
      }
    }
    each_record<Record>(pool, chains, bucket, [&](const Record& record) {
      const std::uint64_t at = start + place_of(record)++;
      if constexpr (weighted<Record>) graph.arcs_[at] = {record.to, record.weight};
      if (parts_.neighbours) graph.neighbours_[at] = record.to;
    });
    if (!parts_.neighbours) return;
    for (std::uint64_t node = first; node < first + width; ++node) {
      const std::uint64_t row = start + graph.offsets_[node];
      const std::uint64_t end = start + (node + 1 < first + width ? graph.offsets_[node + 1] : entries);
      sort_row({graph.neighbours_.data() + row, static_cast<std::size_t>(end - row)});
    }
  }

  core::Environment& environment_;
  const EdgeList& list_;
  const GraphParts parts_;
  const std::uint64_t nodes_;
  const unsigned shift_;
  const std::size_t buckets_;
  const unsigned threads_;
};

GraphBytes graph_bytes(std::uint64_t nodes, std::uint64_t edges, GraphParts parts, unsigned threads) {
  const std::uint64_t entries = core::size_product(edges, 2);
  const unsigned shift = bucket_bits(nodes);
  const std::uint64_t buckets = ((nodes - 1) >> shift) + 1;
  const std::uint64_t record = parts.arcs ? sizeof(WeightedRecord) : sizeof(PlainRecord);
  GraphBytes bytes;
  bytes.graph = core::size_sum(
      core::size_product(entries, (parts.neighbours ? 4 : 0) + (parts.arcs ? sizeof(Arc) : 0)),
      core::size_product(nodes, 4), nodes / 8, core::size_product(buckets, 8), 5 * core::page_bytes);
  const std::uint64_t of_thread =
      buckets * buffered_records * record + (std::uint64_t{4} << shift) * weight_classes + 200'000;
  bytes.construction = core::size_sum(
      bytes.graph, core::size_product(pool_blocks(entries, buckets, threads, record), block_bytes),
      core::size_product(of_thread, threads));
  return bytes;
}

std::unique_ptr<Graph> build_graph(core::Environment& environment, const EdgeList& list, GraphParts parts) {
  return GraphBuilder(environment, list, parts).build();
}

}  // namespace emgraph::graph::graph500
