// SPDX-License-Identifier: MIT
// Builds pages from sorted edges.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/memory/buffer.hpp"
#include "graph/adjacency/page.hpp"

namespace emgraph::graph::adjacency {

/// Receives a full page and its entry of the index.
using PageTaker =
    std::function<void(std::span<const std::byte> page, std::uint64_t first_node, bool continues)>;

/// Problem: convert edges (source, target), ascending and without duplicates, to pages that can be read
/// independently.
/// Method: the neighbours of a source are collected into fragments. A fragment that fits goes to the current
/// page. Otherwise it is split if much of the page would stay empty, else it begins the next page. The bytes
/// depend on the edges and the page size only. Memory: a page and a fragment, not charged. Threads: one.
/// Throws: exceptions of `take`.
template <class Id>
class PageBuilder {
 public:
  using Codec = GapCodec<Id>;

  /// Requires: page_bytes a multiple of core::page_bytes up to most_page_bytes.
  PageBuilder(std::size_t page_bytes, PageTaker take)
      : page_bytes_(page_bytes), page_(std::make_unique<std::byte[]>(page_bytes)), take_(std::move(take)) {}

  void push(Id source, Id target) {
    if (source != source_ || waiting_ == fragment_neighbours) [[unlikely]] {
      flush();
      if (source != source_) next_source(source);
    }
    list_[waiting_++] = target;
  }

  /// Emits the last page.
  void finish() {
    flush();
    next_source(source_);
    if (foot_.fragments > 0) end_page();
  }

  std::uint64_t entries() const { return entries_; }
  std::uint64_t pages() const { return pages_; }
  /// The smallest node of the largest degree; 0 without edges. Valid after finish().
  std::uint64_t largest_degree_node() const { return largest_degree_node_; }
  std::uint64_t largest_degree() const { return largest_degree_; }

 private:
  // A fragment is split if more than a most_waste-th of the page would stay empty.
  static constexpr std::size_t most_waste = 8;
  // A gap between nodes of at least this size begins a new page, because it does not fit the head of a
  // fragment.
  static constexpr std::uint64_t wide_gap = std::uint64_t{1} << 48;
  static constexpr std::size_t short_count = 14;
  static constexpr std::size_t most_head_bytes = 8 + 3;

  void next_source(Id source) {
    if (degree_ > largest_degree_) {
      largest_degree_ = degree_;
      largest_degree_node_ = source_;
    }
    degree_ = 0;
    source_ = source;
  }

  std::size_t room() const {
    const std::size_t directory = directory_entries(foot_.fragments + 1U) * DirectoryEntry<Id>::bytes;
    return page_bytes_ - sizeof(PageFoot) - directory - std::min(page_bytes_, std::size_t{foot_.used_bytes});
  }

  void flush() {
    const Id* list = list_.data();
    degree_ += waiting_;
    while (waiting_ > 0) {
      std::size_t here = waiting_;
      if (foot_.fragments > 0) {
        const std::size_t left = room();
        // Encoding may write the full width of a value after the end.
        if (left < most_head_bytes + Codec::most_bytes(waiting_) + sizeof(Id)) here = fitting(list, left);
        if (source_ - last_node_ >= wide_gap) here = 0;
      }
      if (here == 0) {
        end_page();
        continue;
      }
      put(list, here);
      list += here;
      waiting_ -= here;
    }
  }

  // Number of waiting neighbours that fit into the `left` bytes of the page.
  std::size_t fitting(const Id* list, std::size_t left) const {
    std::size_t bytes = most_head_bytes + sizeof(Id);
    std::size_t count = 0;
    while (count < waiting_) {
      bytes += Codec::lengths[Codec::code(Codec::stored(source_, list, count))] + (count % 4 == 0 ? 1 : 0);
      if (bytes > left) break;
      ++count;
    }
    return count == waiting_ || left > page_bytes_ / most_waste ? count : 0;
  }

  void put(const Id* list, std::size_t count) {
    std::byte* const foot = page_.get() + page_bytes_ - sizeof(PageFoot);
    if (foot_.fragments == 0) {
      foot_.first_node = source_;
      foot_.first_entry = entries_;
      foot_.continues = pages_ > 0 && source_ == last_node_ ? 1 : 0;
      last_node_ = source_;
    } else if (foot_.fragments % directory_step == 0) {
      DirectoryEntry<Id>{source_, foot_.used_bytes}.store(foot, foot_.fragments / directory_step - 1);
    }
    std::byte* to = page_.get() + foot_.used_bytes;
    std::uint64_t head = std::uint64_t{static_cast<Id>(source_ - last_node_)} << 4;
    if (count <= short_count) head |= count;
    for (; head > 127; head >>= 7) *to++ = static_cast<std::byte>(head | 128);
    *to++ = static_cast<std::byte>(head);
    if (count > short_count) {
      std::byte* const lengths = to;
      to += 3 + Codec::encode(source_, list, count, to + 3);
      const auto values = static_cast<std::uint16_t>(static_cast<std::size_t>(to - lengths) - 3 -
                                                     Codec::control_bytes(count));
      lengths[0] = static_cast<std::byte>(count - 1);
      std::memcpy(lengths + 1, &values, 2);
    } else {
      to += Codec::encode(source_, list, count, to);
    }
    foot_.used_bytes = static_cast<std::uint16_t>(to - page_.get());
    foot_.entries = static_cast<std::uint16_t>(foot_.entries + count);
    ++foot_.fragments;
    entries_ += count;
    last_node_ = source_;
  }

  void end_page() {
    std::byte* const foot = page_.get() + page_bytes_ - sizeof(PageFoot);
    std::byte* const directory = foot - directory_entries(foot_.fragments) * DirectoryEntry<Id>::bytes;
    std::fill(page_.get() + foot_.used_bytes, directory, std::byte{0});
    std::memcpy(foot, &foot_, sizeof(foot_));
    seal_page(page_.get(), page_bytes_);
    take_({page_.get(), page_bytes_}, foot_.first_node, foot_.continues != 0);
    ++pages_;
    foot_ = {};
  }

  const std::size_t page_bytes_;
  const std::unique_ptr<std::byte[]> page_;
  const PageTaker take_;
  PageFoot foot_;
  Id last_node_ = 0;  ///< node of the last fragment
  std::uint64_t entries_ = 0;
  std::uint64_t pages_ = 0;
  Id source_ = 0;
  std::array<Id, fragment_neighbours> list_;  ///< waiting neighbours of source_, which are in no page yet
  std::size_t waiting_ = 0;
  std::uint64_t degree_ = 0;  ///< degree of source_ without the waiting neighbours
  std::uint64_t largest_degree_ = 0;
  std::uint64_t largest_degree_node_ = 0;
};

}  // namespace emgraph::graph::adjacency
