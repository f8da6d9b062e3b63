// SPDX-License-Identifier: MIT
// Kernel 1 in memory: edges are distributed to ranges of nodes, whose rows are then made in cache.
//
// A first pass over the edges counts those of each range, a bucket. A second one puts both directions of an
// edge into the bucket of their first node, through a buffer per bucket and thread. A bucket lies where its
// rows will lie; beside it stand the numbers of the first nodes within the bucket, two bytes each. Then each
// thread takes a bucket after the other: it counts the rows, puts each entry into its row, and sorts the
// rows. Rows of arcs come last, because the ranks of their targets depend on the degrees of all nodes; they
// are made from a copy of the bucket.
#include "graph/graph500/graph.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::size_t buffered_entries = 32;
constexpr std::size_t ranks_ahead = 24;
/// Ranks tell larger degrees not apart.
constexpr std::uint32_t most_degree = 0xffff;

static_assert(std::endian::native == std::endian::little && sizeof(Arc) == sizeof(std::uint64_t));

std::uint64_t arc_word(std::uint32_t target, float weight) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(weight)} << 32 | target;
}

/// Rows of a bucket fit the caches, and the buffers of all buckets as well. A number within a bucket has 16
/// bits.
unsigned bucket_bits(std::uint64_t nodes) {
  const auto bits = static_cast<unsigned>(std::bit_width(nodes - 1));
  constexpr unsigned least = 13;
  constexpr unsigned most = 16;
  constexpr unsigned buckets = 11;
  return std::min(bits, std::clamp(bits > buckets ? bits - buckets : 0u, least, most));
}

std::uint64_t bucket_count(std::uint64_t nodes) {
  return ((nodes - 1) >> bucket_bits(nodes)) + 1;
}

/// Entries of the largest bucket, at most. The node of largest degree is an end of 0.76^scale of all edges.
std::uint64_t bucket_entries(std::uint64_t nodes, std::uint64_t entries) {
  const int scale = static_cast<int>(std::bit_width(nodes - 1));
  const auto hub = static_cast<std::uint64_t>(static_cast<double>(entries) * std::pow(0.76, scale));
  return std::min(entries, 2 * (entries / bucket_count(nodes)) + 4 * hub + 65536);
}

}  // namespace

std::uint32_t Graph::rank(std::uint32_t node) const {
  const std::uint32_t degree =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(this->degree(node), most_degree));
  const auto rows = rows_.span();
  const auto found = std::partition_point(rows.begin(), rows.end(), [&](const ArcRow& row) {
    const std::uint32_t known = std::min(row.degree, most_degree);
    return known > degree || (known == degree && row.node < node);
  });
  return static_cast<std::uint32_t>(found - rows.begin());
}

class GraphBuilder {
 public:
  GraphBuilder(core::Environment& environment, const EdgeList& list, GraphParts parts)
      : environment_(environment),
        list_(list),
        parts_(parts),
        nodes_(list.edges.nodes()),
        shift_(bucket_bits(nodes_)),
        buckets_(static_cast<std::size_t>(bucket_count(nodes_))),
        graph_(std::make_unique<Graph>()) {}

  std::unique_ptr<Graph> build() {
    core::MemoryBudget& memory = environment_.memory;
    graph_->nodes_ = nodes_;
    graph_->base_bits_ = shift_;
    graph_->bases_ = core::Array<std::uint64_t>(memory, buckets_ + 1, "bases of rows");
    graph_->offsets_ = core::Array<std::uint32_t>(memory, nodes_ + 1, "offsets of rows");
    graph_->isolated_ = core::Array<std::uint64_t>(memory, (nodes_ + 63) / 64, "a bit per node");
    count_buckets();
    const std::uint64_t entries = graph_->entries_;
    if (parts_.neighbours) graph_->neighbours_ = core::Array<std::uint32_t>(memory, entries, "neighbours");
    if (parts_.arcs) graph_->arcs_ = core::Array<Arc>(memory, entries, "arcs");
    sources_ = core::Array<std::uint16_t>(memory, entries, "nodes within their buckets");
    if (parts_.arcs) {
      distribute(reinterpret_cast<std::uint64_t*>(graph_->arcs_.data()));
    } else {
      distribute(graph_->neighbours_.data());
    }
    for_buckets(parts_.arcs ? 0 : sizeof(std::uint32_t), [&](std::size_t bucket, const Scratch& scratch) {
      count_rows(bucket, scratch.places);
      if (parts_.neighbours) make_neighbours(bucket, scratch);
    });
    if (parts_.arcs) {
      rank_nodes();
      for_buckets(sizeof(std::uint64_t),
                  [&](std::size_t bucket, const Scratch& scratch) { make_arcs(bucket, scratch); });
    }
    return std::move(graph_);
  }

 private:
  /// A thread's memory for the bucket that it works on.
  struct Scratch {
    core::Array<std::uint32_t> places;  // of rows, from the start of the bucket
    core::Buffer copy;                  // of the bucket
  };
  struct Bucket {
    std::uint64_t first, width;  // nodes
    std::uint64_t start, entries;
  };

  Bucket bucket_at(std::size_t bucket) const {
    const std::uint64_t start = graph_->bases_[bucket];
    return {static_cast<std::uint64_t>(bucket) << shift_, std::uint64_t{1} << shift_, start,
            graph_->bases_[bucket + 1] - start};
  }

  void count_buckets() {
    std::vector<std::atomic<std::uint64_t>> counts(buckets_);
    EdgePass pass(list_, false);
    core::run_on_threads(environment_.threads, [&](unsigned) {
      std::vector<std::uint64_t> mine(buckets_);
      pass.run(environment_.memory,
               [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float>) {
                 for (const auto [source, target] : edges) {
                   const std::uint64_t one = source != target;
                   mine[source >> shift_] += one;
                   mine[target >> shift_] += one;
                 }
               });
      for (std::size_t b = 0; b < buckets_; ++b) counts[b].fetch_add(mine[b], std::memory_order_relaxed);
    });
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < buckets_; ++b) {
      graph_->bases_[b] = sum;
      sum += counts[b];
      largest_ = std::max<std::uint64_t>(largest_, counts[b]);
    }
    graph_->bases_[buckets_] = graph_->entries_ = sum;
    if (largest_ > std::numeric_limits<std::uint32_t>::max()) {
      throw core::UsageError("more than 2^32 neighbours of " + std::to_string(std::uint64_t{1} << shift_) +
                             " nodes, expected a smaller edge factor, or the semi-external model");
    }
  }

  /// Entry: 4 bytes, the target; or 8 bytes, an arc whose target is not a rank yet.
  template <class Entry>
  void distribute(Entry* entries) {
    constexpr bool weighted = sizeof(Entry) == sizeof(Arc);
    EdgePass pass(list_, weighted);
    std::vector<std::atomic<std::uint64_t>> next(buckets_);
    for (std::size_t b = 0; b < buckets_; ++b) next[b] = graph_->bases_[b];
    core::run_on_threads(environment_.threads, [&](unsigned) {
      const std::size_t buffered = buckets_ * buffered_entries;
      const core::Array<Entry> buffer(environment_.memory, buffered, "buffers of buckets");
      const core::Array<std::uint16_t> sources(environment_.memory, buffered, "buffers of buckets");
      std::vector<std::uint32_t> counts(buckets_);
      const auto flush = [&](std::size_t bucket) {
        const std::size_t count = std::exchange(counts[bucket], 0u);
        const std::uint64_t at = next[bucket].fetch_add(count, std::memory_order_relaxed);
        std::copy_n(buffer.data() + bucket * buffered_entries, count, entries + at);
        std::copy_n(sources.data() + bucket * buffered_entries, count, sources_.data() + at);
      };
      const auto put = [&](std::uint32_t from, Entry entry) {
        const std::size_t bucket = from >> shift_;
        const std::size_t at = bucket * buffered_entries + counts[bucket];
        buffer[at] = entry;
        sources[at] = static_cast<std::uint16_t>(from & ((std::uint32_t{1} << shift_) - 1));
        if (++counts[bucket] == buffered_entries) flush(bucket);
      };
      pass.run(environment_.memory,
               [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float> weights) {
                 for (std::size_t i = 0; i < edges.size(); ++i) {
                   const auto [source, target] = edges[i];
                   if (source == target) continue;
                   if constexpr (weighted) {
                     put(source, arc_word(target, weights[i]));
                     put(target, arc_word(source, weights[i]));
                   } else {
                     put(source, target);
                     put(target, source);
                   }
                 }
               });
      for (std::size_t bucket = 0; bucket < buckets_; ++bucket) flush(bucket);
    });
  }

  template <class Work>
  void for_buckets(std::size_t copied_bytes, const Work& work) {
    std::atomic<std::size_t> next{0};
    core::run_on_threads(environment_.threads, [&](unsigned) {
      core::MemoryBudget& memory = environment_.memory;
      const Scratch scratch{{memory, std::size_t{1} << shift_, "places of rows"},
                            {memory, core::size_product(largest_, copied_bytes), "copy of a bucket"}};
      for (std::size_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < buckets_;) work(b, scratch);
    });
  }

  /// Sets the offsets of the bucket's rows.
  void count_rows(std::size_t number, const core::Array<std::uint32_t>& counts) {
    const Bucket bucket = bucket_at(number);
    std::fill_n(counts.data(), bucket.width, 0u);
    const std::uint16_t* const sources = sources_.data() + bucket.start;
    for (std::uint64_t i = 0; i < bucket.entries; ++i) ++counts[sources[i]];
    std::uint32_t place = 0;
    std::uint64_t isolated = 0;
    for (std::uint64_t i = 0; i < bucket.width; ++i) {
      graph_->offsets_[bucket.first + i] = place;
      place += counts[i];
      isolated |= std::uint64_t{counts[i] == 0} << i % 64;
      if (i % 64 == 63 || i + 1 == bucket.width) {
        if (bucket.width < 64) isolated |= ~std::uint64_t{0} << bucket.width;
        graph_->isolated_[(bucket.first + i) / 64] = std::exchange(isolated, 0);
      }
    }
  }

  /// Puts value(i) for each entry i of the bucket into its row, and sorts the rows.
  template <class Word, class Value>
  void fill_rows(const Bucket& bucket, const core::Array<std::uint32_t>& places, Word* rows,
                 const Value& value) {
    std::copy_n(&graph_->offsets_[bucket.first], bucket.width, places.data());
    const std::uint16_t* const sources = sources_.data() + bucket.start;
    for (std::uint64_t i = 0; i < bucket.entries; ++i) rows[places[sources[i]]++] = value(i);
    std::size_t begin = 0;
    for (std::uint64_t i = 0; i < bucket.width; ++i) {
      const std::size_t end = places[i];
      core::vector_sort(std::span(rows + begin, end - begin));
      begin = end;
    }
  }

  void make_neighbours(std::size_t number, const Scratch& scratch) {
    const Bucket bucket = bucket_at(number);
    std::uint32_t* const rows = graph_->neighbours_.data() + bucket.start;
    if (parts_.arcs) {
      const Arc* const arcs = graph_->arcs_.data() + bucket.start;
      fill_rows(bucket, scratch.places, rows, [&](std::uint64_t i) { return arcs[i].target; });
    } else {
      auto* const targets = reinterpret_cast<std::uint32_t*>(scratch.copy.data());
      std::copy_n(rows, bucket.entries, targets);
      fill_rows(bucket, scratch.places, rows, [&](std::uint64_t i) { return targets[i]; });
    }
  }

  /// Orders the nodes with neighbours by descending degree, then by number.
  void rank_nodes() {
    core::MemoryBudget& memory = environment_.memory;
    const core::Array<std::uint64_t> starts(memory, std::size_t{most_degree} + 1, "nodes of each degree");
    const auto key = [](std::uint64_t degree) { return std::min<std::uint64_t>(degree, most_degree); };
    const auto for_nodes = [&](const auto& use) {
      for (std::size_t b = 0; b < buckets_; ++b) {
        const Bucket bucket = bucket_at(b);
        std::uint64_t begin = 0;
        for (std::uint64_t i = 1; i <= bucket.width; ++i) {
          const std::uint64_t end = i < bucket.width ? graph_->offsets_[bucket.first + i] : bucket.entries;
          if (begin < end) {
            use(static_cast<std::uint32_t>(bucket.first + i - 1), bucket.start + begin,
                static_cast<std::uint32_t>(end - begin));
          }
          begin = end;
        }
      }
    };
    for_nodes([&](std::uint32_t, std::uint64_t, std::uint32_t degree) { ++starts[key(degree)]; });
    std::uint64_t sum = 0;
    for (std::uint32_t degree = most_degree; degree > 0; --degree) sum += std::exchange(starts[degree], sum);
    graph_->rows_ = core::Array<ArcRow>(memory, sum, "rows of arcs");
    ranks_ = core::Array<std::uint32_t>(memory, nodes_, "ranks of nodes");
    for_nodes([&](std::uint32_t node, std::uint64_t begin, std::uint32_t degree) {
      const std::uint64_t rank = starts[key(degree)]++;
      graph_->rows_[rank] = {begin, degree, node};
      ranks_[node] = static_cast<std::uint32_t>(rank);
    });
  }

  void make_arcs(std::size_t number, const Scratch& scratch) {
    const Bucket bucket = bucket_at(number);
    if (bucket.entries == 0) return;
    auto* const rows = reinterpret_cast<std::uint64_t*>(graph_->arcs_.data() + bucket.start);
    auto* const arcs = reinterpret_cast<Arc*>(scratch.copy.data());
    std::memcpy(arcs, rows, bucket.entries * sizeof(Arc));
    fill_rows(bucket, scratch.places, rows, [&](std::uint64_t i) {
      __builtin_prefetch(&ranks_[arcs[std::min(i + ranks_ahead, bucket.entries - 1)].target]);
      return arc_word(ranks_[arcs[i].target], arcs[i].weight);
    });
  }

  core::Environment& environment_;
  const EdgeList& list_;
  const GraphParts parts_;
  const std::uint64_t nodes_;
  const unsigned shift_;
  const std::size_t buckets_;
  std::unique_ptr<Graph> graph_;
  std::uint64_t largest_ = 0;           // entries of the largest bucket
  core::Array<std::uint16_t> sources_;  // of entries, within their bucket
  core::Array<std::uint32_t> ranks_;
};

GraphBytes graph_bytes(std::uint64_t nodes, std::uint64_t edges, GraphParts parts, unsigned threads) {
  const std::uint64_t entries = core::size_product(edges, 2);
  const std::uint64_t buckets = bucket_count(nodes);
  GraphBytes bytes;
  bytes.graph =
      core::size_sum(core::size_product(entries, (parts.neighbours ? 4 : 0) + (parts.arcs ? sizeof(Arc) : 0)),
                     core::size_product(nodes, 4 + (parts.arcs ? sizeof(ArcRow) : 0)), nodes / 8,
                     core::size_product(buckets, 8), 8 * core::page_bytes);
  const std::uint64_t entry = parts.arcs ? sizeof(Arc) : sizeof(std::uint32_t);
  const std::uint64_t of_thread =
      core::size_sum(buckets * buffered_entries * (entry + 2), std::uint64_t{4} << bucket_bits(nodes),
                     core::size_product(bucket_entries(nodes, entries), entry), 150'000);
  bytes.construction = core::size_sum(
      bytes.graph, core::size_product(entries, 2), core::size_product(nodes, parts.arcs ? 4 : 0),
      (std::size_t{most_degree} + 1) * 8, core::size_product(of_thread, threads));
  return bytes;
}

std::unique_ptr<Graph> build_graph(core::Environment& environment, const EdgeList& list, GraphParts parts) {
  return GraphBuilder(environment, list, parts).build();
}

}  // namespace emgraph::graph::graph500
