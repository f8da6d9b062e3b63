// SPDX-License-Identifier: MIT
// Attachments from counter-based words, written little-endian on any machine.
#include "graph/generate/attachment.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// Writes the low `count` <= 8 bytes of `value`, lowest first.
void store_little_endian(std::byte* out, std::uint64_t value, std::size_t count) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(value >> (8 * i));
  } else {
    std::memcpy(out, &value, count);
  }
}

/// Constants of all edges: keys and counts computed once per call.
struct Plan {
  std::uint64_t weight_key = 0;
  std::uint64_t weight_low = 0;
  std::uint64_t weight_count = 0;  // 0: no weight
  std::array<std::uint64_t, max_attachment_bytes / word_bytes> payload_keys{};
  std::size_t model_weight_bytes = 0;  // left as they are
  std::size_t payload_bytes = 0;
};

Plan make_plan(const AttachmentSpec& spec, std::uint64_t seed) {
  Plan plan;
  if (spec.weights) {
    plan.weight_key = stream_key(seed, Purpose::weight);
    plan.weight_low = spec.weights->low;
    plan.weight_count = spec.weights->high - spec.weights->low + 1;
  }
  for (std::size_t w = 0; w < plan.payload_keys.size(); ++w) {
    plan.payload_keys[w] = stream_key(seed, Purpose::payload, w);
  }
  if (spec.model_weights) plan.model_weight_bytes = spec.weight_bytes();
  plan.payload_bytes = spec.payload_bytes;
  return plan;
}

void fill_one(const Plan& plan, std::uint64_t edge, std::byte* out) {
  if (plan.weight_count != 0) {
    const std::uint64_t weight =
        plan.weight_low + multiply_high(counter_word(plan.weight_key, edge), plan.weight_count);
    store_little_endian(out, weight, sizeof(std::uint32_t));
    out += sizeof(std::uint32_t);
  }
  out += plan.model_weight_bytes;
  for (std::size_t at = 0; at < plan.payload_bytes; at += word_bytes) {
    const std::uint64_t word = counter_word(plan.payload_keys[at / word_bytes], edge);
    store_little_endian(out + at, word, std::min(word_bytes, plan.payload_bytes - at));
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
  const Plan plan = make_plan(spec, seed);
  const std::size_t rest = shape.row_bytes - 2 * shape.integer_bytes - used;
  if (used + rest == 0) return;
  std::byte* out = records + 2 * shape.integer_bytes;
  for (std::size_t i = 0; i < count; ++i, out += shape.row_bytes) {
    if (rest != 0) std::memset(out + used, 0, rest);
    fill_one(plan, first_edge + i, out);
  }
}

}  // namespace emgraph::graph::generate
