// SPDX-License-Identifier: MIT
// Keeps the first chunks in memory and writes the others to the temporary disks (write-behind).
#include "graph/adjacency/page_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/random_word.hpp"
#include "graph/adjacency/page.hpp"

namespace emgraph::graph::adjacency {
namespace {

constexpr std::size_t write_buffers = 2;

// A disk may hold pages of an earlier process.
std::uint64_t salt_of_now(const PageStore* store) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return core::random_word(static_cast<std::uint64_t>(now), reinterpret_cast<std::uintptr_t>(store));
}

}  // namespace

PageStore::PageStore(core::Environment& environment, std::size_t page_bytes, std::size_t chunk_bytes,
                     std::size_t resident_bytes)
    : environment_(environment),
      page_bytes_(page_bytes),
      chunk_pages_(std::max<std::uint64_t>(1, chunk_bytes / page_bytes)),
      resident_left_(resident_bytes),
      salt_(salt_of_now(this)) {}

PageStore::PageStore(core::Environment& environment, std::shared_ptr<core::InputFile> file,
                     std::uint64_t data_offset, std::size_t page_bytes, std::size_t chunk_bytes,
                     std::uint64_t pages)
    : environment_(environment),
      page_bytes_(page_bytes),
      chunk_pages_(std::max<std::uint64_t>(1, chunk_bytes / page_bytes)),
      pages_(pages),
      file_(std::move(file)),
      data_offset_(data_offset) {
  resident_.resize(static_cast<std::size_t>(chunks()));
}

PageStore::PageStore(core::Environment& environment, core::StateReader& state)
    : environment_(environment),
      page_bytes_(static_cast<std::size_t>(state.value<std::uint64_t>())),
      chunk_pages_(state.value<std::uint64_t>()),
      pages_(state.value<std::uint64_t>()),
      salt_(state.value<std::uint64_t>()) {
  resident_.resize(static_cast<std::size_t>(chunks()));
  switch (state.value<Saved>()) {
    case Saved::growing:
      writer_.emplace(environment, write_buffers, state);
      state.get(writer_->buffer().first(bytes_of_last_chunk()));
      break;
    case Saved::finished:
      blocks_ = core::BlockList(environment, state);
      break;
    case Saved::empty:
      break;
  }
}

void PageStore::save(core::StateWriter& state) {
  if (file_ != nullptr || first_on_disk_ != 0 || (!writer_ && blocks_.size() == 0 && pages_ > 0)) {
    throw std::logic_error("page store: pages that go to the state are not on the temporary disks");
  }
  state.value(static_cast<std::uint64_t>(page_bytes_));
  state.value(chunk_pages_);
  state.value(pages_);
  state.value(salt_);
  state.value(writer_ ? Saved::growing : pages_ > 0 ? Saved::finished : Saved::empty);
  if (writer_) {
    writer_->save(state);
    state.put(writer_->buffer().first(bytes_of_last_chunk()));
  } else if (pages_ > 0) {
    blocks_.save(state);
  }
}

PageStore::~PageStore() = default;

void PageStore::append(std::span<const std::byte> page) {
  const std::size_t within = bytes_of_last_chunk();
  if (within == 0) {
    resident_.emplace_back();
    // The memory left free must suffice for the writer.
    const std::size_t spared = (write_buffers + 1) * chunk_bytes();
    if (!writer_ && resident_left_ > 0 && environment_.memory.available() >= spared) {
      resident_.back() = core::Buffer(environment_.memory, chunk_bytes(), "pages of an adjacency");
      resident_left_ -= std::min(resident_left_, chunk_bytes());
    } else if (!writer_) {
      first_on_disk_ = chunks();
      writer_.emplace(environment_, chunk_bytes(), write_buffers, std::span<std::byte>{});
    }
  }
  if (writer_) {
    std::byte* const to = writer_->buffer().data() + within;
    std::memcpy(to, page.data(), page_bytes_);
    mix_checksum(pages_, to);
    if (within + page_bytes_ == chunk_bytes()) writer_->write(chunk_bytes());
  } else {
    std::memcpy(resident_.back().data() + within, page.data(), page_bytes_);
    ++resident_pages_;
  }
  ++pages_;
}

void PageStore::finish() {
  if (!writer_) return;
  if (const std::size_t within = bytes_of_last_chunk(); within != 0) writer_->write(within);
  blocks_ = writer_->finish();
  writer_.reset();
}

std::uint64_t PageStore::pages_in(std::uint64_t chunk) const {
  return std::min(chunk_pages_, pages_ - chunk * chunk_pages_);
}

core::RequestPtr PageStore::read(std::uint64_t first_page, std::vector<std::span<std::byte>> buffers) {
  if (file_ != nullptr) {
    std::vector<iovec> pieces;
    pieces.reserve(buffers.size());
    for (const std::span<std::byte> buffer : buffers) pieces.push_back({buffer.data(), buffer.size()});
    return core::prepared(file_->disk().submit(core::Operation::read, data_offset_ + first_page * page_bytes_,
                                               std::move(pieces)),
                          [&](core::Request& request) { request.require_full_read(file_->name()); });
  }
  return environment_.blocks.read_unsealed(extent_of(first_page), buffers);
}

/// The rest of the chunk on disk, from a page on.
core::Extent PageStore::extent_of(std::uint64_t page) const {
  core::Extent extent = blocks_[static_cast<std::size_t>(page / chunk_pages_ - first_on_disk_)];
  const std::uint64_t skipped = page % chunk_pages_ * page_bytes_;
  extent.offset += skipped;
  extent.bytes -= skipped;
  return extent;
}

/// Mixes the number of the page into its checksum.
void PageStore::mix_checksum(std::uint64_t number, std::byte* page) const {
  std::byte* const at = page + page_bytes_ - sizeof(PageFoot::checksum);
  std::uint64_t sum = 0;
  std::memcpy(&sum, at, sizeof(sum));
  sum ^= core::random_word(salt_, number);
  std::memcpy(at, &sum, sizeof(sum));
}

void PageStore::verify_temporary(std::uint64_t number, const std::byte* page) const {
  const std::uint64_t found = page_foot(page, page_bytes_).checksum;
  if (found == (page_checksum(page, page_bytes_) ^ core::random_word(salt_, number))) return;
  core::Extent extent = extent_of(number);
  extent.bytes = page_bytes_;
  throw environment_.blocks.changed(extent);
}

void PageStore::keep(std::uint64_t chunk, core::Buffer&& pages) {
  resident_[static_cast<std::size_t>(chunk)] = std::move(pages);
  resident_pages_ += pages_in(chunk);
}

}  // namespace emgraph::graph::adjacency
