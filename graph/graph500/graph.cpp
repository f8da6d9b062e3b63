// SPDX-License-Identifier: MIT
// Kernel 1 in memory: edges are distributed to ranges of nodes, whose rows are then made in cache.
//
// A first pass over the edges counts those of each range, a bucket, for each part of the edge list. A second
// one puts both directions of an edge into the bucket of their first node, through a buffer per bucket and
// thread (bucket_writer.hpp). A bucket lies where its rows will lie; beside it stand the numbers of the first
// nodes within the bucket, two bytes each. Then each thread takes a bucket after the other, counts the
// rows and makes those of neighbours (bucket_rows.hpp). Rows of arcs come last, because the ranks of their
// targets depend on the degrees of all nodes.
#include "graph/graph500/graph.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "graph/graph500/bucket_rows.hpp"
#include "graph/graph500/bucket_writer.hpp"

namespace emgraph::graph::graph500 {
namespace {

/// From this one on, degrees count as equal when nodes are ranked.
constexpr std::uint32_t most_degree = 0xffff;
constexpr std::size_t degree_keys = std::size_t{most_degree} + 1;

static_assert(std::endian::native == std::endian::little && sizeof(Arc) == sizeof(std::uint64_t));

std::uint64_t arc_word(std::uint32_t target, float weight) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(weight)} << 32 | target;
}

/// Rows of a bucket fit the caches, and the buffers of all buckets as well. A number within a bucket has 16
/// bits.
unsigned bucket_bits(std::uint64_t nodes) {
  const auto bits = static_cast<unsigned>(std::bit_width(nodes - 1));
  constexpr unsigned least = 11;
  constexpr unsigned most = 16;
  constexpr unsigned buckets = 11;
  return std::min(bits, std::clamp(bits > buckets ? bits - buckets : 0u, least, most));
}

std::uint64_t bucket_count(std::uint64_t nodes) {
  return ((nodes - 1) >> bucket_bits(nodes)) + 1;
}

/// The edge list is read in parts, whose entries have places of their own in each bucket: several for each
/// thread, so that all end at about the same time. A part has at most 2^30 edges.
std::uint64_t edges_of_part(std::uint64_t edges, unsigned threads) {
  const std::uint64_t parts = std::max<std::uint64_t>(8 * std::uint64_t{std::max(1u, threads)}, edges >> 29);
  return core::size_sum(edges / parts / EdgePass::piece, 1) * EdgePass::piece;
}

/// Entries of the largest bucket, at most. The node of largest degree is an end of 0.76^scale of all edges.
std::uint64_t bucket_entries(std::uint64_t nodes, std::uint64_t entries) {
  const int scale = static_cast<int>(std::bit_width(nodes - 1));
  const auto hub = static_cast<std::uint64_t>(static_cast<double>(entries) * std::pow(0.76, scale));
  return std::min(entries, 2 * (entries / bucket_count(nodes)) + 4 * hub + 65536);
}

/// Parts of the nodes that threads rank. Each has a count for every degree.
unsigned rank_parts(std::uint64_t nodes, unsigned threads) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(nodes / degree_keys, 1, std::max(1u, threads)));
}

/// Of the ranges of targets.
unsigned target_shift(std::uint64_t nodes) {
  constexpr unsigned range_bits = std::bit_width(Graph::ranges - 1);
  const auto bits = static_cast<unsigned>(std::bit_width(nodes - 1));
  return bits > range_bits ? bits - range_bits : 0;
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
        part_edges_(edges_of_part(list.count, environment.threads)),
        parts_of_list_((list.count + part_edges_ - 1) / part_edges_),
        graph_(std::make_unique<Graph>()) {}

  std::unique_ptr<Graph> build() {
    core::MemoryBudget& memory = environment_.memory;
    graph_->nodes_ = nodes_;
    graph_->base_bits_ = shift_;
    graph_->target_shift_ = target_shift(nodes_);
    graph_->bases_ = core::Array<std::uint64_t>(memory, buckets_ + 1, "bases of rows");
    graph_->offsets_ = core::Array<std::uint32_t>(memory, nodes_ + 1, "offsets of rows");
    graph_->isolated_ = core::Array<std::uint64_t>(memory, (nodes_ + 63) / 64, "a bit per node");
    starts_ = core::Array<std::uint64_t>(memory, parts_of_list_ * buckets_, "starts of buckets");
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
    for_buckets([&](std::size_t bucket, const BucketRows& rows) {
      count_rows(bucket, rows.places());
      std::uint32_t* const neighbours = graph_->neighbours_.data() + bucket_at(bucket).start;
      if (parts_.neighbours && parts_.arcs) {
        rows.make_neighbours(*graph_, offsets_of(bucket), sources_of(bucket), arcs_of(bucket), neighbours);
      } else if (parts_.neighbours) {
        rows.make_neighbours(*graph_, offsets_of(bucket), sources_of(bucket), neighbours, neighbours);
      }
    });
    if (parts_.arcs) {
      rank_nodes();
      for_buckets([&](std::size_t bucket, const BucketRows& rows) {
        rows.make_arcs(offsets_of(bucket), sources_of(bucket), arcs_of(bucket), ranks_.data());
      });
    }
    return std::move(graph_);
  }

 private:
  struct Bucket {
    std::uint64_t first, width;  // nodes
    std::uint64_t start, entries;
  };

  Bucket bucket_at(std::size_t bucket) const {
    const std::uint64_t start = graph_->bases_[bucket];
    return {static_cast<std::uint64_t>(bucket) << shift_, std::uint64_t{1} << shift_, start,
            graph_->bases_[bucket + 1] - start};
  }

  std::span<const std::uint32_t> offsets_of(std::size_t bucket) const {
    return graph_->offsets_.span().subspan(bucket_at(bucket).first, bucket_at(bucket).width);
  }
  std::span<const std::uint16_t> sources_of(std::size_t bucket) const {
    return sources_.span().subspan(bucket_at(bucket).start, bucket_at(bucket).entries);
  }
  Arc* arcs_of(std::size_t bucket) const { return graph_->arcs_.data() + bucket_at(bucket).start; }

  /// Counts the entries of each bucket, by part of the edge list.
  void count_buckets() {
    EdgePass pass(list_, false, part_edges_);
    core::run_on_threads(environment_.threads, [&](unsigned) {
      std::vector<std::uint32_t> counts(buckets_);
      pass.run_parts(
          environment_.memory, [&](std::uint64_t) { std::fill(counts.begin(), counts.end(), 0u); },
          [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float>) {
            for (const auto [source, target] : edges) {
              const std::uint32_t one = source != target;
              counts[source >> shift_] += one;
              counts[target >> shift_] += one;
            }
          },
          [&](std::uint64_t part) { std::copy(counts.begin(), counts.end(), &starts_[part * buckets_]); });
    });
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < buckets_; ++b) {
      graph_->bases_[b] = sum;
      for (std::uint64_t part = 0; part < parts_of_list_; ++part) {
        sum += std::exchange(starts_[part * buckets_ + b], sum);
      }
      largest_ = std::max(largest_, sum - graph_->bases_[b]);
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
    EdgePass pass(list_, weighted, part_edges_);
    core::run_on_threads(environment_.threads, [&](unsigned) {
      BucketWriter<Entry> writer(environment_.memory, buckets_, shift_, entries, sources_.data());
      pass.run_parts(
          environment_.memory,
          [&](std::uint64_t part) { writer.start(starts_.span().subspan(part * buckets_, buckets_)); },
          [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float> weights) {
            for (std::size_t i = 0; i < edges.size(); ++i) {
              const auto [source, target] = edges[i];
              if (source == target) continue;
              if constexpr (weighted) {
                writer.put(source, arc_word(target, weights[i]));
                writer.put(target, arc_word(source, weights[i]));
              } else {
                writer.put(source, target);
                writer.put(target, source);
              }
            }
          },
          [&](std::uint64_t) { writer.finish(); });
    });
  }

  template <class Work>
  void for_buckets(const Work& work) {
    std::atomic<std::size_t> next{0};
    core::run_on_threads(environment_.threads, [&](unsigned) {
      const BucketRows rows(environment_.memory, std::size_t{1} << shift_, largest_, parts_);
      for (std::size_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < buckets_;) work(b, rows);
    });
  }

  /// Sets the offsets of the bucket's rows.
  void count_rows(std::size_t number, std::span<std::uint32_t> counts) {
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

  /// Calls use(node, place of the first arc, degree) for the nodes with neighbours, in ascending order.
  template <class Use>
  void for_nodes(std::size_t first_bucket, std::size_t last_bucket, const Use& use) const {
    for (std::size_t b = first_bucket; b < last_bucket; ++b) {
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
  }

  /// Orders the nodes with neighbours by descending degree, then by number: a counting sort by parts of the
  /// nodes.
  void rank_nodes() {
    core::MemoryBudget& memory = environment_.memory;
    const unsigned parts = rank_parts(nodes_, environment_.threads);
    const core::Array<std::uint32_t> starts(memory, parts * degree_keys, "nodes of each degree");
    const auto for_parts = [&](const auto& use) {
      core::run_on_threads(parts, [&](unsigned part) {
        std::uint32_t* const starts_of_part = &starts[part * degree_keys];
        for_nodes(buckets_ * part / parts, buckets_ * (part + 1) / parts,
                  [&](std::uint32_t node, std::uint64_t begin, std::uint32_t degree) {
                    use(starts_of_part[std::min(degree, most_degree)], node, begin, degree);
                  });
      });
    };
    for_parts([](std::uint32_t& count, std::uint32_t, std::uint64_t, std::uint32_t) { ++count; });
    std::uint64_t sum = 0;
    for (std::uint32_t degree = most_degree; degree > 0; --degree) {
      for (unsigned part = 0; part < parts; ++part) {
        sum += std::exchange(starts[part * degree_keys + degree], static_cast<std::uint32_t>(sum));
      }
    }
    graph_->rows_ = core::Array<ArcRow>(memory, sum, "rows of arcs");
    ranks_ = core::Array<std::uint32_t>(memory, nodes_, "ranks of nodes");
    for_parts([&](std::uint32_t& start, std::uint32_t node, std::uint64_t begin, std::uint32_t degree) {
      const std::uint32_t rank = start++;
      graph_->rows_[rank] = {begin, degree, node};
      ranks_[node] = rank;
    });
  }

  core::Environment& environment_;
  const EdgeList& list_;
  const GraphParts parts_;
  const std::uint64_t nodes_;
  const unsigned shift_;
  const std::size_t buckets_;
  const std::uint64_t part_edges_;
  const std::uint64_t parts_of_list_;
  std::unique_ptr<Graph> graph_;
  core::Array<std::uint64_t> starts_;   // by part of the edge list and bucket: the first place of its entries
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
  const std::uint64_t writer =
      parts.arcs ? BucketWriter<std::uint64_t>::bytes(buckets) : BucketWriter<std::uint32_t>::bytes(buckets);
  const std::uint64_t rows =
      BucketRows::bytes(std::size_t{1} << bucket_bits(nodes), bucket_entries(nodes, entries), parts);
  const std::uint64_t of_thread = core::size_sum(std::max(writer, rows), 150'000);
  bytes.construction = core::size_sum(
      bytes.graph, core::size_product(entries, 2), core::size_product(nodes, parts.arcs ? 4 : 0),
      core::size_product(edges / edges_of_part(edges, threads) + 1, 8 * buckets),
      core::size_product(rank_parts(nodes, threads), degree_keys * sizeof(std::uint32_t)),
      core::size_product(of_thread, threads));
  return bytes;
}

std::unique_ptr<Graph> build_graph(core::Environment& environment, const EdgeList& list, GraphParts parts) {
  return GraphBuilder(environment, list, parts).build();
}

}  // namespace emgraph::graph::graph500
