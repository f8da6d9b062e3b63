// SPDX-License-Identifier: MIT
// A page of an adjacency: its foot with the description, and the cursor that reads its lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/error.hpp"
#include "graph/adjacency/gap_codec.hpp"
#include "graph/adjacency/page_marks.hpp"
#include "graph/adjacency/page_weights.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::adjacency {

/// Size of a page, bytes. Small, because a lookup of one node reads a page: the disk made 47,000 random reads
/// of 4 KiB a second (depth 32), and fewer of larger pages.
inline constexpr std::size_t default_page_bytes = 4096;
/// Positions within a page take 16 bits.
inline constexpr std::size_t most_page_bytes = 32768;

/// A list is stored in fragments of at most this many neighbours, each within one page.
inline constexpr std::size_t fragment_neighbours = 256;
/// Every 2^directory_bits-th fragment of a page has an entry in the page's directory.
constexpr unsigned directory_bits(WeightType weight) {
  return weight == WeightType::none ? 4 : 2;
}

/// The last 32 bytes of a page (ADJACENCY.md).
struct PageFoot {
  std::uint64_t first_node = 0;   ///< node of the first fragment
  std::uint64_t first_entry = 0;  ///< number of the first neighbour in the whole adjacency
  std::uint16_t fragments = 0;
  std::uint16_t used_bytes = 0;  ///< bytes of all fragments, from the start of the page
  std::uint16_t entries = 0;     ///< neighbours in the page
  std::uint16_t continues = 0;   ///< 1: the first fragment continues the last list of the previous page
  std::uint64_t checksum = 0;    ///< XXH3 of all bytes of the page before this field
};
static_assert(sizeof(PageFoot) == 32);

inline PageFoot page_foot(const std::byte* page, std::size_t page_bytes) {
  PageFoot foot;
  std::memcpy(&foot, page + page_bytes - sizeof(foot), sizeof(foot));
  return foot;
}

/// The node and the position of a fragment; entries are stored from the foot downwards.
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

constexpr std::size_t directory_entries(std::size_t fragments, WeightType weight) {
  return fragments == 0 ? 0 : (fragments - 1) >> directory_bits(weight);
}

/// Properties shared by all pages of an adjacency.
struct PageContext {
  std::string name;               ///< name of the file, for messages
  std::uint64_t data_offset = 0;  ///< offset of page 0 in the file
  std::size_t page_bytes = default_page_bytes;
  std::size_t id_bytes = 4;
  std::uint64_t nodes = 0;  ///< n: an id that is not below it is a DataError
  WeightType weight = WeightType::none;
  WeightRanks weights = {};  ///< ranks of all weights: one that is not in it is a DataError

  /// Throws the DataError of an invalid page.
  [[noreturn]] void refuse(std::uint64_t page, const std::string& what) const {
    throw core::DataError::at_offset(name, data_offset + page * page_bytes,
                                     "page " + std::to_string(page) + " of the adjacency: " + what);
  }
};

/// Whether the directory and the weights of a page were checked. Pages made by this process need no check. In
/// a file the directory could disagree with the fragments, so that a search and a scan had different results,
/// and the weights with the footer; they are checked before use.
enum class PageCheck : bool { done, due };

/// Iterates over the fragments of a verified page (verify_page). For any bytes it stays within the page and
/// returns only nodes in order and below `end`, the first node of the next page, neighbours below n and
/// weights within the context's; else it throws DataError. Memory: none. Threads: one.
template <class Id>
class PageCursor {
 public:
  using Codec = GapCodec<Id>;
  static_assert(Codec::overrun_bytes <= sizeof(PageFoot), "what is read beyond a list is the foot");

  /// Requires: first_node < end <= n.
  PageCursor(const PageContext& context, std::uint64_t number, const std::byte* page, std::uint64_t end,
             PageCheck check)
      : context_(&context),
        number_(number),
        page_(page),
        end_(end),
        check_(check),
        weighted_(context.weight != WeightType::none),
        foot_(page_foot(page, context.page_bytes)),
        node_(static_cast<Id>(foot_.first_node)) {}
  /// The same, at a place where an earlier cursor of the page was; reads the page from there on only, and
  /// foot() has nothing but the parts that PageMark has. Requires: the page was checked; `first_node` is its
  /// first node.
  PageCursor(const PageContext& context, std::uint64_t number, const std::byte* page,
             std::uint64_t first_node, std::uint64_t end, const PageMark& mark)
      : context_(&context),
        number_(number),
        page_(page),
        end_(end),
        check_(PageCheck::done),
        weighted_(context.weight != WeightType::none),
        foot_{.first_node = first_node, .fragments = mark.fragments, .used_bytes = mark.used_bytes},
        fragment_(mark.fragment),
        position_(mark.position),
        node_(static_cast<Id>(first_node + mark.node)),
        node_is_known_(true) {}

  const PageFoot& foot() const { return foot_; }
  std::uint64_t number() const { return number_; }
  /// Throws the DataError of an invalid page.
  [[noreturn]] void refuse(const std::string& what) const { context_->refuse(number_, what); }

  /// Back to the first fragment.
  void rewind() {
    fragment_ = position_ = 0;
    node_ = static_cast<Id>(foot_.first_node);
    node_is_known_ = begins_list_ = false;
  }
  /// Skips fragments: next() then finds the first fragment with a node >= `node`, or one a few fragments
  /// before it. Never moves backwards.
  void seek(Id node) {
    const unsigned bits = directory_bits(context_->weight);
    if (node_is_known_ && node >= node_ && node - node_ < Id{1} << bits) return;
    check();
    const std::byte* const foot = foot_bytes();
    const std::size_t first = fragment_ >> bits;  // lower entries belong to fragments that were read already
    std::size_t low = first;
    std::size_t high = directory_entries(foot_.fragments, context_->weight);
    if (low == high) return;
    // Mostly the nodes of a page are spread evenly: a step or two from where the node would be then, else
    // binary search.
    const double share =
        std::min(1.0, static_cast<double>(node - std::min(node, static_cast<Id>(foot_.first_node))) /
                          static_cast<double>(end_ - foot_.first_node));
    std::size_t at = std::clamp(static_cast<std::size_t>(share * static_cast<double>(high)), low, high - 1);
    for (unsigned steps = 0; low < high; ++steps) {
      if (DirectoryEntry<Id>::load(foot, at).node < node) {
        at = low = at + 1;
      } else {
        high = at;
        at = high - 1;
      }
      if (steps >= most_guesses) at = (low + high) / 2;
    }
    // Entry i belongs to fragment (i + 1) << bits.
    if (low == first) return;
    const auto entry = DirectoryEntry<Id>::load(foot, low - 1);
    fragment_ = low << bits;
    position_ = entry.position;
    node_ = entry.node;
    node_is_known_ = true;
    begins_list_ = false;  // mark() would mix the old fragment with the new one
  }

  /// Throws DataError if an unchecked directory has other nodes and positions than the fragments, or a weight
  /// is not within the context's.
  void check() {
    if (check_ == PageCheck::done) return;
    check_ = PageCheck::done;
    PageCursor all(*context_, number_, page_, end_, weighted_ ? PageCheck::due : PageCheck::done);
    const unsigned bits = directory_bits(context_->weight);
    const std::size_t entries = directory_entries(foot_.fragments, context_->weight);
    const std::size_t last = weighted_ ? foot_.fragments : (entries << bits) + 1;
    std::array<std::uint64_t, fragment_neighbours> weights;
    for (std::size_t fragment = 0; fragment < last; ++fragment) {
      const std::size_t position = all.position_;
      all.next();
      if (weighted_) all.decode_weights(weights.data());
      if (fragment == 0 || fragment % (std::size_t{1} << bits) != 0) continue;
      const auto entry = DirectoryEntry<Id>::load(foot_bytes(), (fragment >> bits) - 1);
      if (entry.node != all.node_ || entry.position != position) {
        refuse("its directory names other places than those of its lists");
      }
    }
  }

  /// The current fragment as a place to go on from later; none unless it begins the list of its node.
  PageMark mark() const {
    const std::uint64_t distance = node_ - foot_.first_node;
    if (!begins_list_ || distance > most_marked_distance) return {};
    return {.node = static_cast<std::uint32_t>(distance),
            .fragment = static_cast<std::uint16_t>(fragment_ - 1),
            .position = static_cast<std::uint16_t>(begin_),
            .fragments = foot_.fragments,
            .used_bytes = foot_.used_bytes};
  }

  /// Moves to the next fragment. False at the end of the page.
  bool next() {
    if (fragment_ == foot_.fragments) return false;
    if (position_ >= foot_.used_bytes) broken();
    begin_ = position_;
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
    begins_list_ = step > 0;
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
    auto end = static_cast<std::size_t>(at - page_) + bytes;
    if (weighted_) {
      if (end >= foot_.used_bytes) broken();
      width_ = static_cast<unsigned>(page_[end]);
      if (width_ > weight_bytes(context_->weight)) broken();
      weights_ = page_ + end + 1;
      end += 1 + std::size_t{count_} * width_;
    }
    if (end > foot_.used_bytes) broken();
    position_ = end;
    ++fragment_;
    return true;
  }

  /// Node of the current fragment. The fragments of a node are consecutive, also across pages.
  Id node() const { return node_; }
  unsigned count() const { return count_; }

  /// Writes the neighbours of the current fragment, ascending. Requires: `out` has space for
  /// fragment_neighbours + 3.
  void decode(Id* out) const {
    bool bad = false;
    const bool whole = Codec::decode(node_, list_, count_, limit(), [&](const auto& ids, unsigned here) {
      std::memcpy(out, ids.data(), sizeof(ids));
      out += here;
      // Unused fields of the last group may hold any value.
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

  /// Writes the weights of the current fragment, in the order of its neighbours: the stored bits,
  /// zero-extended to 64 bits. Requires: the adjacency has weights; `out` has space for fragment_neighbours.
  void decode_weights(std::uint64_t* out) const {
    // What is read beyond the weights is the foot.
    unpack_weights(weights_, width_, count_, out);
    if (check_ == PageCheck::due && !all_within(context_->weight, context_->weights, {out, count_})) {
      refuse("a weight is not within those that the footer names");
    }
  }

  /// Calls take(neighbour), ascending, until it returns true. Returns false if it never does.
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
  // Steps of a search through the directory before it becomes a binary search.
  static constexpr unsigned most_guesses = 4;
  static constexpr std::uint64_t most_marked_distance = 0xffffffff;

  const std::byte* foot_bytes() const { return page_ + context_->page_bytes - sizeof(PageFoot); }
  /// Values that begin here or before can be read without leaving the page.
  const std::byte* limit() const { return page_ + context_->page_bytes - Codec::overrun_bytes; }
  [[noreturn]] void broken() const { refuse("its lists make no sense"); }

  const PageContext* context_;
  std::uint64_t number_;
  const std::byte* page_;
  std::uint64_t end_;
  PageCheck check_;
  bool weighted_;
  PageFoot foot_;
  std::size_t fragment_ = 0;  ///< number of the fragment that next() finds
  std::size_t position_ = 0;
  std::size_t begin_ = 0;  ///< position of the current fragment
  const std::byte* list_ = nullptr;
  Id node_;
  unsigned count_ = 0;
  unsigned width_ = 0;  ///< bytes of a weight of the current fragment
  const std::byte* weights_ = nullptr;
  bool begins_list_ = false;    ///< the current fragment is known to be the first of its node
  bool node_is_known_ = false;  ///< the directory or a mark gave the node of the fragment that next() finds
};

/// Throws DataError unless the checksum and the foot of page `number` are valid. `first_node` and `continues`
/// come from the index.
void verify_page(const PageContext& context, std::uint64_t number, const std::byte* page,
                 std::uint64_t first_node, bool continues);
/// XXH3 of the bytes of a page before its checksum.
std::uint64_t page_checksum(const std::byte* page, std::size_t page_bytes);
/// Writes the checksum of a page.
void seal_page(std::byte* page, std::size_t page_bytes);

}  // namespace emgraph::graph::adjacency
