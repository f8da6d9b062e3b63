// SPDX-License-Identifier: MIT
// The oriented lists on the temporary disks, in segments. A chunk may begin with any segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// The lists of sources first … end - 1 as words. Each list is: 2 · length, plus 1 if the source follows
/// explicitly; the source, unless it is the previous source + 1; the targets. The first list of a segment has
/// an explicit source.
struct ListSegment {
  core::Run<std::uint32_t> words;
  Rank first = 0;
  Rank end = 0;
  std::uint64_t edges = 0;
  // Range of the targets that follow a smaller target in their list. The v of every triangle is in this
  // range.
  Rank least_middle = no_rank;
  Rank most_middle = 0;
};

struct ListSegments {
  std::vector<ListSegment> segments;
  std::uint64_t edges = 0;
  std::size_t longest_list = 0;

  /// Describes the lists for a later process, in which restored() claims their space.
  void save(core::StateWriter& to) const;
  static ListSegments restored(core::Environment& environment, core::StateReader& from);
};

/// Sizes of segments, their writer and their readers.
struct SegmentPlan {
  std::size_t block_bytes = 0;
  std::uint64_t segment_words =
      0;  ///< a segment ends with the list that reaches this size, or before a gap as wide

  static constexpr std::size_t depth = 2;  ///< blocks read ahead
  static SegmentPlan make(std::size_t memory_bytes);
  std::size_t writer_bytes() const { return 2 * block_bytes; }
  /// Memory of a stream: the blocks of the current segment and of the next one.
  std::size_t stream_bytes() const {
    return 2 * core::RunReader<std::uint32_t>::memory_bytes(block_bytes, depth);
  }
};

/// I/O: writes 4 bytes per edge and per list. Memory: writer_bytes and the longest list. Threads: one.
class ListWriter {
 public:
  ListWriter(core::Environment& environment, const SegmentPlan& plan);

  /// Adds the next edge. Requires: edges are ascending by (source, target).
  void add(Rank source, Rank target) {
    if (source != source_ || length_ == 0) start_list(source);
    if (length_ == list_.size()) grow();
    list_[length_++] = target;
  }
  ListSegments finish();

 private:
  void start_list(Rank source);
  void end_list();
  void end_segment();
  void grow();

  core::Environment& environment_;
  const SegmentPlan plan_;
  ListSegments result_;
  std::optional<core::RunWriter<std::uint32_t>> writer_;
  core::Array<Rank> list_;
  Rank source_ = 0;
  std::size_t length_ = 0;
};

/// A batch of lists with its own memory.
class ListBuffer {
 public:
  ListBuffer(core::MemoryBudget& budget, std::size_t most_words);
  static std::size_t bytes_for(std::size_t most_words) {
    return (most_words / 2 * 5 + 2 * list_slack) * sizeof(Rank) + 4 * core::page_bytes;
  }

  bool fits(std::size_t length) const {
    return filled_ + length <= targets_.size() - list_slack && lists_ < sources_.size();
  }
  void clear() { filled_ = lists_ = 0; }
  std::size_t lists() const { return lists_; }
  /// Returns the space for the next list.
  Rank* open(Rank source, std::size_t length);
  ListBatch batch() const {
    return {.sources = sources_.data(),
            .begins = begins_.data(),
            .ends = ends_.data(),
            .targets = targets_.data(),
            .lists = lists_};
  }

 private:
  core::Array<Rank> targets_;
  core::Array<Rank> sources_;
  core::Array<std::uint32_t> begins_;
  core::Array<std::uint32_t> ends_;
  std::size_t filled_ = 0;
  std::size_t lists_ = 0;
};

/// Reads all lists of segments begin … end - 1, in order. Skips segments without a triangle whose v is in the
/// given range of ranks. I/O: reads each segment once. Memory: SegmentPlan::stream_bytes. Threads: one at a
/// time.
class ListStream {
 public:
  ListStream(core::Environment& environment, const ListSegments& lists, std::size_t begin, std::size_t end,
             Rank least_middle = 0, Rank end_middle = no_rank);

  /// Fills the buffer with whole lists; false at the end.
  bool next(ListBuffer& buffer);

 private:
  std::uint32_t word();
  bool next_list();
  void read_ahead();
  void copy(Rank* to, std::size_t count);

  core::Environment& environment_;
  const ListSegments& lists_;
  std::size_t segment_;  ///< the segment that is read ahead
  const std::size_t end_;
  const Rank least_middle_;
  const Rank end_middle_;
  std::optional<core::RunReader<std::uint32_t>> reader_;
  std::optional<core::RunReader<std::uint32_t>> ahead_;
  std::span<const std::uint32_t> words_;
  Rank source_ = 0;
  std::size_t length_ = 0;  ///< length of the list whose head has been read; 0: none
};

}  // namespace emgraph::graph::triangles
