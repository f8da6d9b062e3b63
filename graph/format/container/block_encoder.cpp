// SPDX-License-Identifier: MIT
// The ring of blocks between the thread that fills blocks and the threads that encode them.
#include "graph/format/container/block_encoder.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {
namespace {

/// Bytes that a slot reserves.
std::size_t slot_bytes(const core::CodecChoice& codec, const core::PairLayout& layout,
                       std::size_t block_edges) {
  return core::round_up(block_edges * layout.row_bytes(), core::page_bytes) +
         core::PairEncoder::memory_bytes(codec, layout, block_edges);
}

std::size_t slot_count(const core::Environment& environment, const core::CodecChoice& codec,
                       const core::PairLayout& layout, std::size_t block_edges) {
  if (codec.codec == core::Codec::none || environment.threads <= 1) return 1;
  const std::size_t affordable = environment.memory.available() / 4 / slot_bytes(codec, layout, block_edges);
  return std::clamp<std::size_t>(affordable, 1, std::size_t{environment.threads} + 1);
}

}  // namespace

BlockEncoder::BlockEncoder(core::Environment& environment, const EdgeFacts& facts,
                           const core::CodecChoice& codec, std::size_t block_edges, std::size_t alignment,
                           std::function<void(const BlockWork&)> write)
    : trace_(environment.io.trace()), facts_(facts), alignment_(alignment), write_(std::move(write)) {
  const core::PairLayout layout = pair_layout(facts.layout);
  const std::size_t slots = slot_count(environment, codec, layout, block_edges);
  for (std::size_t i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    slots_.back()->work.rows =
        core::Buffer(environment.memory, block_edges * layout.row_bytes(), "block to be written");
    slots_.back()->encoder =
        std::make_unique<core::PairEncoder>(environment.memory, codec, layout, block_edges);
  }
  if (slots == 1) return;
  try {
    for (std::size_t i = 0; i + 1 < slots; ++i) {
      workers_.emplace_back([this](std::stop_token stop) { work(std::move(stop)); });
    }
  } catch (const std::system_error&) {  // a limit on threads: with none, the caller encodes
  }
}

BlockEncoder::~BlockEncoder() {
  for (std::jthread& worker : workers_) worker.request_stop();
}

void BlockEncoder::submit() {
  Slot& slot = *slots_[current_];
  const std::uint64_t next_edge = slot.work.first_edge + slot.work.edges;
  if (workers_.empty()) {
    process(slot);
    write_(slot.work);
  } else {
    {
      const std::lock_guard lock(mutex_);
      slot.busy = true;
      slot.done = false;
      queue_.push_back(&slot);
    }
    ready_.notify_one();
    current_ = (current_ + 1) % slots_.size();
    retire(*slots_[current_]);
  }
  BlockWork& next = current();
  next.edges = 0;
  next.first_edge = next_edge;
}

void BlockEncoder::drain() {
  for (std::size_t i = 1; i <= slots_.size(); ++i) retire(*slots_[(current_ + i) % slots_.size()]);
}

void BlockEncoder::retire(Slot& slot) {
  if (!slot.busy) return;
  {
    std::unique_lock lock(mutex_);
    core::wait_for_thread(
        finished_, lock, [&] { return slot.done; }, "wait for encoder");
  }
  slot.busy = false;
  if (slot.error) std::rethrow_exception(slot.error);
  write_(slot.work);
}

void BlockEncoder::work(std::stop_token stop) {
  while (true) {
    Slot* slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      if (!ready_.wait(lock, stop, [&] { return !queue_.empty(); })) return;
      slot = queue_.front();
      queue_.pop_front();
    }
    try {
      const core::TraceSpan encoding(trace_, core::TraceKind::work, "encode block");
      process(*slot);
    } catch (...) {
      slot->error = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      slot->done = true;
    }
    finished_.notify_one();
  }
}

void BlockEncoder::process(Slot& slot) const {
  BlockWork& work = slot.work;
  const std::span<const std::byte> rows = work.rows.bytes().first(work.edges * facts_.layout.record_bytes());
  work.summary = summarize_block(facts_, rows.data(), work.edges, work.first_edge);
  const core::PairEncoder::Encoded encoded = slot.encoder->encode(rows);
  work.payload = encoded.bytes;
  const std::size_t content = sizeof(BlockHead) + encoded.bytes.size();
  const std::size_t alignment = work.last ? coded_block_alignment : alignment_;
  work.padding_bytes = core::round_up(content, alignment) - content;

  static constexpr std::array<std::byte, plain_block_alignment> zeros{};
  core::ChecksumStream sum;
  sum.append(work.payload);
  sum.append(std::span(zeros).first(work.padding_bytes));
  BlockHead& head = work.head = BlockHead{};
  head.edges = static_cast<std::uint32_t>(work.edges);
  head.codec = static_cast<std::uint32_t>(encoded.codec);
  head.stored_bytes = static_cast<std::uint32_t>(encoded.bytes.size());
  head.plain_bytes = static_cast<std::uint32_t>(encoded.plain_bytes);
  head.first_edge = work.first_edge;
  head.block_bytes = static_cast<std::uint32_t>(content + work.padding_bytes);
  head.payload_checksum = sum.value();
  seal(head);
}

}  // namespace emgraph::graph::format
