// SPDX-License-Identifier: MIT
// A page of an adjacency: the foot that says what it holds, and the cursor that reads its lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/error.hpp"
#include "graph/adjacency/gap_codec.hpp"

namespace emgraph::graph::adjacency {

/// Size of a page, bytes. Small, for a page is what a lookup of one node reads: 47,000 random reads of 4 KiB
/// a second (depth 32), fewer of larger ones (an earlier measurement of the disk).
inline constexpr std::size_t default_page_bytes = 4096;
/// Positions within a page take 16 bits.
inline constexpr std::size_t most_page_bytes = 32768;

/// A list is stored in fragments of at most this many neighbours, each within one page.
inline constexpr std::size_t fragment_neighbours = 256;
/// One in so many fragments of a page has an entry in the page's directory.
inline constexpr std::size_t directory_step = 16;

/// The last 32 bytes of a page (ADJACENCY.md).
struct PageFoot {
  std::uint64_t first_node = 0;   ///< of the page's first fragment
  std::uint64_t first_entry = 0;  ///< number of its first neighbour in the whole adjacency
  std::uint16_t fragments = 0;
  std::uint16_t used_bytes = 0;  ///< by fragments, from the start of the page
  std::uint16_t entries = 0;     ///< neighbours in the page
  std::uint16_t continues = 0;   ///< 1: the first fragment continues a list of the page before
  std::uint64_t checksum = 0;    ///< XXH3 of all bytes of the page before it
};
static_assert(sizeof(PageFoot) == 32);

inline PageFoot page_foot(const std::byte* page, std::size_t page_bytes) {
  PageFoot foot;
  std::memcpy(&foot, page + page_bytes - sizeof(foot), sizeof(foot));
  return foot;
}

/// A node and its place, for each directory_step-th fragment; from the foot downwards.
template <class Id>
struct DirectoryEntry {
  static constexpr std::size_t bytes = sizeof(Id) + 2;
  Id node = 0;
  std::uint16_t position = 0;

  /// Entry i of a page whose foot begins at `foot`.
  static DirectoryEntry load(const std::byte* foot, std::size_t i) {
    DirectoryEntry entry;
    std::memcpy(&entry.node, foot - (i + 1) * bytes, sizeof(Id));
    std::memcpy(&entry.position, foot - (i + 1) * bytes + sizeof(Id), 2);
    return entry;
  }
  void store(std::byte* foot, std::size_t i) const {
    std::memcpy(foot - (i + 1) * bytes, &node, sizeof(Id));
    std::memcpy(foot - (i + 1) * bytes + sizeof(Id), &position, 2);
  }
};

constexpr std::size_t directory_entries(std::size_t fragments) {
  return fragments == 0 ? 0 : (fragments - 1) / directory_step;
}

/// What all pages of an adjacency share.
struct PageContext {
  std::string name;               ///< of the file, for messages
  std::uint64_t data_offset = 0;  ///< of page 0 in it
  std::size_t page_bytes = default_page_bytes;
  std::size_t id_bytes = 4;
  std::uint64_t nodes = 0;  ///< n: every id read is below it, else DataError

  /// Throws the DataError of a page that makes no sense.
  [[noreturn]] void refuse(std::uint64_t page, const std::string& what) const {
    throw core::DataError::at_offset(name, data_offset + page * page_bytes,
                                     "page " + std::to_string(page) + " of the adjacency: " + what);
  }
};

/// Are the entries of a page's directory known to be right? Our own pages' are; those of a file that somebody
/// made would send a search elsewhere than a scan, so they are checked before they are used.
enum class Directory : bool { checked, unchecked };

/// Goes through the fragments of a page that has been verified (verify_page). Whatever the bytes are, it
/// stays within the page, gives nodes in order and below `end`, where the next page begins, and neighbours
/// below n only: DataError otherwise. Memory: none. Threads: one.
template <class Id>
class PageCursor {
 public:
  using Codec = GapCodec<Id>;
  static_assert(Codec::overrun_bytes <= sizeof(PageFoot), "what is read beyond a list is the foot");

  /// Requires: first_node < end <= n.
  PageCursor(const PageContext& context, std::uint64_t number, const std::byte* page, std::uint64_t end,
             Directory directory)
      : context_(&context),
        number_(number),
        page_(page),
        end_(end),
        directory_(directory),
        foot_(page_foot(page, context.page_bytes)),
        node_(static_cast<Id>(foot_.first_node)) {}

  const PageFoot& foot() const { return foot_; }
  std::uint64_t number() const { return number_; }
  /// Throws the DataError of a page that makes no sense.
  [[noreturn]] void refuse(const std::string& what) const { context_->refuse(number_, what); }

  /// Moves on: the next call of next() gives the first fragment with an id >= `node`, or one a few before
  /// it, or the next one if that is later.
  void seek(Id node) {
    check_directory();
    const std::byte* const foot = foot_bytes();
    std::size_t low = fragment_ / directory_step;  // entries below it are of fragments read already
    std::size_t high = directory_entries(foot_.fragments);
    const std::size_t first = low;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (DirectoryEntry<Id>::load(foot, middle).node < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // Entry i is of fragment (i + 1) * directory_step.
    if (low == first) return;
    const auto entry = DirectoryEntry<Id>::load(foot, low - 1);
    fragment_ = low * directory_step;
    position_ = entry.position;
    node_ = entry.node;
    node_is_known_ = true;
  }

  /// Throws DataError unless the directory, if it is unchecked, names the nodes and places that next() finds.
  void check_directory() {
    if (directory_ == Directory::checked) return;
    directory_ = Directory::checked;
    PageCursor all(*context_, number_, page_, end_, directory_);
    for (std::size_t i = 0; i < directory_entries(foot_.fragments); ++i) {
      while (all.fragment_ < (i + 1) * directory_step) all.next();
      const std::size_t position = all.position_;
      all.next();
      const auto entry = DirectoryEntry<Id>::load(foot_bytes(), i);
      if (entry.node != all.node_ || entry.position != position) {
        refuse("its directory names other places than those of its lists");
      }
    }
  }

  /// The next fragment. False at the end of the page.
  bool next() {
    if (fragment_ == foot_.fragments) return false;
    if (position_ >= foot_.used_bytes) broken();
    const std::byte* at = page_ + position_;
    std::uint64_t head = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*at++);
      head |= (byte & 127) << shift;
      if (byte < 128) break;
      if (shift > 56) broken();
    }
    const std::uint64_t step = node_is_known_ ? 0 : head >> 4;
    if (step >= end_ - node_) broken();
    node_ += static_cast<Id>(step);
    node_is_known_ = false;
    count_ = static_cast<unsigned>(head & 15);
    std::size_t bytes = 0;
    if (count_ == 0) {
      count_ = static_cast<unsigned>(*at) + 1;
      std::uint16_t values = 0;
      std::memcpy(&values, at + 1, 2);
      at += 3;
      bytes = Codec::control_bytes(count_) + values;
    } else {
      bytes = Codec::control_bytes(count_) + Codec::value_bytes(at, count_);
    }
    list_ = at;
    const auto end = static_cast<std::size_t>(at - page_) + bytes;
    if (end > foot_.used_bytes) broken();
    position_ = end;
    ++fragment_;
    return true;
  }

  /// Of the fragment that next() found. Fragments of one node follow each other, in this page and on into
  /// the next ones.
  Id node() const { return node_; }
  unsigned count() const { return count_; }

  /// Its neighbours, ascending. `out` has room for fragment_neighbours + 3.
  void decode(Id* out) const {
    bool bad = false;
    const bool whole = Codec::decode(node_, list_, count_, limit(), [&](const auto& ids, unsigned here) {
      std::memcpy(out, ids.data(), sizeof(ids));
      out += here;
      // The fields of a last group that stand for nothing may hold anything.
      const std::uint64_t nodes = context_->nodes;
      if (here == 4) {
        bad |= std::max(std::max(ids[0], ids[1]), std::max(ids[2], ids[3])) >= nodes;
      } else {
        for (unsigned i = 0; i < here; ++i) bad |= ids[i] >= nodes;
      }
      return true;
    });
    if (bad || !whole) broken();
  }

  /// Calls take(neighbour), ascending, until it returns true; false if it never does.
  template <class Take>
  bool find(Take&& take) const {
    bool found = false;
    const bool whole = Codec::decode(node_, list_, count_, limit(), [&](const auto& ids, unsigned here) {
      for (unsigned i = 0; i < here; ++i) {
        if (ids[i] >= context_->nodes) broken();
        if (take(ids[i])) {
          found = true;
          return false;
        }
      }
      return true;
    });
    if (!whole) broken();
    return found;
  }

 private:
  const std::byte* foot_bytes() const { return page_ + context_->page_bytes - sizeof(PageFoot); }
  /// Values that begin here can be read within the page.
  const std::byte* limit() const { return page_ + context_->page_bytes - Codec::overrun_bytes; }
  [[noreturn]] void broken() const { refuse("its lists make no sense"); }

  const PageContext* context_;
  std::uint64_t number_;
  const std::byte* page_;
  std::uint64_t end_;
  Directory directory_;
  PageFoot foot_;
  std::size_t fragment_ = 0;  ///< that next() gives
  std::size_t position_ = 0;
  const std::byte* list_ = nullptr;
  Id node_;
  unsigned count_ = 0;
  bool node_is_known_ = false;  ///< of the fragment that next() gives, from the directory
};

/// Throws DataError unless checksum and foot of page `number` are right; `first_node` and `continues` are
/// what the index says of it.
void verify_page(const PageContext& context, std::uint64_t number, const std::byte* page,
                 std::uint64_t first_node, bool continues);
/// Fills in the checksum.
void seal_page(std::byte* page, std::size_t page_bytes);

}  // namespace emgraph::graph::adjacency
