// SPDX-License-Identifier: MIT
// Gaps of sorted keys by Golomb-Rice codes with a parameter for each group.
#include "core/spill/block_coding.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/vector_sort.hpp"
#include "core/spill/gap_code.hpp"
#include "core/spill/packing.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t group_records = GapCode<std::uint64_t>::group_records;
static_assert(group_records == Packing<std::uint64_t>::group_records);
constexpr std::size_t first_key_bytes = sizeof(uint128);
constexpr std::size_t records_per_sample = 256;
constexpr std::size_t most_samples = 128;

std::size_t samples(std::size_t records) {
  return std::clamp<std::size_t>(records / records_per_sample, 1, most_samples);
}
/// The sample's keys are stored as whole words.
std::size_t attachments_offset(std::size_t key_bytes, std::size_t records) {
  return first_key_bytes + samples(records) * key_bytes + sizeof(uint128);
}

/// The layout of a block for keys in words of one type.
template <class Word>
class Coder {
 public:
  Coder(const BlockLayout& layout, std::span<std::byte> block, std::size_t records)
      : key_bytes_(layout.key_bytes()),
        attachment_bytes_(layout.attachment_bytes),
        group_bytes_(group_records * (key_bytes_ + attachment_bytes_)),
        block_(block),
        records_(records) {}

  std::size_t encode(std::span<std::byte> scratch) {
    const std::size_t most_bytes = block_.size() - page_bytes;
    const unsigned index_bits = attachment_bytes_ == 0 ? 0 : bit_width<std::uint64_t>(records_ - 1);
    const std::size_t start = attachments_offset(key_bytes_, records_) + records_ * attachment_bytes_;
    const std::size_t entry_bytes = records_ * sizeof(Word);
    if (start >= most_bytes || entry_bytes + records_ * attachment_bytes_ > scratch.size() ||
        8 * key_bytes_ + index_bits > 8 * sizeof(Word)) {
      return 0;
    }
    const std::span<Word> keys(reinterpret_cast<Word*>(scratch.data()), records_);
    std::byte* const attachments = scratch.data() + entry_bytes;
    for_keys([&](std::size_t i, const std::byte* at) {
      keys[i] = static_cast<Word>(load_word<Word>(at) & low_ones()) << index_bits |
                static_cast<Word>(index_bits == 0 ? 0 : i);
    });
    vector_sort(keys);
    if (attachment_bytes_ > 0) {
      const Word index_mask = (Word{1} << index_bits) - 1;
      for (std::size_t i = 0; i < records_; ++i) {
        copy_attachment(attachments + i * attachment_bytes_,
                        attachment(static_cast<std::size_t>(keys[i] & index_mask)), attachment_bytes_);
        keys[i] >>= index_bits;
      }
    }
    std::byte* to = block_.data();
    store_word<uint128>(to, keys[0]);
    to += first_key_bytes;
    const std::size_t count = samples(records_);
    for (std::size_t i = 0; i < count; ++i) {
      store_word<Word>(to + i * key_bytes_, keys[(2 * i + 1) * records_ / (2 * count)]);
    }
    to = block_.data() + attachments_offset(key_bytes_, records_);
    std::memcpy(to, attachments, records_ * attachment_bytes_);
    to += records_ * attachment_bytes_;
    Word before = keys[0];
    for (std::size_t i = 0; i < records_; i += group_records) {
      if (records_ - i >= group_records) {
        to = GapCode<Word>::encode(keys.data() + i, before, to);
        before = keys[i + group_records - 1];
      } else {
        std::array<Word, group_records> last;
        last.fill(keys[records_ - 1]);
        std::copy(keys.begin() + static_cast<std::ptrdiff_t>(i), keys.end(), last.begin());
        to = GapCode<Word>::encode(last.data(), before, to);
      }
      if (static_cast<std::size_t>(to - block_.data()) > most_bytes) {
        lay_out(keys, attachments);
        return 0;
      }
    }
    return static_cast<std::size_t>(to - block_.data());
  }

  /// False if the bytes are not a code.
  bool decode(std::size_t code_bytes, std::span<std::byte> scratch) {
    const std::size_t offset = attachments_offset(key_bytes_, records_);
    if (code_bytes + page_bytes > block_.size()) return false;
    if (offset + records_ * attachment_bytes_ > code_bytes) return false;
    std::memcpy(scratch.data(), block_.data(), code_bytes);
    const std::byte* const end = scratch.data() + code_bytes;
    const std::byte* from = scratch.data() + offset + records_ * attachment_bytes_;
    const std::byte* attachments = scratch.data() + offset;
    auto before = static_cast<Word>(load_word<uint128>(scratch.data()));
    std::byte* to = block_.data();
    std::array<Word, group_records> keys;
    for (std::size_t i = 0; i < records_; i += group_records, to += group_bytes_) {
      if (from >= end) return false;
      from = GapCode<Word>::decode(from, before, keys.data());
      if (from == nullptr) return false;
      before = keys[group_records - 1];
      const std::size_t here = std::min(records_ - i, group_records);
      lay_out_group(keys.data(), attachments, here, to);
      attachments += here * attachment_bytes_;
    }
    return true;
  }

 private:
  Word low_ones() const {
    const auto bits = static_cast<unsigned>(8 * key_bytes_);
    return static_cast<Word>(static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - bits));
  }
  /// Calls take(index, address of its key) for all records.
  template <class Take>
  void for_keys(Take&& take) const {
    const std::byte* group = block_.data();
    for (std::size_t i = 0; i < records_; i += group_records, group += group_bytes_) {
      const std::size_t here = std::min(records_ - i, group_records);
      for (std::size_t k = 0; k < here; ++k) take(i + k, group + k * key_bytes_);
    }
  }
  const std::byte* attachment(std::size_t index) const {
    return block_.data() + index / group_records * group_bytes_ + group_records * key_bytes_ +
           index % group_records * attachment_bytes_;
  }
  /// Words overlap: the keys of a group are written first, then the bytes after them.
  void lay_out_group(const Word* keys, const std::byte* attachments, std::size_t count, std::byte* to) const {
    for (std::size_t k = 0; k < count; ++k) store_word<Word>(to + k * key_bytes_, keys[k]);
    std::memcpy(to + group_records * key_bytes_, attachments, count * attachment_bytes_);
  }
  void lay_out(std::span<const Word> keys, const std::byte* attachments) const {
    std::byte* to = block_.data();
    for (std::size_t i = 0; i < records_; i += group_records, to += group_bytes_) {
      lay_out_group(keys.data() + i, attachments + i * attachment_bytes_,
                    std::min(records_ - i, group_records), to);
    }
  }

  const std::size_t key_bytes_;
  const std::size_t attachment_bytes_;
  const std::size_t group_bytes_;
  const std::span<std::byte> block_;
  const std::size_t records_;
};

/// Calls body(Coder) with words of at least this number of bits.
template <class Body>
auto with_coder(unsigned bits, const BlockLayout& layout, std::span<std::byte> block, std::size_t records,
                Body&& body) {
  if (bits <= 32) return body(Coder<std::uint32_t>(layout, block, records));
  if (bits <= 64) return body(Coder<std::uint64_t>(layout, block, records));
  return body(Coder<uint128>(layout, block, records));
}

}  // namespace

std::size_t encode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t records,
                         std::span<std::byte> scratch) {
  if (records == 0 || block.size() < least_coded_block_bytes) return 0;
  // With attachments the index of each record is sorted with its key.
  const unsigned index_bits = layout.attachment_bytes == 0 ? 0 : bit_width<std::uint64_t>(records - 1);
  const auto key_bits = static_cast<unsigned>(8 * layout.key_bytes());
  return with_coder(key_bits + index_bits, layout, block, records,
                    [&](auto coder) { return coder.encode(scratch); });
}

void decode_block(const BlockLayout& layout, std::span<std::byte> block, std::size_t code_bytes,
                  std::size_t records, std::span<std::byte> scratch) {
  const bool good = with_coder(static_cast<unsigned>(8 * layout.key_bytes()), layout, block, records,
                               [&](auto coder) { return coder.decode(code_bytes, scratch); });
  if (!good)
    throw EnvironmentError("a block of temporary data is not what was written: a disk has changed it");
}

void sample_coded_block(const BlockLayout& layout, const std::byte* head, std::size_t records,
                        FunctionRef<void(uint128)> take) {
  const std::size_t key_bytes = layout.key_bytes();
  const std::size_t count = samples(records);
  for (std::size_t i = 0; i < count; ++i) {
    take(load_word<uint128>(head + first_key_bytes + i * key_bytes) &
         low_mask<uint128>(static_cast<unsigned>(8 * key_bytes)));
  }
}

}  // namespace emgraph::core
