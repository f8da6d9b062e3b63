// SPDX-License-Identifier: MIT
// Attachments from counter-based words, written little-endian on any machine.
#include "graph/generate/attachment.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "graph/generate/counter_hash.hpp"
#include "graph/generate/random_kernel.hpp"

namespace emgraph::graph::generate {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// A width that the compiler knows, so that a store is one instruction.
template <std::size_t bytes>
using Constant = std::integral_constant<std::size_t, bytes>;

/// Writes the low `count` <= 8 bytes of `value`, lowest first.
template <class Count>
void store_little_endian(std::byte* out, std::uint64_t value, Count count) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(value >> (8 * i));
  } else {
    std::memcpy(out, &value, count);
  }
}

/// The same bytes of all records: `out`, of the first one, and every `row_bytes` from there.
struct Column {
  std::byte* out;
  std::size_t row_bytes;
  std::size_t count;
};

/// Writes the low `bytes` of value_of(word of the edge) for each record. The words of many edges are computed
/// at the same time.
template <class Width, class ValueOf>
void fill_column(Column column, std::uint64_t key, std::uint64_t first_edge, Width bytes,
                 const ValueOf& value_of) {
  constexpr std::size_t batch_words = 256;
  std::uint64_t words[batch_words];
  for (std::size_t done = 0; done < column.count; done += batch_words) {
    const std::size_t count = std::min(batch_words, column.count - done);
    fill_words(key, first_edge + done, words, count);
    for (std::size_t i = 0; i < count; ++i, column.out += column.row_bytes) {
      store_little_endian(column.out, value_of(words[i]), bytes);
    }
  }
}

}  // namespace

void check_attachments(const AttachmentSpec& spec) {
  if (spec.weights && spec.model_weights) {
    throw std::invalid_argument("weights of the model and weights LO:HI, expected one of them");
  }
  if (spec.weights) {
    const auto [low, high] = *spec.weights;
    if (low > high || high > 0xffffffffu) {
      throw std::invalid_argument("weights " + std::to_string(low) + ":" + std::to_string(high) +
                                  ", expected LO:HI with LO <= HI < 2^32");
    }
  }
  if (spec.payload_bytes > max_attachment_bytes || spec.bytes() > max_attachment_bytes) {
    throw std::invalid_argument("a payload of " + std::to_string(spec.payload_bytes) +
                                " bytes and a weight of " + std::to_string(spec.weight_bytes()) +
                                " bytes; an edge carries at most " + std::to_string(max_attachment_bytes));
  }
}

std::string describe(const AttachmentSpec& spec) {
  std::string text;
  if (spec.weights) {
    text = "weights=" + std::to_string(spec.weights->low) + ":" + std::to_string(spec.weights->high);
  }
  if (spec.model_weights) text = "weights=float";
  if (spec.payload_bytes > 0) {
    text += (text.empty() ? "payload=" : ",payload=") + std::to_string(spec.payload_bytes);
  }
  return text;
}

void fill_attachments(const AttachmentSpec& spec, std::uint64_t seed, std::uint64_t first_edge,
                      const core::PairShape& shape, std::byte* records, std::size_t count) {
  check_attachments(spec);
  const std::size_t used = spec.bytes();
  if (used > shape.attachment_bytes) {
    throw std::invalid_argument("attachments of " + std::to_string(used) + " bytes do not fit records with " +
                                std::to_string(shape.attachment_bytes));
  }
  Column column{records + 2 * shape.integer_bytes, shape.row_bytes, count};
  if (spec.weights) {
    const std::uint64_t key = stream_key(seed, Purpose::weight);
    const std::uint64_t low = spec.weights->low;
    const std::uint64_t weights = spec.weights->high - low + 1;
    fill_column(column, key, first_edge, Constant<sizeof(std::uint32_t)>(),
                [&](std::uint64_t word) { return low + multiply_high(word, weights); });
  }
  column.out += spec.weight_bytes();  // the model has written its own weights
  for (std::size_t at = 0; at < spec.payload_bytes; at += word_bytes) {
    const std::uint64_t key = stream_key(seed, Purpose::payload, at / word_bytes);
    const std::size_t bytes = std::min(word_bytes, spec.payload_bytes - at);
    bytes == word_bytes ? fill_column(column, key, first_edge, Constant<word_bytes>(), std::identity())
                        : fill_column(column, key, first_edge, bytes, std::identity());
    column.out += bytes;
  }
  const std::size_t rest = shape.row_bytes - 2 * shape.integer_bytes - used;
  if (rest == 0) return;
  for (std::size_t i = 0; i < count; ++i, column.out += column.row_bytes) std::memset(column.out, 0, rest);
}

}  // namespace emgraph::graph::generate
