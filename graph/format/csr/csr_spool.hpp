// SPDX-License-Identifier: MIT
// Collects sorted edges as compressed sparse rows on the temporary disks until their number is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/io/output_file.hpp"

namespace emgraph::graph::format {

/// I/O: writes 8 bytes per node and an Entry per edge once, and reads them once for each use.
/// Memory: four blocks of at most 256 KiB, two more for each part that is read.
template <class Entry>
class CsrSpool {
 public:
  explicit CsrSpool(core::Environment& environment)
      : environment_(environment),
        block_bytes_(choose_block_bytes(environment.memory)),
        offset_writer_(environment, block_bytes_),
        entry_writer_(environment, block_bytes_) {}

  /// Adds an edge. Requires: sources ascend.
  void push(std::uint64_t source, const Entry& entry) {
    reach(source + 1);
    entry_writer_.push(entry);
    ++entries_;
  }
  std::uint64_t entries() const { return entries_; }

  /// Ends the input. `nodes`: greater than all sources.
  void close(std::uint64_t nodes) {
    reach(nodes + 1);
    offsets_ = offset_writer_.finish();
    entries_run_ = entry_writer_.finish();
  }

  /// Calls `visit(source, entry)` for each edge, in order. Requires: close() was called.
  template <class Visit>
  void for_each(Visit&& visit) const {
    core::RunReader<std::uint64_t> offsets(environment_, offsets_);
    core::RunReader<Entry> entries(environment_, entries_run_);
    std::uint64_t source = 0;
    std::uint64_t begin = 0;
    std::span<const Entry> left;
    bool first = true;
    for (auto batch = offsets.next(); !batch.empty(); batch = offsets.next()) {
      for (const std::uint64_t end : batch.subspan(first ? 1 : 0)) {
        for (; begin < end; ++begin) {
          if (left.empty()) left = entries.next();
          visit(source, left.front());
          left = left.subspan(1);
        }
        ++source;
      }
      first = false;
    }
  }

  /// Writes nodes + 1 offsets, then the entries, and frees the spool. Requires: close() was called.
  void move_to(core::OutputFile& output) {
    append(output, std::move(offsets_));
    append(output, std::move(entries_run_));
  }

 private:
  static std::size_t choose_block_bytes(const core::MemoryBudget& memory) {
    std::size_t bytes = 256 * core::KiB;
    while (bytes > core::BlockManager::granularity_bytes && bytes > memory.available() / 64) bytes /= 2;
    return bytes;
  }

  /// Writes the offsets of the nodes before `nodes`.
  void reach(std::uint64_t nodes) {
    for (; reached_ < nodes; ++reached_) offset_writer_.push(entries_);
  }

  template <class T>
  void append(core::OutputFile& output, core::Run<T>&& run) {
    core::RunReader<T> reader(environment_, std::move(run));
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next())
      output.append(std::as_bytes(batch));
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  core::RunWriter<std::uint64_t> offset_writer_;
  core::RunWriter<Entry> entry_writer_;
  core::Run<std::uint64_t> offsets_;
  core::Run<Entry> entries_run_;
  std::uint64_t entries_ = 0;
  std::uint64_t reached_ = 0;
};

}  // namespace emgraph::graph::format
