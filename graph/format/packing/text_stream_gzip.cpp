// SPDX-License-Identifier: MIT
// gzip: any number of members, one after another.
#include "core/base/error.hpp"
#include "graph/format/packing/text_stream.hpp"

#ifdef EMGRAPH_HAS_ZLIB

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t gzip_input_bytes = 64 * core::KiB;
/// inflate's window and state (zlib.h: "about 32 KB" plus "around 7 KB").
constexpr std::size_t inflate_bytes = 48 * core::KiB;
constexpr int gzip_window_bits = 15 + 16;

class GzipStream final : public TextStream {
 public:
  GzipStream(core::Environment& environment, InputCursor input)
      : cursor_(std::move(input)),
        memory_(environment.memory.reserve(inflate_bytes, "gzip decompression")),
        buffer_(environment.memory, gzip_input_bytes, "gzip decompression") {
    if (inflateInit2(&state_, gzip_window_bits) != Z_OK) throw core::EnvironmentError("zlib: no memory");
  }
  ~GzipStream() override { inflateEnd(&state_); }

  void rewind() override {
    cursor_.rewind();
    inflateReset2(&state_, gzip_window_bits);
    state_.avail_in = 0;
    between_members_ = padded_ = false;
    ended_ = false;
  }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && !ended_) {
      if (state_.avail_in == 0) {
        state_.avail_in = static_cast<uInt>(cursor_.read(buffer_.bytes()));
        state_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
        if (state_.avail_in == 0) {
          if (!between_members_) {
            throw core::DataError::at_offset(cursor_.name(), cursor_.position(), "truncated gzip data");
          }
          ended_ = true;
          break;
        }
      }
      if (between_members_) {
        if (skip_padding()) continue;
        inflateReset2(&state_, gzip_window_bits);
      }
      between_members_ = false;
      const std::size_t room = std::min<std::size_t>(out.size() - done, core::GiB);
      state_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      state_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&state_, Z_NO_FLUSH);
      done += room - state_.avail_out;
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw core::DataError::at_offset(
            cursor_.name(), cursor_.position() - state_.avail_in,
            std::string("damaged gzip data: ") + (state_.msg != nullptr ? state_.msg : "unknown error"));
      }
    }
    return done;
  }

 private:
  /// Skips zeros behind a member, as gzip does: tapes and disks pad files. True if the buffer had nothing
  /// else.
  bool skip_padding() {
    while (state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
      padded_ = true;
    }
    if (padded_ && state_.avail_in > 0) {
      throw core::DataError::at_offset(cursor_.name(), cursor_.position() - state_.avail_in,
                                       "damaged gzip data: bytes follow the padding");
    }
    return padded_;
  }

  InputCursor cursor_;
  core::Reservation memory_;
  core::Buffer buffer_;
  z_stream state_{};
  bool between_members_ = false;
  bool padded_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TextStream> open_gzip_stream(core::Environment& environment, InputCursor input) {
  return std::make_unique<GzipStream>(environment, std::move(input));
}

}  // namespace emgraph::graph::format

#else

namespace emgraph::graph::format {

std::unique_ptr<TextStream> open_gzip_stream(core::Environment&, InputCursor input) {
  throw core::DataError::in_file(input.name(),
                                 "is gzip, which this build cannot read (no zlib); unpack it first");
}

}  // namespace emgraph::graph::format

#endif
