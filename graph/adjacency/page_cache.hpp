// SPDX-License-Identifier: MIT
// A cache of single pages of a store.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/page_store.hpp"

namespace emgraph::graph::adjacency {

/// Frames for pages of a store, with replacement by the clock algorithm whose hand starts at a random frame:
/// a page stays if it was used since the hand passed it last. A search uses its pages in ascending order,
/// round after round: if there are slightly more of them than frames, a hand that goes round evicts each page
/// just before it is used. A pinned page is never replaced. Adjacent pages that are pinned one after another
/// are read by one request.
///
/// If there are many frames, a miss reads the neighbours of the page along, up to 8 pages together: a search
/// of a grid or a road network needs them soon, and fewer requests are faster. When the middle one of them is
/// used, the next group is read ahead. It reads fewer along if they are replaced before they are used, and
/// none if few are used. When a page is used for the first time, the page before it is the next to be
/// replaced, and pages read along are replaced last. Measured: bfs on a grid of 4096 x 4096, -M 128M, 38,832
/// pages and 28,581 frames: 9,522 requests; 34,475 if each miss reads along, without the other rules.
///
/// I/O: a page per miss, and its neighbours. Memory: the frames and 4 bytes per page of the store, charged;
/// 32 bytes per frame, not charged. Threads: one, except `find`. Throws: EnvironmentError, MemoryLimitError;
/// after a throw only destruction is allowed.
class PageCache {
 public:
  /// As many frames as fit into `bytes`, but at least `least_frames`.
  PageCache(core::Environment& environment, PageStore& store, std::size_t bytes);
  ~PageCache();
  PageCache(const PageCache&) = delete;

  static constexpr std::size_t least_frames = 4;
  static std::size_t least_bytes(const PageStore& store) {
    return least_frames * store.page_bytes() +
           static_cast<std::size_t>(store.pages()) * sizeof(std::uint32_t) + 2 * core::page_bytes;
  }

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::size_t frames() const { return frames_.size(); }
  bool holds(std::uint64_t page) const { return frame_of_[static_cast<std::size_t>(page)] != none; }

  /// Pins the page and returns its frame. `flush` or `wait` starts the read, if it has not started before.
  /// Requires: at least one frame is not pinned.
  std::uint32_t pin(std::uint64_t page);
  /// Starts the read of the gathered pages.
  void flush();
  /// Waits for the page of the frame. `fresh` becomes true for the first call after the page was read.
  const std::byte* wait(std::uint32_t frame, bool& fresh);
  /// The page of the frame if its read has ended with a `wait`, else null.
  const std::byte* loaded(std::uint32_t frame) const {
    return frames_[frame].loaded ? bytes_of(frame).data() : nullptr;
  }
  /// The page, if its read has ended with a `wait`, else null. Threads: any number, while no other function
  /// runs.
  const std::byte* find(std::uint64_t page) {
    const std::uint32_t frame = frame_of_[static_cast<std::size_t>(page)];
    if (frame == none || !frames_[frame].loaded) return nullptr;
    const std::atomic_ref<bool> used(frames_[frame].used);
    if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
    return bytes_of(frame).data();
  }
  void unpin(std::uint32_t frame) { --frames_[frame].pins; }
  /// The memory of a frame.
  std::span<std::byte> bytes_of(std::uint32_t frame) const {
    return memory_.bytes().subspan(frame * store_.page_bytes(), store_.page_bytes());
  }

 private:
  static constexpr std::uint64_t most_group_pages = 8;
  struct Frame {
    std::uint64_t page = 0;
    core::RequestPtr request;  ///< not null: the read is in flight
    std::uint16_t pins = 0;
    bool used = false;   ///< used since the hand passed last
    bool holds = false;  ///< holds a page
    bool fresh = false;
    bool loaded = false;  ///< the read of the page has ended
    /// Not 0: the page was read along in a group of so many, and has not been used.
    std::uint8_t along = 0;
  };
  /// Adjacent pages.
  struct Group {
    std::uint64_t first;
    std::uint64_t end;
  };
  std::uint32_t evict();
  std::uint32_t empty_frame(std::uint32_t place);
  std::uint32_t gather(std::uint64_t page);
  bool reads_along() const;
  Group absent_around(std::uint64_t page) const;
  /// Reads the next group of pages when the middle one of a group is used.
  void read_ahead(std::uint64_t page);
  /// Gathers a page that no list is read of yet.
  void gather_along(std::uint64_t page);
  /// The page is used for the first time: a search that moves on needs those beside it that were used no
  /// longer.
  void expire_neighbours(std::uint64_t page);
  void judge_reading_along();

  PageStore& store_;
  core::Array<std::uint32_t> frame_of_;  ///< frame of each page
  core::Buffer memory_;
  std::vector<Frame> frames_;
  std::uint64_t evictions_ = 0;
  std::vector<std::uint32_t> gathered_;  ///< frames of consecutive pages for one request, pinned once more
  std::uint64_t group_pages_ = most_group_pages;  ///< pages that a miss reads together, aligned
  std::uint64_t along_ = 0;                       ///< pages read along since group_pages_ changed
  std::uint64_t along_used_ = 0;                  ///< of them, pages that were used
  std::uint64_t along_lost_ = 0;                  ///< of them, pages that were replaced before
};

}  // namespace emgraph::graph::adjacency
