// SPDX-License-Identifier: MIT
// Where the pages of an adjacency are: in memory, on the temporary disks, or in a file that is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::adjacency {

/// Pages in chunks, the unit of scans and of what is kept in memory. A chunk is resident or has a place on a
/// disk or in the file; a chunk that was read may become resident for good (`keep`).
///
/// I/O: each page that is not resident once out, by whole chunks. Memory: the resident chunks, charged; while
/// pages are appended two chunks more; 48 bytes per chunk, not charged. Threads: `resident` and `read` from
/// any number, `keep` beside those that ask for other chunks; the rest one. Throws: EnvironmentError,
/// MemoryLimitError.
class PageStore {
 public:
  /// Temporary pages, to be appended. The first `resident_bytes` stay in memory, as far as the budget has
  /// them.
  PageStore(core::Environment& environment, std::size_t page_bytes, std::size_t chunk_bytes,
            std::size_t resident_bytes);
  /// The `pages` pages of a file from `data_offset` on.
  PageStore(core::Environment& environment, std::shared_ptr<core::InputFile> file, std::uint64_t data_offset,
            std::size_t page_bytes, std::size_t chunk_bytes, std::uint64_t pages);
  ~PageStore();

  void append(std::span<const std::byte> page);
  /// All pages are in. Waits for the writes.
  void finish();

  /// Else the pages were made by this process.
  bool from_file() const { return file_ != nullptr; }
  std::uint64_t pages() const { return pages_; }
  std::size_t page_bytes() const { return page_bytes_; }
  std::uint64_t chunk_pages() const { return chunk_pages_; }
  std::size_t chunk_bytes() const { return static_cast<std::size_t>(chunk_pages_) * page_bytes_; }
  std::uint64_t chunks() const { return (pages_ + chunk_pages_ - 1) / chunk_pages_; }
  /// Pages in this chunk: chunk_pages() but for the last.
  std::uint64_t pages_in(std::uint64_t chunk) const;

  /// The page in memory, or null.
  const std::byte* resident(std::uint64_t page) const {
    const core::Buffer& chunk = resident_[static_cast<std::size_t>(page / chunk_pages_)];
    if (chunk.data() == nullptr) return nullptr;
    return chunk.data() + static_cast<std::size_t>(page % chunk_pages_) * page_bytes_;
  }
  std::uint64_t resident_pages() const { return resident_pages_; }
  bool all_resident() const { return resident_pages_ == pages_; }

  /// Begins to read consecutive pages of one chunk that is not resident, from `first_page` on, into these
  /// buffers, a multiple of a page each, which must stay until the request is done.
  core::RequestPtr read(std::uint64_t first_page, std::vector<std::span<std::byte>> buffers);
  /// `pages` hold the verified pages of the chunk, which is resident from now on.
  void keep(std::uint64_t chunk, core::Buffer&& pages);

 private:
  core::Environment& environment_;
  const std::size_t page_bytes_;
  const std::uint64_t chunk_pages_;
  std::size_t resident_left_ = 0;  ///< bytes that appending may still keep in memory
  std::uint64_t pages_ = 0;
  std::uint64_t resident_pages_ = 0;
  std::vector<core::Buffer> resident_;  ///< by chunk, empty = not resident
  // Temporary pages that are not resident: chunks from first_on_disk_ on.
  std::uint64_t first_on_disk_ = 0;
  std::optional<core::BlockWriter> writer_;
  core::BlockList blocks_;
  // Or a file.
  std::shared_ptr<core::InputFile> file_;
  std::uint64_t data_offset_ = 0;
};

}  // namespace emgraph::graph::adjacency
