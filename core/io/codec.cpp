// SPDX-License-Identifier: MIT
// Applies delta, then zstd; a step that does not shrink the block is left out.
#include "core/io/codec.hpp"

#include <charconv>

#include "core/base/error.hpp"
#include "core/io/codec_delta.hpp"

namespace emgraph::core {

CodecChoice parse_codec(std::string_view text) {
  const auto bad = [&](const char* why) {
    return UsageError(std::string("'").append(text) + "' is not a codec (" + why +
                      "; expected none, delta, zstd[:LEVEL] or delta+zstd[:LEVEL])");
  };
  CodecChoice choice;
  const std::string_view name = text.substr(0, text.find(':'));
  if (name == "none") {
    choice.codec = Codec::none;
  } else if (name == "delta") {
    choice.codec = Codec::delta;
  } else if (name == "zstd") {
    choice.codec = Codec::zstd;
  } else if (name == "delta+zstd") {
    choice.codec = Codec::delta_zstd;
  } else {
    throw bad("unknown name");
  }
  if (name.size() == text.size()) return choice;
  if (!uses_zstd(choice.codec)) throw bad("only zstd has a level");
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + name.size() + 1, end, choice.level);
  if (error != std::errc() || at != end || choice.level < 1 || choice.level > zstd_max_level) {
    throw bad("the level is a number from 1 to 19");
  }
  return choice;
}

std::string format_codec(const CodecChoice& choice) {
  std::string text;
  if (choice.codec == Codec::none) text = "none";
  if (uses_delta(choice.codec)) text = "delta";
  if (choice.codec == Codec::delta_zstd) text.push_back('+');
  if (uses_zstd(choice.codec)) {
    text.append("zstd");
    if (choice.level != 1) text.append(":").append(std::to_string(choice.level));
  }
  return text;
}

PairEncoder::PairEncoder(MemoryBudget& budget, const CodecChoice& choice, const PairLayout& layout,
                         std::size_t max_count)
    : choice_(choice), layout_(layout) {
  const std::size_t raw_bytes = max_count * layout.row_bytes();
  if (uses_delta(choice.codec)) delta_ = Buffer(budget, raw_bytes + delta_slack_bytes, "delta coding");
  if (uses_zstd(choice.codec)) {
    compressed_ = Buffer(budget, raw_bytes, "zstd compression");
    zstd_.emplace(budget, choice.level, raw_bytes);
  }
}

std::size_t PairEncoder::memory_bytes(const CodecChoice& choice, const PairLayout& layout,
                                      std::size_t max_count) {
  const std::size_t raw_bytes = max_count * layout.row_bytes();
  std::size_t bytes = 0;
  if (uses_delta(choice.codec)) bytes += raw_bytes + delta_slack_bytes + page_bytes;
  if (uses_zstd(choice.codec)) {
    bytes += raw_bytes + ZstdCompressor::memory_bytes(choice.level, raw_bytes) + 2 * page_bytes;
  }
  return bytes;
}

PairEncoder::Encoded PairEncoder::encode(std::span<const std::byte> rows) {
  Encoded best{Codec::none, rows, rows.size()};
  if (uses_delta(choice_.codec)) {
    const std::size_t count = rows.size() / layout_.row_bytes();
    const std::size_t room = rows.size() + delta_slack_bytes;
    const std::size_t bytes = encode_delta(layout_, rows.data(), count, delta_.bytes().first(room));
    if (bytes != 0 && bytes < rows.size()) best = {Codec::delta, delta_.bytes().first(bytes), bytes};
  }
  if (zstd_ && best.bytes.size() > 1) {
    const auto room = compressed_.bytes().first(best.bytes.size() - 1);
    if (const std::size_t bytes = zstd_->compress(best.bytes, room); bytes != 0) {
      const Codec codec = best.codec == Codec::delta ? Codec::delta_zstd : Codec::zstd;
      best = {codec, room.first(bytes), best.plain_bytes};
    }
  }
  return best;
}

PairDecoder::PairDecoder(MemoryBudget& budget, const PairLayout& layout, std::size_t max_count, bool zstd)
    : layout_(layout) {
  if (!zstd) return;
  plain_ = Buffer(budget, max_count * layout.row_bytes(), "zstd decompression");
  zstd_.emplace(budget);
}

std::string_view PairDecoder::decode(Codec codec, std::span<const std::byte> stored, std::size_t plain_bytes,
                                     std::size_t count, const PairShape& shape, std::byte* out) {
  std::span<const std::byte> plain = stored;
  if (uses_zstd(codec)) {
    if (!zstd_) return "it is coded with zstd, which the header does not announce";
    if (plain_bytes > plain_.size()) return "it unpacks to more bytes than a block holds";
    const std::span<std::byte> unpacked = plain_.bytes().first(plain_bytes);
    if (const std::string_view wrong = zstd_->decompress(stored, unpacked); !wrong.empty()) return wrong;
    plain = unpacked;
  }
  if (uses_delta(codec)) return decode_delta(layout_, plain, count, shape, out);
  if (plain.size() != count * layout_.row_bytes()) return "its size is not that of its rows";
  unpack_pairs(layout_, plain.data(), count, shape, out);
  return "";
}

}  // namespace emgraph::core
