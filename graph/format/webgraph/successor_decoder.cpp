// SPDX-License-Identifier: MIT
// Decodes three ascending parts and merges them.
#include "graph/format/webgraph/successor_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

/// Writers pad the last word.
constexpr std::uint64_t most_padding_bytes = 16;

std::unique_ptr<core::GrowingArray<std::uint64_t>> make_list(core::MemoryBudget& budget,
                                                             std::uint64_t nodes) {
  return std::make_unique<core::GrowingArray<std::uint64_t>>(budget, std::max<std::uint64_t>(nodes, 1),
                                                             "the successors of a node");
}

/// Merges two ascending sequences. Requires: `out` has space for both.
void merge(std::span<const std::uint64_t> left, std::span<const std::uint64_t> right, std::uint64_t* out) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < left.size() && k < right.size()) {
    const bool takes_right = right[k] < left[i];
    *out++ = takes_right ? right[k] : left[i];
    k += takes_right ? 1 : 0;
    i += takes_right ? 0 : 1;
  }
  out = std::copy(left.begin() + static_cast<std::ptrdiff_t>(i), left.end(), out);
  std::copy(right.begin() + static_cast<std::ptrdiff_t>(k), right.end(), out);
}

bool ascends(std::span<const std::uint64_t> ids) {
  bool good = true;
  for (std::size_t i = 1; i < ids.size(); ++i) good &= ids[i - 1] < ids[i];
  return good;
}

}  // namespace

SuccessorDecoder::SuccessorDecoder(core::MemoryBudget& budget, std::string file,
                                   const WebgraphProperties& properties, std::uint64_t file_bytes,
                                   BitReader::NextPiece next_piece)
    : file_(std::move(file)),
      properties_(properties),
      file_bytes_(file_bytes),
      bits_(std::move(next_piece)),
      slots_(static_cast<std::size_t>(properties.window_size) + 1) {
  for (Slot& slot : slots_) slot.list = make_list(budget, properties_.nodes);
  for (Part* part : {&copied_, &intervals_, &residuals_, &merged_}) {
    part->list = make_list(budget, properties_.nodes);
  }
}

void SuccessorDecoder::rewind() {
  bits_.rewind();
  next_node_ = 0;
  arcs_ = 0;
}

void SuccessorDecoder::refuse(const std::string& what) const {
  if (bits_.past_end()) {
    throw core::DataError::at_offset(file_, file_bytes_,
                                     "truncated: ends within the successors of node " +
                                         std::to_string(next_node_) + " of " +
                                         std::to_string(properties_.nodes));
  }
  throw core::DataError::at_offset(file_, bits_.position() / 8,
                                   "bit " + std::to_string(bits_.position() % 8) +
                                       ": the successors of node " + std::to_string(next_node_) + ": " +
                                       what);
}

bool SuccessorDecoder::done() {
  if (next_node_ < properties_.nodes) return false;
  const std::uint64_t bytes = (bits_.position() + 7) / 8;
  if (arcs_ != properties_.arcs) {
    throw core::DataError::at_offset(file_, bytes,
                                     std::to_string(arcs_) + " arcs found, expected " +
                                         std::to_string(properties_.arcs) + " by its properties");
  }
  if (bytes + most_padding_bytes < file_bytes_) {
    throw core::DataError::at_offset(file_, bytes,
                                     "bytes left over: " + std::to_string(file_bytes_) + " bytes, " +
                                         std::to_string(bytes) + " of which hold the " +
                                         std::to_string(properties_.nodes) + " nodes of its properties");
  }
  return true;
}

std::uint64_t SuccessorDecoder::number(BitCode code, const char* what) {
  const std::uint64_t found = bits_.read(code, properties_.zeta_k);
  if (found >= BitReader::bad || bits_.past_end()) {
    refuse(std::string("found no number where ") + what + " is expected");
  }
  return found;
}

/// Decodes a signed distance to the node: 0, 1, 2, 3, … are node, node - 1, node + 1, node - 2, …
std::uint64_t SuccessorDecoder::relative(std::uint64_t number, const char* what) const {
  const std::uint64_t distance = number / 2 + number % 2;
  if (number % 2 == 1 ? distance > next_node_ : distance >= properties_.nodes - next_node_) {
    refuse(std::string(what) + " is " + std::to_string(distance) +
           (number % 2 == 1 ? " below the node" : " above the node") + ", expected ids below " +
           std::to_string(properties_.nodes));
  }
  return number % 2 == 1 ? next_node_ - distance : next_node_ + distance;
}

std::span<const std::uint64_t> SuccessorDecoder::next() {
  Slot& into = slot(next_node_);
  const std::uint64_t degree = number(properties_.outdegrees, "an outdegree");
  if (degree > std::min(properties_.nodes, properties_.arcs - arcs_)) {
    refuse("an outdegree of " + std::to_string(degree) + ", expected at most " +
           std::to_string(std::min(properties_.nodes, properties_.arcs - arcs_)));
  }
  copied_.size = intervals_.size = residuals_.size = 0;
  if (degree > 0) {
    if (properties_.window_size > 0) copy_blocks(degree);
    if (copied_.size < degree && properties_.least_interval > 0) read_intervals(degree);
    read_residuals(degree - copied_.size - intervals_.size);
  }
  merge_parts(into, degree);
  into.size = degree;
  arcs_ += degree;
  ++next_node_;
  return into.successors();
}

/// Fills copied_.
void SuccessorDecoder::copy_blocks(std::uint64_t degree) {
  const std::uint64_t back = number(properties_.references, "a reference");
  if (back == 0) return;
  if (back > std::min(properties_.window_size, next_node_)) {
    refuse("they refer to the node " + std::to_string(back) + " before, expected at most " +
           std::to_string(std::min(properties_.window_size, next_node_)));
  }
  const std::span<const std::uint64_t> from = slot(next_node_ - back).successors();
  copied_.list->reach(std::min<std::uint64_t>(degree, from.size()));
  std::size_t at = 0;
  const auto take = [&](std::uint64_t length, bool copies) {
    if (length > from.size() - at) {
      refuse("blocks of more than the " + std::to_string(from.size()) + " successors they are copied from");
    }
    if (copies) {
      if (length > degree - copied_.size) {
        refuse("more than the " + std::to_string(degree) + " successors declared are copied");
      }
      std::memcpy(copied_.list->data() + copied_.size, from.data() + at, length * sizeof(std::uint64_t));
      copied_.size += static_cast<std::size_t>(length);
    }
    at += static_cast<std::size_t>(length);
  };
  const std::uint64_t blocks = number(properties_.block_counts, "a number of blocks");
  if (blocks > from.size() + 1) {
    refuse(std::to_string(blocks) + " blocks of " + std::to_string(from.size()) + " successors");
  }
  bool copies = true;
  for (std::uint64_t block = 0; block < blocks; ++block, copies = !copies) {
    // Only the first block may be empty.
    take(number(properties_.blocks, "a block") + (block == 0 ? 0 : 1), copies);
  }
  take(from.size() - at, copies);
}

/// Fills intervals_.
void SuccessorDecoder::read_intervals(std::uint64_t degree) {
  const std::uint64_t count = number(BitCode::gamma, "a number of intervals");
  std::uint64_t end = 0;
  for (std::uint64_t interval = 0; interval < count; ++interval) {
    const std::uint64_t gap = number(BitCode::gamma, "an interval");
    const std::uint64_t left = interval == 0 ? relative(gap, "an interval") : end + 1 + gap;
    const std::uint64_t length =
        number(BitCode::gamma, "the length of an interval") + properties_.least_interval;
    add_interval(left, length, degree);
    end = left + length;
  }
}

void SuccessorDecoder::add_interval(std::uint64_t left, std::uint64_t length, std::uint64_t degree) {
  if (left >= properties_.nodes || length > properties_.nodes - left) {
    refuse("an interval of " + std::to_string(length) + " from " + std::to_string(left) +
           " on, expected ids below " + std::to_string(properties_.nodes));
  }
  if (length > degree - copied_.size - intervals_.size) {
    refuse("intervals of more than the " + std::to_string(degree) + " successors declared");
  }
  intervals_.list->reach(intervals_.size + length);
  std::uint64_t* out = intervals_.list->data() + intervals_.size;
  for (std::uint64_t i = 0; i < length; ++i) out[i] = left + i;
  intervals_.size += static_cast<std::size_t>(length);
}

/// Fills residuals_.
void SuccessorDecoder::read_residuals(std::uint64_t count) {
  if (count == 0) return;
  // Every number takes at least one bit, which bounds the count.
  const std::uint64_t left = file_bytes_ * 8 - std::min(file_bytes_ * 8, bits_.position());
  if (count > left) {
    refuse("truncated: " + std::to_string(count) + " of them are still to come, found " +
           std::to_string(left) + " bits up to the end of the file");
  }
  residuals_.list->reach(count);
  std::uint64_t* const out = residuals_.list->data();
  std::uint64_t id = relative(number(properties_.residuals, "a successor"), "a successor");
  out[0] = id;
  for (std::uint64_t i = 1; i < count; ++i) {
    id += 1 + number(properties_.residuals, "a successor");
    if (id >= properties_.nodes) {
      refuse("successor " + std::to_string(id) + ", expected ids below " + std::to_string(properties_.nodes));
    }
    out[i] = id;
  }
  residuals_.size = static_cast<std::size_t>(count);
}

void SuccessorDecoder::merge_parts(Slot& into, std::uint64_t degree) {
  into.list->reach(degree);
  std::span<const std::uint64_t> rest = residuals_.ids();
  if (intervals_.size > 0) {
    if (rest.empty()) {
      rest = intervals_.ids();
    } else {
      merged_.size = intervals_.size + residuals_.size;
      merged_.list->reach(merged_.size);
      merge(intervals_.ids(), residuals_.ids(), merged_.list->data());
      rest = merged_.ids();
    }
  }
  merge(copied_.ids(), rest, into.list->data());
  if (!ascends({into.list->data(), static_cast<std::size_t>(degree)})) refuse("one of them comes twice");
}

}  // namespace emgraph::graph::format
