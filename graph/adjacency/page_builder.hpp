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
#include <type_traits>
#include <utility>

#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/page.hpp"

namespace emgraph::graph::adjacency {

/// Receives a full page and its entry of the index.
using PageTaker =
    std::function<void(std::span<const std::byte> page, std::uint64_t first_node, bool continues)>;

/// Problem: convert edges (source, target), ascending and without duplicates, with weights or without, to
/// pages that can be read independently.
/// Method: the neighbours of a source are collected into fragments. A fragment that fits goes to the current
/// page. Otherwise it is split if much of the page would stay empty, else it begins the next page. The bytes
/// depend on the edges, their weights and the page size only. Memory: a page and a fragment, not charged.
/// Threads: one. Throws: exceptions of `take`.
template <class Id>
class PageBuilder {
 public:
  using Codec = GapCodec<Id>;

  /// Requires: page_bytes a multiple of core::page_bytes up to most_page_bytes.
  PageBuilder(std::size_t page_bytes, PageTaker take, WeightType weight = WeightType::none)
      : page_bytes_(page_bytes),
        weight_(weight),
        page_(std::make_unique<std::byte[]>(page_bytes)),
        take_(std::move(take)) {}

  void push(Id source, Id target) {
    make_room(source);
    list_[waiting_++] = target;
  }
  /// An edge with a weight: its stored bits, zero-extended. Requires: it is a number.
  void push(Id source, Id target, std::uint64_t weight_bits) {
    make_room(source);
    weights_[waiting_] = weight_bits;
    list_[waiting_++] = target;
  }

  /// Emits the last page.
  void finish() {
    flush();
    next_source(source_);
    if (foot_.fragments > 0) end_page();
  }

  /// Writes what is not in a finished page, and the counts. Requires for restore(): the same page size and
  /// weights.
  void save(core::StateWriter& state) const {
    state.put({page_.get(), page_bytes_});
    each_value(*this, [&](const auto& value) { state.value(value); });
  }
  void restore(core::StateReader& state) {
    state.get({page_.get(), page_bytes_});
    each_value(*this, [&](auto& value) { value = state.value<std::remove_cvref_t<decltype(value)>>(); });
  }

  std::uint64_t entries() const { return entries_; }
  std::uint64_t pages() const { return pages_; }
  /// The smallest node of the largest degree; 0 without edges. Valid after finish().
  std::uint64_t largest_degree_node() const { return largest_degree_node_; }
  std::uint64_t largest_degree() const { return largest_degree_; }
  /// Ranks of the least and the largest weight; the rank of weight 0 without edges or weights.
  /// Valid after finish().
  WeightRanks weights() const {
    const std::uint64_t zero = rank_of_weight(weight_, 0);
    return entries_ == 0 || !weighted() ? WeightRanks{zero, zero} : ranks_;
  }

 private:
  // A fragment is split if more than a most_waste-th of the page would stay empty.
  static constexpr std::size_t most_waste = 8;
  // A gap between nodes of at least this size begins a new page, because it does not fit the head of a
  // fragment.
  static constexpr std::uint64_t wide_gap = std::uint64_t{1} << 48;
  static constexpr std::size_t short_count = 14;
  static constexpr std::size_t most_head_bytes = 8 + 3;

  template <class Self, class Visit>
  static void each_value(Self& self, Visit&& visit) {
    visit(self.foot_);
    visit(self.last_node_);
    visit(self.entries_);
    visit(self.pages_);
    visit(self.source_);
    visit(self.list_);
    visit(self.weights_);
    visit(self.ranks_);
    visit(self.waiting_);
    visit(self.degree_);
    visit(self.largest_degree_);
    visit(self.largest_degree_node_);
  }

  bool weighted() const { return weight_ != WeightType::none; }
  // Bytes that writing a fragment may overwrite after it.
  std::size_t overrun_bytes() const { return weighted() ? weight_overrun_bytes : sizeof(Id); }
  std::size_t most_weight_bytes(std::size_t count) const {
    return weighted() ? 1 + count * weight_bytes(weight_) : 0;
  }

  void make_room(Id source) {
    if (source != source_ || waiting_ == fragment_neighbours) [[unlikely]] {
      flush();
      if (source != source_) next_source(source);
    }
  }

  void next_source(Id source) {
    if (degree_ > largest_degree_) {
      largest_degree_ = degree_;
      largest_degree_node_ = source_;
    }
    degree_ = 0;
    source_ = source;
  }

  std::size_t room() const {
    const std::size_t directory =
        directory_entries(foot_.fragments + 1U, weight_) * DirectoryEntry<Id>::bytes;
    return page_bytes_ - std::min(page_bytes_, sizeof(PageFoot) + directory + foot_.used_bytes);
  }

  void flush() {
    const Id* list = list_.data();
    const std::uint64_t* weights = weights_.data();
    degree_ += waiting_;
    while (waiting_ > 0) {
      std::size_t here = waiting_;
      const std::size_t left = room();
      if (left < most_head_bytes + Codec::most_bytes(here) + most_weight_bytes(here) + overrun_bytes()) {
        here = fitting(list, weights, left);
      }
      if (foot_.fragments > 0 && source_ - last_node_ >= wide_gap) here = 0;
      if (here == 0) {
        end_page();
        continue;
      }
      put(list, weights, here);
      list += here;
      weights += here;
      waiting_ -= here;
    }
  }

  // Number of waiting neighbours that fit into the `left` bytes of the page; more than 0 if it is empty.
  std::size_t fitting(const Id* list, const std::uint64_t* weights, std::size_t left) const {
    std::size_t bytes = most_head_bytes + overrun_bytes();
    std::size_t count = 0;
    std::uint64_t bits = 0;  // of all weights
    while (count < waiting_) {
      bytes += Codec::lengths[Codec::code(Codec::stored(source_, list, count))] + (count % 4 == 0 ? 1 : 0);
      if (weighted()) bits |= weights[count];
      if (bytes + (weighted() ? 1 + (count + 1) * width_of(bits) : 0) > left) break;
      ++count;
    }
    return count == waiting_ || left > page_bytes_ / most_waste ? count : 0;
  }

  void put(const Id* list, const std::uint64_t* weights, std::size_t count) {
    std::byte* const foot = page_.get() + page_bytes_ - sizeof(PageFoot);
    if (foot_.fragments == 0) {
      foot_.first_node = source_;
      foot_.first_entry = entries_;
      foot_.continues = pages_ > 0 && source_ == last_node_ ? 1 : 0;
      last_node_ = source_;
    } else if (const unsigned bits = directory_bits(weight_); foot_.fragments % (1U << bits) == 0) {
      DirectoryEntry<Id>{source_, foot_.used_bytes}.store(foot, (foot_.fragments >> bits) - 1U);
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
    if (weighted()) to = put_weights({weights, count}, to);
    foot_.used_bytes = static_cast<std::uint16_t>(to - page_.get());
    foot_.entries = static_cast<std::uint16_t>(foot_.entries + count);
    ++foot_.fragments;
    entries_ += count;
    last_node_ = source_;
  }

  std::byte* put_weights(std::span<const std::uint64_t> weights, std::byte* to) {
    for (const std::uint64_t weight : weights) {
      const std::uint64_t rank = rank_of_weight(weight_, weight);
      ranks_.least = std::min(ranks_.least, rank);
      ranks_.largest = std::max(ranks_.largest, rank);
    }
    const unsigned width = width_of(weights);
    *to++ = static_cast<std::byte>(width);
    return pack_weights(weights, width, to);
  }

  void end_page() {
    std::byte* const foot = page_.get() + page_bytes_ - sizeof(PageFoot);
    std::byte* const directory =
        foot - directory_entries(foot_.fragments, weight_) * DirectoryEntry<Id>::bytes;
    std::fill(page_.get() + foot_.used_bytes, directory, std::byte{0});
    std::memcpy(foot, &foot_, sizeof(foot_));
    seal_page(page_.get(), page_bytes_);
    take_({page_.get(), page_bytes_}, foot_.first_node, foot_.continues != 0);
    ++pages_;
    foot_ = {};
  }

  const std::size_t page_bytes_;
  const WeightType weight_;
  const std::unique_ptr<std::byte[]> page_;
  const PageTaker take_;
  PageFoot foot_;
  Id last_node_ = 0;  ///< node of the last fragment
  std::uint64_t entries_ = 0;
  std::uint64_t pages_ = 0;
  Id source_ = 0;
  std::array<Id, fragment_neighbours> list_;  ///< waiting neighbours of source_, which are in no page yet
  std::array<std::uint64_t, fragment_neighbours> weights_;  ///< of the waiting neighbours
  WeightRanks ranks_ = {~std::uint64_t{0}, 0};
  std::size_t waiting_ = 0;
  std::uint64_t degree_ = 0;  ///< degree of source_ without the waiting neighbours
  std::uint64_t largest_degree_ = 0;
  std::uint64_t largest_degree_node_ = 0;
};

}  // namespace emgraph::graph::adjacency
