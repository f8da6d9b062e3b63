// SPDX-License-Identifier: MIT
// The storage of the pages of an adjacency: memory, the temporary disks, or a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/page.hpp"

namespace emgraph::graph::adjacency {

/// Unit of scans: large enough for the full speed of the disk, small enough that several fit into memory.
inline std::size_t scan_chunk_bytes(std::size_t memory_bytes, std::size_t page_bytes) {
  return std::clamp<std::size_t>(core::round_down(memory_bytes / 64, page_bytes), page_bytes, core::MiB);
}
/// Of a search with `threads` threads: chunks that are read or written, and small reservations.
inline std::uint64_t search_buffer_bytes(std::uint64_t memory_bytes, unsigned threads) {
  return (threads + 4) * std::uint64_t{scan_chunk_bytes(memory_bytes, default_page_bytes)} +
         16 * core::page_bytes;
}

/// Pages are grouped in chunks, the unit of scans and of residence in memory. A chunk is resident, or it is
/// on a disk or in the file. The checksum of a temporary page is mixed with its number and a number of this
/// store alone, so that it also shows writes that were lost or went to another place. `keep` makes a chunk
/// that was read resident for the lifetime of the store.
///
/// I/O: writes each page that is not resident once, in whole chunks. Memory: the resident chunks, charged;
/// two more chunks while pages are appended; 48 bytes per chunk, not charged. Threads: any number may call
/// `resident` and `read`, also during `keep` of another chunk; other functions one. Throws: EnvironmentError,
/// MemoryLimitError.
class PageStore {
 public:
  /// A store for temporary pages, which the caller appends. The first `resident_bytes`, and the rest of their
  /// last chunk, stay in memory, as far as the budget allows.
  PageStore(core::Environment& environment, std::size_t page_bytes, std::size_t chunk_bytes,
            std::size_t resident_bytes);
  /// A store of the `pages` pages of a file, from `data_offset` on.
  PageStore(core::Environment& environment, std::shared_ptr<core::InputFile> file, std::uint64_t data_offset,
            std::size_t page_bytes, std::size_t chunk_bytes, std::uint64_t pages);
  /// The store that save() has described.
  PageStore(core::Environment& environment, core::StateReader& state);
  ~PageStore();

  /// Of so many bytes of pages that will be appended, what stays in memory, in whole chunks.
  std::uint64_t resident_bytes(std::uint64_t bytes) const {
    return core::round_up(std::min<std::uint64_t>(bytes, resident_left_), chunk_bytes());
  }

  void append(std::span<const std::byte> page);
  /// Ends the appending; waits for the writes.
  void finish();
  /// Describes the pages for a later process, which may append more unless finish() was called. Requires:
  /// temporary pages, none of which was kept in memory when it was appended.
  void save(core::StateWriter& state);

  /// True for pages of a file, false for temporary pages of this process.
  bool from_file() const { return file_ != nullptr; }
  std::uint64_t pages() const { return pages_; }
  std::size_t page_bytes() const { return page_bytes_; }
  std::uint64_t chunk_pages() const { return chunk_pages_; }
  std::size_t chunk_bytes() const { return static_cast<std::size_t>(chunk_pages_) * page_bytes_; }
  std::uint64_t chunks() const { return (pages_ + chunk_pages_ - 1) / chunk_pages_; }
  /// Pages in this chunk: chunk_pages(), except in the last chunk.
  std::uint64_t pages_in(std::uint64_t chunk) const;

  /// The page in memory; null if it is not resident.
  const std::byte* resident(std::uint64_t page) const {
    const core::Buffer& chunk = resident_[static_cast<std::size_t>(page / chunk_pages_)];
    if (chunk.data() == nullptr) return nullptr;
    return chunk.data() + static_cast<std::size_t>(page % chunk_pages_) * page_bytes_;
  }
  std::uint64_t resident_pages() const { return resident_pages_; }
  bool all_resident() const { return resident_pages_ == pages_; }

  /// Starts to read consecutive pages, from `first_page` on, into the buffers. Requires: the pages belong to
  /// one chunk that is not resident; each buffer is a multiple of a page; the buffers stay valid until the
  /// request is done.
  core::RequestPtr read(std::uint64_t first_page, std::vector<std::span<std::byte>> buffers);
  /// Throws EnvironmentError unless the bytes are those that were appended as page `number`. Requires: a
  /// temporary page that was read from a disk.
  void verify_temporary(std::uint64_t number, const std::byte* page) const;
  /// Makes the chunk resident. `pages` holds its verified pages.
  void keep(std::uint64_t chunk, core::Buffer&& pages);

 private:
  core::Environment& environment_;
  const std::size_t page_bytes_;
  const std::uint64_t chunk_pages_;
  std::size_t resident_left_ = 0;  ///< bytes of appended pages that may still stay in memory
  std::uint64_t pages_ = 0;
  std::uint64_t resident_pages_ = 0;
  std::vector<core::Buffer> resident_;  ///< by chunk; empty: not resident
  /// What save() found.
  enum class Saved : std::uint64_t { empty, growing, finished };

  /// Of a last chunk that is not full.
  std::size_t bytes_of_last_chunk() const {
    return static_cast<std::size_t>(pages_ % chunk_pages_) * page_bytes_;
  }
  core::Extent extent_of(std::uint64_t page) const;
  void mix_checksum(std::uint64_t number, std::byte* page) const;

  // Temporary pages: chunks from first_on_disk_ on are on disk.
  const std::uint64_t salt_ = 0;
  std::uint64_t first_on_disk_ = 0;
  std::optional<core::BlockWriter> writer_;
  core::BlockList blocks_;
  // Pages of a file.
  std::shared_ptr<core::InputFile> file_;
  std::uint64_t data_offset_ = 0;
};

}  // namespace emgraph::graph::adjacency
