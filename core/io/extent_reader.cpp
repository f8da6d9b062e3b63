// SPDX-License-Identifier: MIT
// The pipeline of reads: slots go free -> in flight -> held by a lane -> free.
#include "core/io/extent_reader.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::core {

struct ExtentReader::Slot {
  Buffer buffer;
  FileExtent extent;
  std::uint64_t index = 0;
  std::size_t head_bytes = 0;  // bytes read before the extent, because reads start at a page
  RequestPtr request;
};

ExtentReader::ExtentReader(Disk& disk, MemoryBudget& budget,
                           std::function<std::optional<FileExtent>(std::uint64_t)> sequence,
                           std::size_t max_extent_bytes, unsigned depth, unsigned lanes)
    : disk_(disk),
      sequence_(std::move(sequence)),
      depth_(std::max(depth, 1U)),
      max_extent_bytes_(max_extent_bytes) {
  // depth_ in flight and one for each lane, so that a lane that holds its extent for long delays no other.
  const std::size_t slots = depth_ + std::max(lanes, 1U);
  slots_.resize(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    slots_[i].buffer = Buffer(budget, max_extent_bytes + 2 * page_bytes, "buffers for reading ahead");
    free_.push_back(slots - 1 - i);
  }
}

ExtentReader::~ExtentReader() {
  for (const std::size_t i : in_flight_) slots_[i].request->wait_ignoring_error();
}

std::optional<ExtentReader::Loaded> ExtentReader::next() {
  std::size_t taken = 0;
  {
    const std::lock_guard lock(mutex_);
    fill_locked();
    if (in_flight_.empty()) {
      if (!exhausted_) throw std::logic_error("ExtentReader: more extents are held than there are lanes");
      return std::nullopt;
    }
    taken = in_flight_.front();
    in_flight_.pop_front();
  }
  Slot& slot = slots_[taken];
  try {
    const std::size_t bytes = slot.request->wait();
    slot.request.reset();
    const std::size_t loaded =
        std::min<std::uint64_t>(slot.extent.bytes, bytes - std::min(bytes, slot.head_bytes));
    return Loaded{.index = slot.index,
                  .offset = slot.extent.offset,
                  .bytes = {slot.buffer.data() + slot.head_bytes, loaded},
                  .slot = taken};
  } catch (...) {
    const std::lock_guard lock(mutex_);
    free_.push_back(taken);
    throw;
  }
}

void ExtentReader::release(const Loaded& loaded) {
  const std::lock_guard lock(mutex_);
  free_.push_back(loaded.slot);
}

void ExtentReader::rewind(std::uint64_t first) {
  const std::lock_guard lock(mutex_);
  for (const std::size_t i : in_flight_) {
    slots_[i].request->wait_ignoring_error();
    free_.push_back(i);
  }
  in_flight_.clear();
  next_index_ = first;
  exhausted_ = false;
}

// Keeps depth_ reads in flight, not counting the one that the caller is about to take.
void ExtentReader::fill_locked() {
  while (!exhausted_ && !free_.empty() && in_flight_.size() <= depth_) {
    const std::optional<FileExtent> extent = sequence_(next_index_);
    if (!extent) {
      exhausted_ = true;
      return;
    }
    if (extent->bytes > max_extent_bytes_) throw std::length_error("ExtentReader: extent above the maximum");
    const std::size_t i = free_.back();
    Slot& slot = slots_[i];
    slot.extent = *extent;
    slot.index = next_index_;
    slot.head_bytes = disk_.direct() ? extent->offset % page_bytes : 0;
    const std::uint64_t whole = slot.head_bytes + extent->bytes;
    const std::size_t bytes = disk_.direct() ? round_up(whole, page_bytes) : whole;
    in_flight_.push_back(i);
    try {
      slot.request = disk_.read(extent->offset - slot.head_bytes, std::span(slot.buffer.data(), bytes));
    } catch (...) {
      in_flight_.pop_back();
      throw;
    }
    free_.pop_back();
    ++next_index_;
  }
}

}  // namespace emgraph::core
