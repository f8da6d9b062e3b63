// SPDX-License-Identifier: MIT
// Stored bytes are read as they are, deflated ones by zlib.
#include "graph/format/arrays/byte_stream.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

#ifdef EMGRAPH_HAS_ZLIB
#include <zlib.h>
#endif

namespace emgraph::graph::format {
namespace {

/// Counts and verifies what its derived classes unpack.
class CheckedStream : public ByteStream {
 public:
  CheckedStream(core::InputFile& file, ByteRange range) : file_(file), range_(std::move(range)) {}

  std::size_t read(std::span<std::byte> buffer) final {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range_.bytes - done_));
    if (wanted == 0) return 0;
    if (unpack(buffer.first(wanted)) < wanted) {
      throw core::DataError::in_file(range_.name, "truncated, or its unpacked size is not the declared one");
    }
    done_ += wanted;
#ifdef EMGRAPH_HAS_ZLIB
    if (range_.checked) {
      sum_ = static_cast<std::uint32_t>(crc32_z(sum_, reinterpret_cast<const Bytef*>(buffer.data()), wanted));
      if (done_ == range_.bytes && sum_ != range_.checksum) {
        throw core::DataError::in_file(range_.name, "damaged: its checksum does not match");
      }
    }
#endif
    return wanted;
  }

 protected:
  /// The next unpacked bytes; fewer only at the end.
  virtual std::size_t unpack(std::span<std::byte> buffer) = 0;
  std::size_t read_stored(std::span<std::byte> buffer) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range_.stored_bytes - taken_));
    const std::size_t bytes = file_.read_at(range_.offset + taken_, buffer.first(wanted));
    taken_ += bytes;
    return bytes;
  }
  const ByteRange& range() const {
    return range_;
  }
  /// Stored bytes that were read.
  std::uint64_t taken() const {
    return taken_;
  }

 private:
  core::InputFile& file_;
  const ByteRange range_;
  std::uint64_t taken_ = 0;
  std::uint64_t done_ = 0;
  std::uint32_t sum_ = 0;
};

class StoredStream final : public CheckedStream {
 public:
  using CheckedStream::CheckedStream;

 private:
  std::size_t unpack(std::span<std::byte> buffer) override { return read_stored(buffer); }
};

#ifdef EMGRAPH_HAS_ZLIB

constexpr std::size_t stored_buffer_bytes = 64 * core::KiB;
/// inflate's window and state (zlib.h).
constexpr std::size_t inflate_bytes = 48 * core::KiB;
constexpr int raw_deflate_window_bits = -15;

class DeflatedStream final : public CheckedStream {
 public:
  DeflatedStream(core::Environment& environment, core::InputFile& file, const ByteRange& range)
      : CheckedStream(file, range),
        memory_(environment.memory.reserve(inflate_bytes, "zip decompression")),
        buffer_(environment.memory, stored_buffer_bytes, "zip decompression") {
    if (inflateInit2(&state_, raw_deflate_window_bits) != Z_OK) {
      throw core::EnvironmentError("zlib: no memory");
    }
  }
  ~DeflatedStream() override { inflateEnd(&state_); }

 private:
  std::size_t unpack(std::span<std::byte> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      if (state_.avail_in == 0) {
        state_.avail_in = static_cast<uInt>(read_stored(buffer_.bytes()));
        state_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
        if (state_.avail_in == 0) break;
      }
      const std::size_t room = std::min<std::size_t>(buffer.size() - done, core::GiB);
      state_.next_out = reinterpret_cast<Bytef*>(buffer.data() + done);
      state_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&state_, Z_NO_FLUSH);
      done += room - state_.avail_out;
      if (result == Z_STREAM_END) break;
      if (result != Z_OK && result != Z_BUF_ERROR) {
        throw core::DataError::at_offset(
            range().name, range().offset + taken() - state_.avail_in,
            std::string("damaged deflated data: ") + (state_.msg != nullptr ? state_.msg : "unknown error"));
      }
    }
    return done;
  }

  core::Reservation memory_;
  core::Buffer buffer_;
  z_stream state_{};
};

#endif

}  // namespace

std::unique_ptr<ByteStream> open_range(core::Environment& environment, core::InputFile& file,
                                       const ByteRange& range) {
  if (!range.deflated) return std::make_unique<StoredStream>(file, range);
#ifdef EMGRAPH_HAS_ZLIB
  return std::make_unique<DeflatedStream>(environment, file, range);
#else
  static_cast<void>(environment);
  throw core::DataError::in_file(range.name, "is deflated, which this build cannot read (no zlib)");
#endif
}

}  // namespace emgraph::graph::format
