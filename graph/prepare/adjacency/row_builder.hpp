// SPDX-License-Identifier: MIT
// The two readings and the making of rows behind build_rows(), for entries of any kind.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/vector_sort.hpp"
#include "graph/prepare/adjacency/build_rows.hpp"
#include "graph/prepare/adjacency/row_writer.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::adjacency {

/// Ids may be that many times above those of the sample.
inline constexpr std::uint64_t row_guess_slack = 16;

/// Rows as arrays.
template <class Offset, class Entry>
struct EntryRows {
  core::Array<Offset> offsets;  ///< of n + 1 nodes
  core::Array<Entry> entries;   ///< of which facts.entries count
  AdjacencyFacts facts;         ///< without the largest degree, unless entries are neighbours
  prepare::IngestFacts read;
};

/// `EdgeEntries` makes the entries of edges, on many threads: nodes(batch, put) calls put(node) for each
/// entry of a batch, and entries(thread, batch, first_edge, put) calls put(node, entry). Only rows of
/// neighbours can be `simple`.
template <class Offset, class Entry, class EdgeEntries>
class EntryRowsBuilder {
  using Node = std::uint32_t;
  static constexpr bool of_neighbours = std::is_same_v<Entry, Node>;

 public:
  EntryRowsBuilder(core::Environment& environment, EdgeSource<Node>& source, const RowsOptions& options,
                   const RowsPlan& plan, EdgeEntries& edge_entries)
      : environment_(environment),
        source_(source),
        options_(options),
        edge_entries_(edge_entries),
        bound_(plan.guessed ? prepare::IdBound::guess(std::min(most_row_nodes, plan.nodes * row_guess_slack))
                            : prepare::IdBound(plan.nodes)),
        shift_(row_shift(plan.nodes)) {}

  std::optional<EntryRows<Offset, Entry>> build() {
    count();
    const bool fits = lay_out();
    source_.rewind();
    if (!fits) return std::nullopt;
    distribute();
    const AdjacencyFacts facts = make_rows();
    return EntryRows<Offset, Entry>{std::move(offsets_), std::move(entries_), facts, std::move(read_)};
  }

 private:
  template <class Take>
  prepare::IngestFacts read(const char* name, const prepare::IdBound& bound, Take&& take) {
    core::Phase phase(environment_.progress, name, source_.facts().edges.value_or(0), "edges");
    return prepare::ingest(lanes_, source_.facts().name, bound, phase, take,
                           {.checkpoint = environment_.checkpoint});
  }

  /// The first reading.
  void count() {
    lanes_ = prepare::open_lanes(environment_, source_);
    const std::size_t buckets = row_buckets(*bound_.below, shift_);
    const core::Array<std::uint64_t> counts(environment_.memory, buckets * lanes_.size(),
                                            "entries of buckets");
    read_ = read("count", bound_, [&](unsigned thread, const EdgeBatch<Node>& batch) {
      std::uint64_t* const of_thread = counts.data() + thread * buckets;
      edge_entries_.nodes(batch, [&](Node node) { ++of_thread[node >> shift_]; });
    });
    nodes_ = read_.nodes(options_.nodes ? options_.nodes : source_.facts().nodes);
    counts_ =
        core::Array<std::uint64_t>(environment_.memory, row_buckets(nodes_, shift_), "entries of buckets");
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (std::size_t b = 0; b < counts_.size(); ++b) counts_[b] += counts[lane * buckets + b];
    }
  }

  /// Where buckets are. False if the rows do not fit.
  bool lay_out() {
    core::MemoryBudget& memory = environment_.memory;
    const std::size_t buckets = counts_.size();
    const auto lanes = static_cast<unsigned>(lanes_.size());
    for (const std::uint64_t count : counts_.span()) {
      count_ += count;
      largest_ = std::max(largest_, count);
    }
    if (!Csr<Node, Offset>::fits(count_) || rows_are_sparse(nodes_, count_)) return false;
    if (largest_ > std::numeric_limits<std::uint32_t>::max()) return false;
    const RowsBytes bytes = rows_bytes(nodes_, shift_, count_, sizeof(Entry), sizeof(Offset), lanes);
    if (!rows_fit(bytes, nodes_, options_, memory.available())) return false;
    piece_ = row_piece(count_, buckets, lanes);
    starts_ = core::Array<std::uint64_t>(memory, buckets + 1, "starts of buckets");
    next_ = core::Array<std::uint64_t>(memory, buckets, "starts of buckets");
    std::uint64_t place = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      next_[b] = starts_[b] = place;
      place += core::round_up(counts_[b], row_group) + lanes * piece_;
    }
    starts_[buckets] = place;
    entries_ = core::Array<Entry>(memory, place, "the neighbours of each node");
    sources_ = core::Array<std::uint16_t>(memory, place, "nodes within their buckets");
    offsets_ =
        core::Array<Offset>(memory, core::size_sum(nodes_, 1), "where the neighbours of each node are");
    return true;
  }

  /// The second reading.
  void distribute() {
    const RowBuckets buckets{shift_, piece_, starts_.span(), next_.span(), sources_.data()};
    std::vector<RowWriter<Entry>> writers;
    writers.reserve(lanes_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      writers.emplace_back(environment_.memory, buckets, entries_.data());
    }
    try {
      // The buckets end with the largest id of the first reading.
      const prepare::IngestFacts again = read(
          "distribute", prepare::IdBound::guess(nodes_),
          [&](unsigned thread, const EdgeBatch<Node>& batch, std::uint64_t first_edge) {
            RowWriter<Entry>& writer = writers[thread];
            bool fits = true;
            edge_entries_.entries(thread, batch, first_edge,
                                  [&](Node node, const Entry& entry) { fits &= writer.put(node, entry); });
            if (!fits) refuse_changed();
          });
      if (again.edges != read_.edges || again.largest_id != read_.largest_id) refuse_changed();
    } catch (const prepare::GuessFailed&) {
      refuse_changed();
    }
    lanes_.clear();
    core::run_on_threads(static_cast<unsigned>(writers.size()), [&](unsigned thread) {
      if (!writers[thread].finish()) refuse_changed();
    });
    unused_ =
        core::Array<UnusedPlaces>(environment_.memory, writers.size() * counts_.size(), "starts of buckets");
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      const std::span<UnusedPlaces> of_bucket = unused_.span().subspan(b * writers.size(), writers.size());
      std::uint64_t unused = 0;
      for (std::size_t i = 0; i < writers.size(); ++i) {
        of_bucket[i] = writers[i].unused(b);
        unused += of_bucket[i].end - of_bucket[i].begin;
      }
      std::ranges::sort(of_bucket, {}, &UnusedPlaces::begin);
      if (next_[b] - starts_[b] - unused != counts_[b]) refuse_changed();
    }
    holes_of_bucket_ = writers.size();
  }

  [[noreturn]] void refuse_changed() const { prepare::refuse_changed(source_.facts().name); }

  /// Calls use(begin, end) for the places with entries.
  template <class Use>
  void for_places(std::size_t bucket, Use&& use) const {
    std::uint64_t begin = starts_[bucket];
    for (std::size_t i = 0; i < holes_of_bucket_; ++i) {
      const UnusedPlaces& hole = unused_[bucket * holes_of_bucket_ + i];
      if (hole.begin == hole.end) continue;
      use(begin, hole.begin);
      begin = hole.end;
    }
    use(begin, next_[bucket]);
  }

  /// A thread's memory for the bucket that it works on, and the largest degree it has seen.
  struct Work {
    Work(core::MemoryBudget& memory, std::size_t width, std::uint64_t entries)
        : ends(memory, width, "ends of rows"),
          starts(memory, width, "starts of rows"),
          rows(memory, entries, "rows of a bucket") {}
    core::Array<std::uint32_t> ends;
    core::Array<std::uint32_t> starts;  // for sort_in_place()
    core::Array<Entry> rows;
    std::uint64_t largest_degree = 0;
    std::uint64_t largest_degree_node = 0;
  };

  AdjacencyFacts make_rows() {
    const std::size_t width = std::size_t{1} << shift_;
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(environment_.threads, counts_.size()));
    const std::uint64_t copy =
        std::min(largest_, row_copies_bytes(count_, sizeof(Entry)) / threads / sizeof(Entry));
    std::vector<Work> work;
    work.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) work.emplace_back(environment_.memory, width, copy);
    core::Phase phase(environment_.progress, "build rows", count_, "neighbours");
    std::atomic<std::size_t> bucket{0};
    core::run_on_threads(threads, [&](unsigned thread) {
      for (std::size_t b; (b = bucket.fetch_add(1, std::memory_order_relaxed)) < counts_.size();) {
        try {
          make_bucket(b, work[thread]);
        } catch (...) {
          made_.store(given_up, std::memory_order_release);
          made_.notify_all();
          throw;
        }
        phase.advance(counts_[b]);
      }
    });
    AdjacencyFacts facts{.nodes = nodes_, .entries = end_, .directed = options_.rows != RowsOf::neighbours};
    for (const Work& of_thread : work) {
      const std::uint64_t degree = of_thread.largest_degree;
      const std::uint64_t node = of_thread.largest_degree_node;
      if (degree < facts.largest_degree) continue;
      if (degree == facts.largest_degree && node >= facts.largest_degree_node) continue;
      facts.largest_degree = degree;
      facts.largest_degree_node = node;
    }
    offsets_[static_cast<std::size_t>(nodes_)] = static_cast<Offset>(end_);
    return facts;
  }

  /// Makes the rows of a bucket in the thread's memory. When the bucket before has its place, they get
  /// theirs; all buckets up to this one have been read by then, and it ends before the next one starts.
  void make_bucket(std::size_t bucket, Work& work) {
    const std::span<std::uint32_t> ends = work.ends.span();
    std::fill(ends.begin(), ends.end(), 0U);
    for_places(bucket, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++ends[sources_[i]];
    });
    std::uint32_t count = 0;
    for (std::uint32_t& end : ends) count += std::exchange(end, count);
    const bool in_copy = counts_[bucket] <= work.rows.size();
    Entry* const rows = in_copy ? work.rows.data() : entries_.data() + starts_[bucket];
    if (in_copy) {
      for_places(bucket, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) rows[ends[sources_[i]]++] = entries_[i];
      });
    } else {
      sort_in_place(bucket, work, count);
    }
    if constexpr (of_neighbours) {
      if (options_.simple) count = make_simple(ends, rows);
    }

    for (std::size_t made; (made = made_.load(std::memory_order_acquire)) != bucket;) {
      if (made == given_up) return;  // another thread has failed
      made_.wait(made);
    }
    const std::uint64_t place = end_;
    end_ += count;
    if (!in_copy) std::copy_n(rows, count, entries_.data() + place);  // down, or not at all
    std::size_t made = bucket;
    if (!made_.compare_exchange_strong(made, bucket + 1, std::memory_order_acq_rel)) return;  // given up
    made_.notify_all();
    if (in_copy) std::copy_n(rows, count, entries_.data() + place);
    set_offsets(bucket, place, in_copy ? rows : entries_.data() + place, work);
  }

  /// For a bucket that is larger than the memory for a copy, as that of the centre of a star: brings its
  /// entries together, then each to its row. Source: McIlroy, Bostic, McIlroy (1993), "Engineering Radix
  /// Sort" (American flag sort). work.ends: starts of the rows; afterwards their ends.
  void sort_in_place(std::size_t bucket, Work& work, std::uint32_t count) {
    const std::span<std::uint32_t> ends = work.ends.span();
    const std::span<std::uint32_t> starts = work.starts.span();
    Entry* const entries = entries_.data() + starts_[bucket];
    std::uint16_t* const sources = sources_.data() + starts_[bucket];
    std::uint64_t filled = 0;
    for_places(bucket, [&](std::uint64_t begin, std::uint64_t end) {
      std::copy(entries_.data() + begin, entries_.data() + end, entries + filled);
      std::copy(sources_.data() + begin, sources_.data() + end, sources + filled);
      filled += end - begin;
    });
    std::ranges::copy(ends, starts.begin());
    for (std::size_t v = 0; v < ends.size(); ++v) {
      const std::uint32_t end = v + 1 < starts.size() ? starts[v + 1] : count;
      while (ends[v] < end) {
        const std::uint32_t at = ends[v];
        const std::size_t row = sources[at];
        if (row == v) {
          ++ends[v];
          continue;
        }
        const std::uint32_t other = ends[row]++;
        std::swap(entries[at], entries[other]);
        std::swap(sources[at], sources[other]);
      }
    }
  }

  /// `rows`: those of the bucket, which may be sorted.
  void set_offsets(std::size_t bucket, std::uint64_t place, Entry* rows, Work& work) {
    const std::uint64_t first = std::uint64_t{bucket} << shift_;
    const auto width = static_cast<std::size_t>(std::min<std::uint64_t>(work.ends.size(), nodes_ - first));
    std::uint32_t row = 0;
    for (std::size_t v = 0; v < width; ++v) {
      offsets_[static_cast<std::size_t>(first) + v] = static_cast<Offset>(place + row);
      const std::uint32_t begin = std::exchange(row, work.ends[v]);
      if constexpr (of_neighbours) {
        if (row - begin <= work.largest_degree) continue;
        const std::uint64_t degree = simple_degree(std::span(rows + begin, row - begin));
        if (degree <= work.largest_degree) continue;
        work.largest_degree = degree;
        work.largest_degree_node = first + v;
      }
    }
  }
  /// Few rows are the longest so far.
  std::uint64_t simple_degree(std::span<Node> row) const {
    if (options_.simple) return row.size();
    core::vector_sort(row);
    std::uint64_t degree = 1;
    for (std::size_t i = 1; i < row.size(); ++i) degree += row[i] != row[i - 1] ? 1 : 0;
    return degree;
  }

  /// Sorts each row and drops its duplicates. Returns the entries of all rows, and sets their ends.
  static std::uint32_t make_simple(std::span<std::uint32_t> ends, Node* rows) {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    for (std::uint32_t& row_end : ends) {
      const std::uint32_t end = row_end;
      if (begin < end) {
        core::vector_sort(std::span(rows + begin, end - begin));
        rows[count++] = rows[begin];
        for (std::uint32_t i = begin + 1; i < end; ++i) {
          const Node neighbour = rows[i];
          rows[count] = neighbour;
          count += neighbour != rows[count - 1] ? 1 : 0;
        }
      }
      begin = end;
      row_end = count;
    }
    return count;
  }

  core::Environment& environment_;
  EdgeSource<Node>& source_;
  const RowsOptions options_;
  EdgeEntries& edge_entries_;
  const prepare::IdBound bound_;
  const unsigned shift_;
  prepare::Lanes<Node> lanes_;
  prepare::IngestFacts read_;
  std::uint64_t nodes_ = 0;
  std::uint64_t count_ = 0;    // of entries, duplicates included
  std::uint64_t largest_ = 0;  // entries of the largest bucket
  std::uint64_t piece_ = 0;
  core::Array<std::uint64_t> counts_;  // of each bucket's entries
  core::Array<std::uint64_t> starts_;
  core::Array<std::uint64_t> next_;
  core::Array<Entry> entries_;
  core::Array<std::uint16_t> sources_;
  core::Array<Offset> offsets_;
  core::Array<UnusedPlaces> unused_;  // by bucket
  std::size_t holes_of_bucket_ = 0;
  static constexpr std::size_t given_up = ~std::size_t{0};
  std::atomic<std::size_t> made_{0};  // buckets whose rows have their place
  std::uint64_t end_ = 0;             // of the rows that have their place
};

/// Rows of the entries of edges. As build_rows().
template <class Offset, class Entry, class EdgeEntries>
std::optional<EntryRows<Offset, Entry>> build_entry_rows(core::Environment& environment,
                                                         EdgeSource<std::uint32_t>& source,
                                                         const RowsOptions& options,
                                                         EdgeEntries& edge_entries) {
  const std::optional<RowsPlan> plan = plan_rows(environment, source, options, sizeof(Offset));
  if (!plan) return std::nullopt;
  source.expect_rereading();
  try {
    return EntryRowsBuilder<Offset, Entry, EdgeEntries>(environment, source, options, *plan, edge_entries)
        .build();
  } catch (const prepare::GuessFailed&) {
    source.rewind();
    return std::nullopt;
  }
}

}  // namespace emgraph::graph::adjacency
