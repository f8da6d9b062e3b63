// SPDX-License-Identifier: MIT
// Packs records into keys and unpacks them.
#include "graph/prepare/weight_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/integers.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::prepare {
namespace {

constexpr unsigned key_bits = 128;

static_assert(std::endian::native == std::endian::little);

std::uint64_t load(const std::byte* from, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

/// rank_of_weight() gives both zeros the same rank. Here -0 has the one below it, which no other weight has.
std::uint64_t distinct_rank(WeightType type, std::uint64_t bits) {
  const bool floating = type == WeightType::f32 || type == WeightType::f64;
  const std::uint64_t negative_zero = std::uint64_t{1} << (8 * weight_bytes(type) - 1);
  return floating && bits == negative_zero ? negative_zero - 1 : rank_of_weight(type, bits);
}

}  // namespace

WeightKeys::WeightKeys(const core::PairShape& shape, WeightType weight, unsigned id_bits)
    : shape_(shape),
      weight_(weight),
      weight_bytes_(weight_bytes(weight)),
      other_bytes_(shape.attachment_bytes - weight_bytes_),
      id_bits_(id_bits) {
  const auto bits = static_cast<unsigned>(8 * weight_bytes_) + 2 * id_bits;
  rest_bits_ = bits - std::min(bits, key_bits);
}

WeightKeys::Key WeightKeys::key(std::uint64_t source, std::uint64_t target,
                                const std::byte* attachment) const {
  const std::uint64_t rank = distinct_rank(weight_, load(attachment, weight_bytes_));
  const std::uint64_t upper = rest_bits_ == 64 ? 0 : target >> rest_bits_;
  return ((Key{rank} << id_bits_) | source) << (id_bits_ - rest_bits_) | upper;
}

core::KeyRange<WeightKeys::Key> WeightKeys::range() const {
  const auto bits = static_cast<unsigned>(8 * weight_bytes_) + 2 * id_bits_ - rest_bits_;
  return {0, core::low_mask<Key>(bits)};
}

void WeightKeys::attach(std::uint64_t target, const std::byte* attachment, std::byte* to) const {
  for (std::size_t i = rest_bytes(); i > 0; --i, target >>= 8) to[i - 1] = static_cast<std::byte>(target);
  if (rest_bits_ % 8 != 0) to[0] &= static_cast<std::byte>((1U << (rest_bits_ % 8)) - 1);
  std::memcpy(to + rest_bytes(), attachment + weight_bytes_, other_bytes_);
}

void WeightKeys::record(Key key, const std::byte* attached, std::byte* to) const {
  const unsigned upper_bits = id_bits_ - rest_bits_;
  std::uint64_t target = static_cast<std::uint64_t>(key & core::low_mask<Key>(upper_bits));
  for (std::size_t i = 0; i < rest_bytes(); ++i) {
    const unsigned bits = i == 0 && rest_bits_ % 8 != 0 ? rest_bits_ % 8 : 8;
    target = target << bits | static_cast<std::uint64_t>(attached[i]);
  }
  key >>= upper_bits;
  const auto source = static_cast<std::uint64_t>(key & core::low_mask<Key>(id_bits_));
  const std::uint64_t weight = weight_of_rank(weight_, static_cast<std::uint64_t>(key >> id_bits_));
  std::memcpy(to, &source, shape_.integer_bytes);
  std::memcpy(to + shape_.integer_bytes, &target, shape_.integer_bytes);
  to += 2 * shape_.integer_bytes;
  std::memcpy(to, &weight, weight_bytes_);
  if (other_bytes_ > 0) std::memcpy(to + weight_bytes_, attached + rest_bytes(), other_bytes_);
}

WeightSort::WeightSort(core::Environment& environment, const WeightKeys& keys, Sorter::Options options)
    : keys_(keys) {
  options.range = keys.range();
  options.attachment_bytes = keys.attachment_bytes();
  sorter_ = std::make_unique<Sorter>(environment, std::move(options));
}

void WeightSort::push(Sorter::Lane& lane, std::uint64_t source, std::uint64_t target,
                      const std::byte* attachment) const {
  const Key key = keys_.key(source, target, attachment);
  if (keys_.attachment_bytes() == 0) return lane.push(key);
  std::array<std::byte, core::most_attachment_bytes> attached;
  keys_.attach(target, attachment, attached.data());
  lane.push(key, attached.data());
}

void WeightSort::push(const core::PairShape& shape, const RecordBatch& batch) {
  const std::byte* record = batch.records;
  for (std::size_t i = 0; i < batch.count; ++i, record += shape.row_bytes) {
    push(sorter_->lane(0), load(record, shape.integer_bytes),
         load(record + shape.integer_bytes, shape.integer_bytes), record + 2 * shape.integer_bytes);
  }
}

void WeightSort::close() {
  for (unsigned lane = 0; lane < sorter_->lanes(); ++lane) sorter_->lane(lane).finish();
  sorter_->finish();
}

std::uint64_t WeightSort::write(core::Phase& phase, const core::PairShape& shape,
                                const RecordConsumer& consume) {
  constexpr std::size_t most_records = 4096;
  std::vector<std::byte> records(most_records * shape.row_bytes);
  std::uint64_t written = 0;
  for (auto batch = sorter_->next(); !batch.empty(); batch = sorter_->next()) {
    const std::byte* attached = keys_.attachment_bytes() > 0 ? sorter_->attachments() : nullptr;
    for (std::size_t done = 0; done < batch.size();) {
      const std::size_t here = std::min(most_records, batch.size() - done);
      for (std::size_t i = 0; i < here; ++i) {
        keys_.record(batch[done + i], attached, records.data() + i * shape.row_bytes);
        if (attached != nullptr) attached += keys_.attachment_bytes();
      }
      consume(shape, {records.data(), here});
      done += here;
    }
    written += batch.size();
    phase.advance(batch.size());
  }
  return written;
}

}  // namespace emgraph::graph::prepare
