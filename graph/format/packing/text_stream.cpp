// SPDX-License-Identifier: MIT
// Chooses how a text input is unpacked.
#include "graph/format/packing/text_stream.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/packing/block_packer.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/source/held_extent.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t read_ahead_from_bytes = core::MiB;
/// zstd unpacks only complete blocks; an incompressible block has 128 KiB.
constexpr std::size_t usual_start_bytes = 160 * core::KiB;
/// The usual block of bzip2. An incompressible one takes 1 % more when it is packed.
constexpr std::size_t bzip2_block_bytes = 900'000;
constexpr std::size_t bzip2_start_bytes = 960 * core::KiB;

class PlainStream final : public TextStream {
 public:
  explicit PlainStream(InputCursor input) : cursor_(std::move(input)) {}
  std::size_t read(std::span<std::byte> buffer) override { return cursor_.read(buffer); }
  void rewind() override { cursor_.rewind(); }

 private:
  InputCursor cursor_;
};

std::unique_ptr<TextStream> open_stream(core::Environment& environment, Packing packing, InputCursor input) {
  switch (packing) {
    case Packing::gzip:
      return open_gzip_stream(environment, std::move(input));
    case Packing::zstd:
      return open_zstd_stream(environment, std::move(input));
    case Packing::xz:
      return open_xz_stream(environment, std::move(input));
    case Packing::bzip2:
      return open_bzip2_stream(environment, std::move(input));
    case Packing::none:
      break;
  }
  return std::make_unique<PlainStream>(std::move(input));
}

/// The first bytes of packed data, for messages.
std::string_view magic_text(Packing packing) {
  constexpr std::string_view texts[] = {"", "1f 8b", "28 b5 2f fd", "fd 37 7a 58 5a 00",
                                        "42 5a 68, a digit, 31 41 59 26 53 59"};
  return texts[static_cast<std::size_t>(packing)];
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text.append(text.empty() ? "" : " ").append({digits[value >> 4], digits[value & 15]});
  }
  return text;
}

/// Bytes of the start from which the length of the text is estimated.
std::size_t start_bytes(Packing packing) {
  return packing == Packing::bzip2 ? bzip2_start_bytes : usual_start_bytes;
}

}  // namespace

InputCursor::InputCursor(core::Environment& environment, core::InputFile& input) : input_(input) {
  if (!input_.seekable() || input_.size() < read_ahead_from_bytes || input_.cached()) return;
  const std::size_t extent_bytes = choose_extent_bytes(environment.memory, 1, 1);
  const auto sequence = [extent_bytes, size = input_.size()](std::uint64_t i) {
    const std::uint64_t at = i * extent_bytes;
    return at >= size ? std::nullopt
                      : std::optional(core::FileExtent{at, std::min<std::uint64_t>(extent_bytes, size - at)});
  };
  reader_ = std::make_unique<core::ExtentReader>(input_.disk(), environment.memory, sequence, extent_bytes,
                                                 read_depth(environment.memory, extent_bytes, 1), 1);
}

std::size_t InputCursor::read_start(std::span<std::byte> buffer) {
  const std::size_t wanted = std::min<std::size_t>(buffer.size(), start_bytes_ - position_);
  const std::span<const std::byte> start = input_.peek(position_ + wanted);
  std::size_t bytes = 0;
  if (position_ < start.size()) {
    bytes = std::min<std::size_t>(wanted, start.size() - position_);
    std::memcpy(buffer.data(), start.data() + position_, bytes);
  } else if (input_.seekable()) {
    bytes = input_.read_at(position_, buffer.first(wanted));
  }
  if (bytes == 0 && position_ == start_bytes_) {
    throw core::DataError::in_file(input_.name(), "is packed so that the first " +
                                                      core::format_size(start_bytes_) +
                                                      " do not show what it is: unpack it first");
  }
  position_ += bytes;
  return bytes;
}

std::size_t InputCursor::read(std::span<std::byte> buffer) {
  if (start_bytes_ != 0) return read_start(buffer);
  std::size_t done = 0;
  if (reader_ == nullptr) {
    done = input_.seekable() ? input_.read_at(position_, buffer) : input_.read_next(buffer);
  }
  while (reader_ != nullptr && done < buffer.size()) {
    if (loaded_ && taken_ == loaded_->bytes.size()) {
      reader_->release(*loaded_);
      loaded_.reset();
    }
    if (!loaded_) {
      taken_ = 0;
      loaded_ = reader_->next();
      if (!loaded_) break;
    }
    const std::size_t take = std::min(buffer.size() - done, loaded_->bytes.size() - taken_);
    if (take != 0) std::memcpy(buffer.data() + done, loaded_->bytes.data() + taken_, take);
    done += take;
    taken_ += take;
  }
  position_ += done;
  return done;
}

void InputCursor::rewind() {
  position_ = 0;
  if (loaded_) reader_->release(*loaded_);
  loaded_.reset();
  if (reader_ != nullptr) reader_->rewind();
}

Packing packing_of(std::span<const std::byte> start) {
  constexpr unsigned char gzip[] = {0x1f, 0x8b};
  constexpr unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
  if (start.size() >= sizeof(gzip) && std::memcmp(start.data(), gzip, sizeof(gzip)) == 0)
    return Packing::gzip;
  if (start.size() >= sizeof(zstd) && std::memcmp(start.data(), zstd, sizeof(zstd)) == 0)
    return Packing::zstd;
  // A frame that is skipped, with which files of pzstd begin.
  constexpr unsigned char skipped[] = {0x2a, 0x4d, 0x18};
  if (start.size() > sizeof(skipped) && (start[0] & std::byte{0xf0}) == std::byte{0x50} &&
      std::memcmp(start.data() + 1, skipped, sizeof(skipped)) == 0) {
    return Packing::zstd;
  }
  constexpr unsigned char xz[] = {0xfd, '7', 'z', 'X', 'Z', 0};
  if (start.size() >= sizeof(xz) && std::memcmp(start.data(), xz, sizeof(xz)) == 0) return Packing::xz;
  // "BZh", the size of blocks, and the start of a block, or the end of an empty file.
  const std::string_view text = as_text(start);
  if (text.size() >= packing_magic_bytes && text.starts_with("BZh") && text[3] >= '1' && text[3] <= '9' &&
      (text.substr(4, 6) == "\x31\x41\x59\x26\x53\x59" || text.substr(4, 6) == "\x17\x72\x45\x38\x50\x90")) {
    return Packing::bzip2;
  }
  return Packing::none;
}

Packing packing_of(core::InputFile& input) {
  const std::span<const std::byte> start = input.peek(packing_magic_bytes);
  const Packing packing = packing_of(start);
  const Packing named = packing_of_name(input.path());
  if (packing != Packing::none || named == Packing::none) return packing;
  throw core::DataError::in_file(
      input.name(), "found " + (start.empty() ? "no bytes" : "the first bytes " + hexadecimal(start)) +
                        ", expected data packed by " + std::string(packing_name(named)) +
                        ", as the name says, which begin with " + std::string(magic_text(named)));
}

std::unique_ptr<TextStream> open_text_stream(core::Environment& environment, core::InputFile& input) {
  return open_stream(environment, packing_of(input), InputCursor(environment, input));
}

std::vector<std::byte> unpacked_start(core::Environment& environment, core::InputFile& input,
                                      std::size_t bytes) {
  std::vector<std::byte> start(bytes);
  const Packing packing = packing_of(input);
  const std::size_t most = input.seekable() ? std::numeric_limits<std::size_t>::max() : core::max_peek_bytes;
  start.resize(open_stream(environment, packing, InputCursor(input, most))->read(start));
  return start;
}

std::uint64_t estimated_text_bytes(core::Environment& environment, core::InputFile& input) {
  const Packing packing = packing_of(input);
  if (packing == Packing::none) return input.size();
  const auto unpacked_from = [&](std::size_t packed_bytes) {
    std::uint64_t unpacked = 0;
    try {
      const auto stream = open_stream(environment, packing, InputCursor(input, packed_bytes));
      std::vector<std::byte> text(4 * core::KiB);
      for (std::size_t bytes = text.size(); bytes == text.size(); unpacked += bytes) {
        bytes = stream->read(text);
      }
    } catch (const core::DataError&) {
      // The bytes end inside a packed block, or the data are damaged, which reading will report.
    }
    return unpacked;
  };
  std::size_t enough = input.peek(start_bytes(packing)).size();
  std::uint64_t unpacked = unpacked_from(enough);
  const bool cut = enough < input.size();  // perhaps inside a block, of which nothing is unpacked
  if (cut && packing == Packing::bzip2) unpacked += bzip2_block_bytes / 2;
  if (cut && packing == Packing::zstd) {
    // The least that unpacks to as much ends with a block. This takes 1 ms a step, of bzip2 100 ms.
    const std::size_t exact = enough / 64;
    for (std::size_t less = 0; enough - less > exact + 1;) {
      const std::size_t middle = less + (enough - less) / 2;
      (unpacked_from(middle) == unpacked ? enough : less) = middle;
    }
  }
  return static_cast<std::uint64_t>(static_cast<double>(unpacked) * static_cast<double>(input.size()) /
                                    static_cast<double>(enough));
}

}  // namespace emgraph::graph::format
