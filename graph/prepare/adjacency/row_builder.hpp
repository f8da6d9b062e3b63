// SPDX-License-Identifier: MIT
// The reading and the making of rows behind build_rows(), for entries of any kind.
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
#include "graph/prepare/adjacency/piece_order.hpp"
#include "graph/prepare/adjacency/row_writer.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::adjacency {

/// Rows as arrays.
template <class Offset, class Entry>
struct EntryRows {
  core::Array<Offset> offsets;  ///< of n + 1 nodes
  core::Array<Entry> entries;   ///< of which facts.entries count
  AdjacencyFacts facts;         ///< without the largest degree, unless entries are neighbours
  prepare::IngestFacts read;
};

/// `EdgeEntries` makes the entries of edges, on many threads: entries(thread, batch, first_edge, put) calls
/// put(node, entry) for each entry of a batch. Only rows of neighbours can be `simple`.
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
        bound_(plan.guessed ? prepare::IdBound::guess(plan.shape.below) : prepare::IdBound(plan.shape.below)),
        shape_(plan.shape) {}

  /// nullopt if the rows do not fit.
  std::optional<EntryRows<Offset, Entry>> build() {
    const std::uint64_t free = distribute();
    shape_.nodes = nodes_ = read_.nodes(known_nodes(options_.nodes, source_.facts()));
    if (bound_.guessed &&
        (rows_are_sparse(nodes_, count_) || !rows_fit(rows_bytes(shape_), nodes_, options_, free))) {
      return std::nullopt;
    }
    if (largest_ > most_entries_of_bucket) return std::nullopt;
    arrange();
    const AdjacencyFacts facts = make_rows();
    return EntryRows<Offset, Entry>{std::move(offsets_), std::move(entries_), facts, std::move(read_)};
  }

 private:
  /// Reads the entries into pieces. Returns the bytes that are free without them.
  std::uint64_t distribute() {
    core::MemoryBudget& memory = environment_.memory;
    prepare::Lanes<Node> lanes = prepare::open_lanes(environment_, source_);
    const std::uint64_t free = memory.available();
    const auto places = static_cast<std::size_t>(shape_.pieces * shape_.piece);
    entries_ = core::Array<Entry>(memory, places, "the neighbours of each node");
    sources_ = core::Array<std::uint16_t>(memory, places, "nodes within their buckets");
    pieces_ =
        core::Array<std::uint32_t>(memory, static_cast<std::size_t>(shape_.pieces), "pieces of buckets");
    const RowPieces pieces{shape_.shift, shape_.piece, pieces_.span(), &pieces_taken_, sources_.data()};
    std::vector<RowWriter<Entry>> writers;
    writers.reserve(lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      writers.emplace_back(memory, row_buckets(shape_.below, shape_.shift), pieces, entries_.data());
    }
    {
      core::Phase phase(environment_.progress, "distribute", source_.facts().edges.value_or(0), "edges");
      read_ = prepare::ingest(lanes, source_.facts().name, bound_, phase,
                              [&](unsigned thread, const EdgeBatch<Node>& batch, std::uint64_t first_edge) {
                                RowWriter<Entry>& writer = writers[thread];
                                bool fits = true;
                                edge_entries_.entries(
                                    thread, batch, first_edge,
                                    [&](Node node, const Entry& entry) { fits &= writer.put(node, entry); });
                                if (!fits) refuse_more();
                              },
                              {.checkpoint = environment_.checkpoint});
    }
    lanes.clear();
    core::run_on_threads(static_cast<unsigned>(writers.size()), [&](unsigned thread) {
      if (!writers[thread].finish()) refuse_more();
    });
    place_pieces(writers);
    return free;
  }

  /// There are more entries, or buckets, than pieces were planned for.
  [[noreturn]] void refuse_more() const {
    if (bound_.guessed) throw prepare::GuessFailed();
    throw core::DataError::in_file(
        source_.facts().name, "it has more edges than the " +
                                  std::to_string(source_.facts().edges.value_or(0)) + " that it declares");
  }

  /// The place of each piece: bucket after bucket, those with unused places last in theirs.
  void place_pieces(const std::vector<RowWriter<Entry>>& writers) {
    core::MemoryBudget& memory = environment_.memory;
    const std::size_t buckets = row_buckets(shape_.below, shape_.shift);
    starts_ = core::Array<std::uint64_t>(memory, buckets + 1, "starts of buckets");
    counts_ = core::Array<std::uint64_t>(memory, buckets, "entries of buckets");
    unused_ = core::Array<UnusedPlaces>(memory, buckets * writers.size(), "starts of buckets");
    holes_of_bucket_ = writers.size();
    const std::span<std::uint32_t> pieces = taken_pieces();
    for (const std::uint32_t bucket : pieces) ++counts_[bucket];
    constexpr std::uint32_t placed = std::uint32_t{1} << 31;
    const core::Array<std::uint32_t> next(memory, buckets + 1, "starts of buckets");
    for (std::size_t b = 0; b < buckets; ++b) {
      const auto end = static_cast<std::uint32_t>(next[b] + counts_[b]);
      next[b + 1] = end;
      starts_[b + 1] = end * shape_.piece;
      counts_[b] *= shape_.piece;
      std::uint32_t last = end;
      for (std::size_t i = writers.size(); i-- > 0;) {
        const UnusedPlaces& unused = writers[i].unused(b);
        if (unused.begin == unused.end) continue;
        pieces[unused.end / shape_.piece - 1] = placed | --last;
        const std::uint64_t hole_end = (std::uint64_t{last} + 1) * shape_.piece;
        const std::uint64_t hole = unused.end - unused.begin;
        unused_[b * writers.size() + i] = {hole_end - hole, hole_end};
        counts_[b] -= hole;
      }
      count_ += counts_[b];
      largest_ = std::max(largest_, counts_[b]);
    }
    for (std::uint32_t& piece : pieces) {
      piece = (piece & placed) != 0 ? piece & ~placed : next[piece]++;
    }
  }

  std::span<std::uint32_t> taken_pieces() const {
    return pieces_.span().first(static_cast<std::size_t>(pieces_taken_));
  }

  /// Moves the pieces to their places.
  void arrange() {
    const auto piece = static_cast<std::size_t>(shape_.piece);
    const PieceArray arrays[] = {
        {reinterpret_cast<std::byte*>(entries_.data()), piece * sizeof(Entry)},
        {reinterpret_cast<std::byte*>(sources_.data()), piece * sizeof(std::uint16_t)}};
    permute_pieces(environment_.memory, environment_.threads, taken_pieces(), arrays);
    pieces_ = {};
    offsets_ = core::Array<Offset>(environment_.memory, core::size_sum(nodes_, 1),
                                   "where the neighbours of each node are");
  }

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
    use(begin, starts_[bucket + 1]);
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
    const std::size_t width = std::size_t{1} << shape_.shift;
    const std::size_t buckets = row_buckets(nodes_, shape_.shift);
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(environment_.threads, buckets));
    const std::uint64_t copy =
        std::min(largest_, row_copies_bytes(count_, sizeof(Entry)) / threads / sizeof(Entry));
    std::vector<Work> work;
    work.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) work.emplace_back(environment_.memory, width, copy);
    core::Phase phase(environment_.progress, "build rows", count_, "neighbours");
    std::atomic<std::size_t> bucket{0};
    core::run_on_threads(threads, [&](unsigned thread) {
      for (std::size_t b; (b = bucket.fetch_add(1, std::memory_order_relaxed)) < buckets;) {
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
    const std::uint64_t first = std::uint64_t{bucket} << shape_.shift;
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
  RowsShape shape_;  // `nodes` becomes n
  prepare::IngestFacts read_;
  std::uint64_t nodes_ = 0;
  std::uint64_t count_ = 0;    // of entries, duplicates included
  std::uint64_t largest_ = 0;  // entries of the largest bucket
  core::Array<Entry> entries_;
  core::Array<std::uint16_t> sources_;
  core::Array<Offset> offsets_;
  core::Array<std::uint32_t> pieces_;  // of each piece: its bucket, then its place
  std::uint64_t pieces_taken_ = 0;
  core::Array<std::uint64_t> starts_;  // of buckets, and the end of the last one
  core::Array<std::uint64_t> counts_;  // of each bucket's entries
  core::Array<UnusedPlaces> unused_;   // by bucket
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
  std::optional<EntryRows<Offset, Entry>> rows;
  try {
    rows = EntryRowsBuilder<Offset, Entry, EdgeEntries>(environment, source, options, *plan, edge_entries)
               .build();
  } catch (const prepare::GuessFailed&) {
  }
  if (!rows) source.rewind();
  return rows;
}

}  // namespace emgraph::graph::adjacency
