// SPDX-License-Identifier: MIT
// Text packed while it is written, by threads of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/block_packer.hpp"
#include "graph/format/packing/text_output.hpp"

namespace emgraph::graph::format {

/// Method: the text is cut into blocks of 512 KiB, whoever appends and however; threads pack them side by
/// side into members or frames, which stand in the file one after another, as gzip(1) and zstd(1) read them.
/// So the bytes of the file do not depend on threads or memory. Memory: per thread a block, its packed form
/// and the library's tables, and one such pair more; at most a quarter of what is free beyond one thread's.
/// Threads: as many as the environment has, fewer where memory is short; append() and finish() are for one
/// thread at a time.
class PackedOutput final : public TextOutput {
 public:
  PackedOutput(core::Environment& environment, std::unique_ptr<core::OutputFile> output, Packing packing,
               int level);

  void append(std::span<const std::byte> text) override;
  void finish() override;
  std::uint64_t size() const override { return output_->size(); }

 private:
  struct Slot {
    core::Buffer text;
    core::Buffer packed;
    std::size_t text_bytes = 0;
    std::size_t packed_bytes = 0;
    bool done = false;
  };
  Slot& slot(std::uint64_t block) { return slots_[block % slots_.size()]; }
  void submit();
  void write_oldest();
  void pack_blocks(BlockPacker& packer, const std::stop_token& stop);

  core::Trace* const trace_;
  std::unique_ptr<core::OutputFile> output_;
  core::Reservation tables_;
  std::vector<Slot> slots_;
  std::size_t filled_ = 0;     // bytes of text in block submitted_'s slot
  std::uint64_t written_ = 0;  // blocks
  std::mutex mutex_;           // guards what follows, and Slot::done
  std::condition_variable_any changed_;
  std::uint64_t submitted_ = 0;
  std::uint64_t taken_ = 0;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // last: they are stopped and joined before the rest goes
};

}  // namespace emgraph::graph::format
