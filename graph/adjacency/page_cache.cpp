// SPDX-License-Identifier: MIT
// The clock algorithm, and the merging of reads of adjacent pages.
#include "graph/adjacency/page_cache.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/random_word.hpp"

namespace emgraph::graph::adjacency {
namespace {

// Most bytes of one request; larger requests are no faster.
constexpr std::size_t most_request_bytes = std::size_t{256} << 10;

// Least number of frames for reading along.
constexpr std::size_t frames_to_read_along = 2048;
// A quarter of the pages that are read along must be used, apart from this number: on a large grid,
// neighbours are needed some time later.
constexpr std::uint64_t unused_at_first = 8192;
// Frames that are looked at for one with a page that was used, before one with a page read along is emptied.
constexpr std::size_t steps_past_along = 64;
// Number of lost pages to judge by.
constexpr std::uint64_t lost_to_judge = 256;

std::size_t frame_count(const PageStore& store, std::size_t bytes) {
  const std::size_t table =
      static_cast<std::size_t>(store.pages()) * sizeof(std::uint32_t) + core::page_bytes;
  const std::size_t wished = bytes > table ? (bytes - table) / store.page_bytes() : 0;
  const std::size_t useful = static_cast<std::size_t>(std::min<std::uint64_t>(store.pages(), 1U << 30));
  return std::max(PageCache::least_frames, std::min(wished, useful));
}

}  // namespace

PageCache::PageCache(core::Environment& environment, PageStore& store, std::size_t bytes)
    : store_(store),
      frame_of_(environment.memory, static_cast<std::size_t>(store.pages()), "the table of a page cache"),
      memory_(environment.memory, frame_count(store, bytes) * store.page_bytes(), "a page cache"),
      frames_(memory_.size() / store.page_bytes()) {
  std::fill(frame_of_.span().begin(), frame_of_.span().end(), none);
}

PageCache::~PageCache() {
  for (Frame& frame : frames_) {
    if (frame.request != nullptr) frame.request->wait_ignoring_error();
  }
}

std::uint32_t PageCache::evict() {
  auto hand = static_cast<std::uint32_t>(core::random_word(0, evictions_++) % frames_.size());
  std::uint32_t candidate = none;  // a page that was read along
  std::size_t last = 2 * frames_.size();
  for (std::size_t steps = 0; steps <= last; ++steps) {
    const std::uint32_t i = hand;
    hand = hand + 1 == frames_.size() ? 0 : hand + 1;
    Frame& frame = frames_[i];
    if (frame.pins > 0 || (frame.along != 0 && candidate != none)) continue;
    if (frame.used) {
      frame.used = false;
      continue;
    }
    if (frame.along == 0) return empty_frame(i);
    candidate = i;
    last = std::min(last, steps + steps_past_along);
  }
  if (candidate == none) throw std::logic_error("a page cache in which all pages are pinned");
  return empty_frame(candidate);
}

std::uint32_t PageCache::empty_frame(std::uint32_t place) {
  Frame& frame = frames_[place];
  if (frame.request != nullptr) {  // read along, and never used
    frame.request->wait_ignoring_error();
    frame.request.reset();
  }
  if (frame.holds) frame_of_[static_cast<std::size_t>(frame.page)] = none;
  if (frame.along == group_pages_) judge_reading_along();
  frame.holds = false;
  frame.along = 0;
  return place;
}

bool PageCache::reads_along() const {
  return group_pages_ > 1 && frames_.size() >= frames_to_read_along &&
         along_ <= 4 * along_used_ + unused_at_first;
}

void PageCache::judge_reading_along() {
  if (++along_lost_ < lost_to_judge || along_lost_ * 4 < along_used_) return;
  group_pages_ /= 2;
  along_ = along_used_ = along_lost_ = 0;
}

std::uint32_t PageCache::gather(std::uint64_t page) {
  const bool adjacent = !gathered_.empty() && frames_[gathered_.back()].page + 1 == page &&
                        page % store_.chunk_pages() != 0 &&
                        (gathered_.size() + 1) * store_.page_bytes() <= most_request_bytes;
  if (!adjacent) flush();
  const std::uint32_t i = evict();
  frame_of_[static_cast<std::size_t>(page)] = i;
  Frame& frame = frames_[i];
  frame.page = page;
  frame.holds = true;
  frame.loaded = false;
  frame.pins = 1;
  gathered_.push_back(i);
  return i;
}

PageCache::Group PageCache::absent_around(std::uint64_t page) const {
  const std::uint64_t chunk = page - page % store_.chunk_pages();
  const std::uint64_t group = page - page % group_pages_;
  const std::uint64_t last = std::min({group + group_pages_, chunk + store_.chunk_pages(), store_.pages()});
  const auto absent = [&](std::uint64_t other) { return !holds(other) && store_.resident(other) == nullptr; };
  Group pages{page, page + 1};
  while (pages.first > std::max(group, chunk) && absent(pages.first - 1)) --pages.first;
  while (pages.end < last && absent(pages.end)) ++pages.end;
  return pages;
}

void PageCache::read_ahead(std::uint64_t page) {
  if (page % group_pages_ != group_pages_ / 2 || !reads_along()) return;
  // A search that has used the page above comes from there.
  const std::uint32_t above =
      page + 1 < store_.pages() ? frame_of_[static_cast<std::size_t>(page + 1)] : none;
  const bool descends = above != none && frames_[above].along == 0;
  if (descends && page < group_pages_) return;
  const std::uint64_t next = descends ? page - group_pages_ : page + group_pages_ - group_pages_ / 2;
  if (next >= store_.pages() || holds(next) || store_.resident(next) != nullptr) return;
  const Group pages = absent_around(next);
  along_ += pages.end - pages.first;
  for (std::uint64_t other = pages.first; other < pages.end; ++other) gather_along(other);
}

void PageCache::gather_along(std::uint64_t page) {
  Frame& frame = frames_[gather(page)];
  frame.along = static_cast<std::uint8_t>(group_pages_);
  frame.used = true;  // as if: it is needed later than pages that were used before
}

void PageCache::expire_neighbours(std::uint64_t page) {
  for (const std::uint64_t beside : {page - 1, page + 1}) {
    if (beside >= store_.pages() || !holds(beside)) continue;
    Frame& frame = frames_[frame_of_[static_cast<std::size_t>(beside)]];
    if (frame.along == 0) frame.used = false;
  }
}

std::uint32_t PageCache::pin(std::uint64_t page) {
  std::uint32_t place = frame_of_[static_cast<std::size_t>(page)];
  if (place == none) {
    const Group pages = reads_along() ? absent_around(page) : Group{page, page + 1};
    along_ += pages.end - pages.first - 1;
    for (std::uint64_t other = pages.first; other < pages.end; ++other) {
      if (other != page) {
        gather_along(other);
        continue;
      }
      place = gather(page);
      frames_[place].along = 0;
      // A later page may start the read, and be given this frame if nothing else pins it.
      ++frames_[place].pins;
    }
    expire_neighbours(page);
  } else {
    const std::uint8_t along = std::exchange(frames_[place].along, std::uint8_t{0});
    along_used_ += along != 0 && along == group_pages_;
    ++frames_[place].pins;
    if (along != 0) {
      expire_neighbours(page);
      read_ahead(page);
    }
  }
  frames_[place].used = true;
  return place;
}

void PageCache::flush() {
  if (gathered_.empty()) return;
  std::vector<std::span<std::byte>> buffers;
  buffers.reserve(gathered_.size());
  for (const std::uint32_t frame : gathered_) buffers.push_back(bytes_of(frame));
  const core::RequestPtr request = store_.read(frames_[gathered_.front()].page, std::move(buffers));
  for (const std::uint32_t frame : gathered_) {
    frames_[frame].request = request;
    frames_[frame].fresh = true;
    --frames_[frame].pins;
  }
  gathered_.clear();
}

const std::byte* PageCache::wait(std::uint32_t frame, bool& fresh) {
  Frame& wanted = frames_[frame];
  if (wanted.request == nullptr && !gathered_.empty() &&
      std::find(gathered_.begin(), gathered_.end(), frame) != gathered_.end()) {
    flush();
  }
  if (wanted.request != nullptr) {
    wanted.request->wait();
    wanted.request.reset();
  }
  fresh = wanted.fresh;
  wanted.fresh = false;
  wanted.loaded = true;
  return bytes_of(frame).data();
}

}  // namespace emgraph::graph::adjacency
