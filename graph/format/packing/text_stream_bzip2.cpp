// SPDX-License-Identifier: MIT
// bzip2: any number of streams, one after another.
#include "core/base/error.hpp"
#include "graph/format/packing/text_stream.hpp"

#ifdef EMGRAPH_HAS_BZIP2

#include <bzlib.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t bzip2_input_bytes = 64 * core::KiB;
/// The manual of bzip2: "3700k to decompress" for blocks of 900 kB.
constexpr std::size_t bzip2_bytes = 3800 * core::KiB;

class Bzip2Stream final : public TextStream {
 public:
  Bzip2Stream(core::Environment& environment, InputCursor input)
      : cursor_(std::move(input)),
        tables_(environment.memory.reserve(bzip2_bytes, "bzip2 decompression")),
        buffer_(environment.memory, bzip2_input_bytes, "bzip2 decompression") {
    start();
  }
  ~Bzip2Stream() override { BZ2_bzDecompressEnd(&state_); }
  Bzip2Stream(const Bzip2Stream&) = delete;

  void rewind() override {
    cursor_.rewind();
    state_.avail_in = 0;
    between_streams_ = false;
    ended_ = false;
    restart();
  }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && !ended_) {
      if (state_.avail_in == 0) {
        state_.avail_in = static_cast<unsigned>(cursor_.read(buffer_.bytes()));
        state_.next_in = reinterpret_cast<char*>(buffer_.data());
        if (state_.avail_in == 0) {
          if (!between_streams_) {
            throw core::DataError::at_offset(cursor_.name(), cursor_.position(), "truncated bzip2 data");
          }
          ended_ = true;
          break;
        }
      }
      if (between_streams_) restart();
      between_streams_ = false;
      const std::size_t room = std::min<std::size_t>(out.size() - done, core::GiB);
      state_.next_out = reinterpret_cast<char*>(out.data() + done);
      state_.avail_out = static_cast<unsigned>(room);
      const int result = BZ2_bzDecompress(&state_);
      done += room - state_.avail_out;
      if (result == BZ_STREAM_END) {
        between_streams_ = true;
      } else if (result == BZ_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != BZ_OK) {
        throw core::DataError::at_offset(
            cursor_.name(), cursor_.position() - state_.avail_in,
            "damaged bzip2 data (error " + std::to_string(result) + " of libbz2)");
      }
    }
    return done;
  }

 private:
  void start() {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  /// Keeps the input that is not unpacked yet.
  void restart() {
    char* const next = state_.next_in;
    const unsigned left = state_.avail_in;
    BZ2_bzDecompressEnd(&state_);
    state_ = {};
    start();
    state_.next_in = next;
    state_.avail_in = left;
  }

  InputCursor cursor_;
  core::Reservation tables_;
  core::Buffer buffer_;
  bz_stream state_{};
  bool between_streams_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TextStream> open_bzip2_stream(core::Environment& environment, InputCursor input) {
  return std::make_unique<Bzip2Stream>(environment, std::move(input));
}

}  // namespace emgraph::graph::format

#else

namespace emgraph::graph::format {

std::unique_ptr<TextStream> open_bzip2_stream(core::Environment&, InputCursor input) {
  throw core::DataError::in_file(
      input.name(),
      "is packed by bzip2, which this build cannot read (no libbz2): bzip2 -dc FILE "
      "unpacks it to a pipe");
}

}  // namespace emgraph::graph::format

#endif
