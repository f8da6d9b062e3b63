// SPDX-License-Identifier: MIT
// The pipeline of a scan. A slot is free, then in flight, then held by a lane, then free again; the store may
// take its buffer.
#include "graph/adjacency/page_scan.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace emgraph::graph::adjacency {

PageScan::PageScan(core::Environment& environment, PageStore& store, unsigned lanes, std::size_t keep_bytes,
                   std::function<bool(std::uint64_t, std::uint64_t)> wanted)
    : environment_(environment), store_(store), wanted_(std::move(wanted)), keep_left_(keep_bytes) {
  if (store.all_resident()) return;
  const std::size_t chunk = store.chunk_bytes();
  const std::size_t free = environment.memory.available();
  const std::uint64_t absent = store.chunks() - store.resident_pages() / store.chunk_pages();
  const std::uint64_t all = absent * chunk;
  // All are kept rather than that more are read ahead: bytes_to_load() in list_access.hpp counts on it.
  if (keep_left_ >= all && free >= all + (lanes + least_depth_of_load) * chunk) {
    keep_left_ = static_cast<std::size_t>(all);
  } else {
    keep_left_ = std::min(keep_left_, free - std::min(free, (lanes + wished_depth) * chunk));
  }
  const std::size_t affordable = (free - keep_left_) / chunk;
  depth_ = affordable <= lanes + 1
               ? 1U
               : static_cast<unsigned>(std::min<std::size_t>(wished_depth, affordable - lanes));
  slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(depth_ + lanes, absent)));
  for (std::size_t i = slots_.size(); i-- > 0;) {
    slots_[i].buffer = core::Buffer(environment.memory, chunk, "reading pages of an adjacency ahead");
    free_.push_back(i);
  }
}

PageScan::~PageScan() {
  for (Slot& slot : slots_) {
    if (slot.request != nullptr) slot.request->wait_ignoring_error();
  }
}

void PageScan::fill_locked() {
  // One request more than depth_, because the caller takes one at once.
  while (next_chunk_ < store_.chunks() && ready_.size() <= depth_) {
    const std::uint64_t chunk = next_chunk_;
    const std::uint64_t first_page = chunk * store_.chunk_pages();
    if (store_.resident(first_page) != nullptr) {
      ready_.push_back({chunk, no_slot});
    } else if (!wanted_ || wanted_(first_page, store_.pages_in(chunk))) {
      if (free_.empty()) {
        if (!ready_.empty()) return;
        throw std::logic_error("a scan of pages in which lanes hold all chunks");
      }
      const std::size_t i = free_.back();
      Slot& slot = slots_[i];
      slot.kept = keep_left_ >= store_.chunk_bytes();
      if (slot.kept) {
        keep_left_ -= store_.chunk_bytes();
      }
      const auto bytes = static_cast<std::size_t>(store_.pages_in(chunk)) * store_.page_bytes();
      slot.chunk = chunk;
      ready_.push_back({chunk, i});
      try {
        slot.request = store_.read(first_page, {std::span(slot.buffer.data(), bytes)});
      } catch (...) {
        ready_.pop_back();
        throw;
      }
      free_.pop_back();
    }
    ++next_chunk_;
  }
}

std::optional<PageScan::Loaded> PageScan::next() {
  Ready taken;
  {
    const std::lock_guard lock(mutex_);
    fill_locked();
    if (ready_.empty()) return std::nullopt;
    taken = ready_.front();
    ready_.pop_front();
  }
  Loaded loaded{.first_page = taken.chunk * store_.chunk_pages(),
                .pages = store_.pages_in(taken.chunk),
                .data = nullptr,
                .fresh = taken.slot != no_slot,
                .kept = taken.slot != no_slot && slots_[taken.slot].kept,
                .slot = taken.slot};
  if (!loaded.fresh) {
    loaded.data = store_.resident(loaded.first_page);
    return loaded;
  }
  Slot& slot = slots_[taken.slot];
  slot.request->wait();
  loaded.data = slot.buffer.data();
  return loaded;
}

void PageScan::release(const Loaded& loaded) {
  if (loaded.slot == no_slot) return;
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[loaded.slot];
  slot.request.reset();
  if (slot.kept) {
    slot.kept = false;
    core::Buffer next(environment_.memory, store_.chunk_bytes(), "reading pages of an adjacency ahead");
    store_.keep(slot.chunk, std::exchange(slot.buffer, std::move(next)));
  }
  free_.push_back(loaded.slot);
}

void PageScan::rewind() {
  const std::lock_guard lock(mutex_);
  for (const Ready& ready : ready_) {
    if (ready.slot == no_slot) continue;
    slots_[ready.slot].request->wait_ignoring_error();
    slots_[ready.slot].request.reset();
    slots_[ready.slot].kept = false;
    free_.push_back(ready.slot);
  }
  ready_.clear();
  next_chunk_ = 0;
}

}  // namespace emgraph::graph::adjacency
