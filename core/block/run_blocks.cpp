// SPDX-License-Identifier: MIT
// Block lists, write-behind and read-ahead.
#include "core/block/run_blocks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {
namespace {

constexpr unsigned offset_bits = 48;
constexpr std::size_t first_list_capacity = 16;

void wait_ignoring_errors(std::vector<RequestPtr>& requests) noexcept {
  for (RequestPtr& request : requests) {
    if (request != nullptr) request->wait_ignoring_error();
    request.reset();
  }
}

}  // namespace

std::size_t block_share(std::size_t memory_bytes, std::size_t blocks, std::size_t most) {
  constexpr std::size_t page = BlockManager::granularity_bytes;
  return round_down(std::clamp(memory_bytes / blocks, page, most), page);
}

std::size_t small_block_bytes(const MemoryBudget& budget, std::size_t most) {
  return block_share(budget.limit(), 128, most);
}

BlockList::BlockList(Environment& environment, std::size_t block_bytes, std::size_t stretch_blocks)
    : environment_(&environment), block_bytes_(block_bytes), stretch_blocks_(stretch_blocks) {}

// After the constructor that it delegates to, an exception destroys the list, and the claimed blocks are
// free.
BlockList::BlockList(Environment& environment, StateReader& state) : BlockList(environment, 0) {
  block_bytes_ = static_cast<std::size_t>(state.value<std::uint64_t>());
  stretch_blocks_ = static_cast<std::size_t>(state.value<std::uint64_t>());
  const auto blocks = static_cast<std::size_t>(state.value<std::uint64_t>());
  const auto last_bytes = static_cast<std::size_t>(state.value<std::uint64_t>());
  const auto spare_bytes = static_cast<std::size_t>(state.value<std::uint64_t>());
  const std::size_t stretches = (blocks + stretch_blocks_ - 1) / stretch_blocks_;
  charge_lists(stretches, blocks);
  places_.resize(stretches);
  seals_.resize(blocks);
  state.array(std::span(places_));
  state.array(std::span(seals_));
  for (std::size_t i = 0; i < blocks; ++i) {
    size_ = i + 1;
    last_bytes_ = size_ == blocks ? last_bytes : block_bytes_;
    try {
      environment.blocks.claim((*this)[i]);
    } catch (...) {
      --size_;
      last_bytes_ = block_bytes_;
      throw;
    }
  }
  if (spare_bytes == 0) return;
  const Extent last = (*this)[blocks - 1];
  environment.blocks.claim({last.disk, last.offset + last.bytes, spare_bytes});
  spare_bytes_ = spare_bytes;
}

void BlockList::save(StateWriter& state) const {
  if (freed_ != 0) throw std::logic_error("block list: saved after blocks were freed");
  for (const std::size_t value : {block_bytes_, stretch_blocks_, size_, last_bytes_, spare_bytes_}) {
    state.value(static_cast<std::uint64_t>(value));
  }
  state.array(std::span(places_));
  state.array(std::span(seals_));
}

BlockList& BlockList::operator=(BlockList&& other) noexcept {
  BlockList taken(std::move(other));
  swap(taken);
  return *this;
}

BlockList::~BlockList() {
  close();
  while (freed_ < size_) free_first();
}

void BlockList::swap(BlockList& other) noexcept {
  std::swap(environment_, other.environment_);
  std::swap(reservation_, other.reservation_);
  std::swap(block_bytes_, other.block_bytes_);
  std::swap(stretch_blocks_, other.stretch_blocks_);
  std::swap(size_, other.size_);
  std::swap(last_bytes_, other.last_bytes_);
  std::swap(freed_, other.freed_);
  std::swap(unnamed_, other.unnamed_);
  std::swap(spare_bytes_, other.spare_bytes_);
  places_.swap(other.places_);
  seals_.swap(other.seals_);
}

Extent BlockList::operator[](std::size_t index) const {
  const std::uint64_t place = places_[index / stretch_blocks_];
  const std::uint64_t offset =
      (place & ((std::uint64_t{1} << offset_bits) - 1)) * BlockManager::granularity_bytes;
  return {static_cast<std::uint32_t>(place >> offset_bits), offset + index % stretch_blocks_ * block_bytes_,
          index + 1 == size_ ? last_bytes_ : block_bytes_};
}

Extent BlockList::add(std::size_t bytes) {
  grow_lists();
  if (size_ % stretch_blocks_ == 0) {
    const std::size_t all = stretch_blocks_ == 1 ? bytes : stretch_blocks_ * block_bytes_;
    const Extent stretch = environment_->blocks.allocate(all);
    spare_bytes_ = all;
    places_.push_back(std::uint64_t{stretch.disk} << offset_bits |
                      stretch.offset / BlockManager::granularity_bytes);
  }
  seals_.push_back(0);
  ++size_;
  spare_bytes_ -= bytes;
  last_bytes_ = bytes;
  return (*this)[size_ - 1];
}

void BlockList::charge_lists(std::size_t places, std::size_t seals) {
  const std::size_t charge = places * sizeof(std::uint64_t) + seals * sizeof(Seal);
  if (reservation_.bytes() == 0) {
    reservation_ = environment_->memory.reserve(charge, "block list");
  } else {
    reservation_.resize(charge, "block list");
  }
}

// Makes room for one more block. Both lists are charged before they grow.
void BlockList::grow_lists() {
  const auto grown = [](const auto& list, std::size_t more) {
    return list.size() + more <= list.capacity() ? list.capacity()
                                                 : std::max(first_list_capacity, 2 * list.capacity());
  };
  const std::size_t places = grown(places_, size_ % stretch_blocks_ == 0 ? 1 : 0);
  const std::size_t seals = grown(seals_, 1);
  if (places == places_.capacity() && seals == seals_.capacity()) return;
  charge_lists(places, seals);
  places_.reserve(places);
  seals_.reserve(seals);
}

RequestPtr BlockList::write(std::size_t index, std::span<const std::byte> bytes) {
  seals_[index] = seal(bytes);
  return environment_->blocks.write((*this)[index], {bytes});
}

RequestPtr BlockList::read(std::size_t index, std::span<std::byte> buffer) const {
  return environment_->blocks.read((*this)[index], buffer, seals_[index]);
}

void BlockList::close() noexcept {
  if (spare_bytes_ == 0) return;
  const Extent last = (*this)[size_ - 1];
  environment_->blocks.free({last.disk, last.offset + last.bytes, spare_bytes_});
  spare_bytes_ = 0;
}

void BlockList::free_first() noexcept {
  environment_->blocks.free((*this)[freed_], unnamed_);
  ++freed_;
}

BlockWriter::BlockWriter(Environment& environment, std::size_t block_bytes, std::size_t buffers,
                         std::span<std::byte> memory, std::size_t stretch_blocks)
    : environment_(&environment),
      memory_(memory),
      block_bytes_(block_bytes),
      blocks_(environment, block_bytes, stretch_blocks),
      in_flight_(buffers) {
  if (memory_.empty()) {
    own_ = Buffer(environment.memory, buffers * block_bytes, "run writer");
    memory_ = own_.bytes();
  }
}

BlockWriter::BlockWriter(Environment& environment, std::size_t buffers, StateReader& state)
    : environment_(&environment), blocks_(environment, state), in_flight_(buffers) {
  block_bytes_ = blocks_.block_bytes();
  own_ = Buffer(environment.memory, buffers * block_bytes_, "run writer");
  memory_ = own_.bytes();
}

BlockWriter& BlockWriter::operator=(BlockWriter&& other) noexcept {
  wait_ignoring_error();
  environment_ = other.environment_;
  own_ = std::move(other.own_);
  memory_ = other.memory_;
  block_bytes_ = other.block_bytes_;
  blocks_ = std::move(other.blocks_);
  current_ = other.current_;
  in_flight_ = std::move(other.in_flight_);
  return *this;
}

BlockWriter::~BlockWriter() {
  wait_ignoring_error();
}

void BlockWriter::wait_ignoring_error() noexcept {
  wait_ignoring_errors(in_flight_);
}

std::span<std::byte> BlockWriter::buffer() const {
  return memory_.subspan(current_ * block_bytes_, block_bytes_);
}

void BlockWriter::write(std::size_t bytes) {
  const std::size_t rounded = round_up(bytes, BlockManager::granularity_bytes);
  blocks_.add(rounded);
  in_flight_[current_] = blocks_.write(blocks_.size() - 1, buffer().first(rounded));
  current_ = current_ + 1 == in_flight_.size() ? 0 : current_ + 1;
  if (const RequestPtr request = std::exchange(in_flight_[current_], nullptr)) request->wait();
}

void BlockWriter::wait_for_all() {
  for (RequestPtr& each : in_flight_) {
    if (const RequestPtr request = std::exchange(each, nullptr)) request->wait();
  }
}

void BlockWriter::save(StateWriter& state) {
  wait_for_all();
  blocks_.save(state);
}

BlockList BlockWriter::finish() {
  wait_for_all();
  blocks_.close();
  return std::move(blocks_);
}

BlockReader::BlockReader(Environment& environment, BlockList&& blocks, std::size_t depth,
                         std::span<std::byte> memory)
    : environment_(&environment), owned_(std::move(blocks)) {
  start(depth, memory);
}

BlockReader::BlockReader(Environment& environment, const BlockList& blocks, std::size_t depth,
                         std::span<std::byte> memory)
    : environment_(&environment), borrowed_(&blocks) {
  start(depth, memory);
}

BlockReader& BlockReader::operator=(BlockReader&& other) noexcept {
  wait_ignoring_error();
  environment_ = other.environment_;
  own_ = std::move(other.own_);
  memory_ = other.memory_;
  owned_ = std::move(other.owned_);
  borrowed_ = other.borrowed_;
  next_ = other.next_;
  submitted_ = other.submitted_;
  in_flight_ = std::move(other.in_flight_);
  return *this;
}

BlockReader::~BlockReader() {
  wait_ignoring_error();
}

void BlockReader::wait_ignoring_error() noexcept {
  wait_ignoring_errors(in_flight_);
}

void BlockReader::start(std::size_t depth, std::span<std::byte> memory) {
  in_flight_.resize(depth + 1);
  memory_ = memory;
  if (memory_.empty() && blocks().size() > 0) {
    own_ = Buffer(environment_->memory, (depth + 1) * blocks().block_bytes(), "run reader");
    memory_ = own_.bytes();
  }
  try {
    while (submitted_ < std::min(depth + 1, blocks().size())) submit();
  } catch (...) {
    wait_ignoring_error();
    throw;
  }
}

std::span<std::byte> BlockReader::slot(std::size_t index) const {
  const std::size_t block_bytes = blocks().block_bytes();
  return memory_.subspan(index % in_flight_.size() * block_bytes, block_bytes);
}

void BlockReader::submit() {
  const std::size_t bytes = blocks()[submitted_].bytes;
  in_flight_[submitted_ % in_flight_.size()] = blocks().read(submitted_, slot(submitted_).first(bytes));
  ++submitted_;
}

std::span<const std::byte> BlockReader::next() {
  // The slot of the previously returned block is free now, so submitted_ = next_ + depth.
  if (submitted_ < std::min(next_ + in_flight_.size(), blocks().size())) submit();
  const std::size_t bytes = blocks()[next_].bytes;
  const RequestPtr request = in_flight_[next_ % in_flight_.size()];
  request->wait();
  in_flight_[next_ % in_flight_.size()].reset();
  if (borrowed_ == nullptr) owned_.free_first();
  return slot(next_++).first(bytes);
}

}  // namespace emgraph::core
