// SPDX-License-Identifier: MIT
// Look-ahead, schedule and buffers of several lists of blocks.
#include "core/block/block_prefetcher.hpp"

#include <algorithm>
#include <utility>

namespace emgraph::core {
namespace {

// Blocks of look-ahead per buffer. 64 are within half a percent of a schedule of the whole sequence
// (measured: core/block/README.md). Fewer if blocks are so small that the look-ahead would take more than a
// twentieth of their memory.
constexpr std::size_t least_look_ahead = 8;
constexpr std::size_t most_look_ahead = 64;
constexpr std::size_t block_bytes_per_entry = 512;

}  // namespace

BlockPrefetcher::BlockPrefetcher(Environment& environment, std::vector<BlockList> lists,
                                 std::size_t block_bytes, std::span<std::byte> memory, Prediction prediction)
    : block_bytes_(block_bytes),
      prediction_(std::move(prediction)),
      lists_(lists.size()),
      scheduler_(environment.blocks.disks()) {
  for (std::size_t i = 0; i < lists.size(); ++i) lists_[i].blocks = std::move(lists[i]);
  try {
    start(memory);
  } catch (...) {
    wait_ignoring_error();
    throw;
  }
}

BlockPrefetcher::~BlockPrefetcher() {
  wait_ignoring_error();
}

void BlockPrefetcher::wait_ignoring_error() noexcept {
  for (const RequestPtr& request : requests_) {
    if (request != nullptr) request->wait_ignoring_error();
  }
}

void BlockPrefetcher::start(std::span<std::byte> memory) {
  // With a prediction the memory holds a buffer for each list, then the pool, then the look-ahead.
  const std::size_t look_ahead_per_buffer =
      std::clamp(block_bytes_ / block_bytes_per_entry, least_look_ahead, most_look_ahead);
  const std::size_t look_ahead_bytes = look_ahead_per_buffer * (sizeof(Entry) + 3 * sizeof(std::uint32_t));
  std::size_t more_blocks = 0;
  for (const List& list : lists_)
    more_blocks += list.blocks.size() - std::min<std::size_t>(list.blocks.size(), 1);
  if (prediction_) {
    const std::size_t room = memory.size() - lists_.size() * block_bytes_;
    buffers_ = std::min({room / (block_bytes_ + look_ahead_bytes), more_blocks, most_buffers});
  }
  const std::size_t all = lists_.size() + (buffers_ > 0 ? buffers_ : lists_.size());
  blocks_ = memory.first(all * block_bytes_);
  requests_.resize(all);
  for (std::uint32_t i = 0; i < lists_.size(); ++i) {
    lists_[i].buffer = i;
    if (lists_[i].blocks.size() > 0) read(lists_[i], 0, i);
  }
  if (buffers_ == 0) return read_each_ahead();

  const std::size_t look_ahead = look_ahead_per_buffer * buffers_;
  entries_ = {reinterpret_cast<Entry*>(blocks_.data() + blocks_.size()), look_ahead};
  auto* const numbers = reinterpret_cast<std::uint32_t*>(entries_.data() + look_ahead);
  disks_ = {numbers, look_ahead};
  order_ = {numbers + look_ahead, look_ahead};
  steps_ = {numbers + 2 * look_ahead, look_ahead};
  free_.reserve(buffers_);
  for (auto i = static_cast<std::uint32_t>(all); i-- > lists_.size();) free_.push_back(i);
  fill_look_ahead();
  fetch();
}

void BlockPrefetcher::read_each_ahead() {
  for (std::uint32_t i = 0; i < lists_.size(); ++i) {
    List& list = lists_[i];
    list.ahead = static_cast<std::uint32_t>(lists_.size()) + i;
    if (list.blocks.size() > 1) read(list, 1, list.ahead);
  }
}

void BlockPrefetcher::read(const List& list, std::size_t block, std::uint32_t buffer) {
  const std::size_t bytes = list.blocks[block].bytes;
  requests_[buffer] =
      list.blocks.read(block, blocks_.subspan(buffer * block_bytes_, block_bytes_).first(bytes));
}

std::span<const std::byte> BlockPrefetcher::next(std::size_t list_number) {
  List& list = lists_[list_number];
  const std::size_t block = list.taken++;
  if (block > 0 && buffers_ > 0) advance(list, block);
  if (block > 0 && buffers_ == 0) {
    std::swap(list.buffer, list.ahead);
    if (block + 1 < list.blocks.size()) read(list, block + 1, list.ahead);
  }
  const std::size_t bytes = requests_[list.buffer]->wait();
  requests_[list.buffer].reset();
  list.blocks.free_first();
  return blocks_.subspan(list.buffer * block_bytes_, bytes);
}

/// Frees the buffer of the block in use: for the pool, or for `block`, the next block of the list.
void BlockPrefetcher::advance(List& list, std::size_t block) {
  const std::uint32_t given_back = list.buffer;
  std::uint32_t holding = none;
  if (list.predicted > block) {
    Entry& next = entries_[list.first_entry];
    holding = std::exchange(next.buffer, consumed);
    list.first_entry = next.next;
  }
  if (holding == none) {
    ++unforeseen_;
    read(list, block, given_back);
  } else {
    free_.push_back(given_back);
    list.buffer = holding;
  }
  while (first_ < last_ && entry(first_).buffer == consumed) ++first_;
  fill_look_ahead();
  fetch();
}

void BlockPrefetcher::fill_look_ahead() {
  if (!prediction_ || last_ - first_ > entries_.size() / 2) return;
  while (last_ - first_ < entries_.size()) {
    const std::size_t list_number = prediction_();
    if (list_number == no_list) {
      prediction_ = {};
      break;
    }
    add_entry(list_number);
  }
  const auto size = static_cast<std::size_t>(last_ - first_);
  for (std::size_t i = 0; i < size; ++i) {
    const Entry& next = entry(first_ + i);
    disks_[i] = next.buffer == none ? lists_[next.list].blocks[next.block].disk : PrefetchScheduler::fetched;
  }
  order_size_ = scheduler_.schedule(disks_.first(size), buffers_, order_.first(size), steps_.first(size));
  scheduled_from_ = first_;
  next_in_order_ = 0;
}

void BlockPrefetcher::add_entry(std::size_t list_number) {
  List& list = lists_[list_number];
  const std::size_t block = list.predicted++;
  if (block < list.taken || block >= list.blocks.size()) return;  // already consumed
  const auto place = static_cast<std::uint32_t>(last_++ % entries_.size());
  entries_[place] = {.list = static_cast<std::uint32_t>(list_number),
                     .block = static_cast<std::uint32_t>(block),
                     .next = none,
                     .buffer = none};
  (list.first_entry == none ? list.first_entry : entries_[list.last_entry].next) = place;
  list.last_entry = place;
}

void BlockPrefetcher::fetch() {
  while (!free_.empty() && next_in_order_ < order_size_) {
    Entry& next = entry(scheduled_from_ + order_[next_in_order_++]);
    if (next.buffer != none) continue;  // requested out of order already
    next.buffer = free_.back();
    free_.pop_back();
    read(lists_[next.list], next.block, next.buffer);
  }
}

}  // namespace emgraph::core
