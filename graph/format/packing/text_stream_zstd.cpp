// SPDX-License-Identifier: MIT
// zstd: any number of frames; memory is reserved by the window each frame declares.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/text_stream.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t zstd_input_bytes = 128 * core::KiB;

class ZstdStream final : public TextStream {
 public:
  ZstdStream(core::Environment& environment, InputCursor input)
      : cursor_(std::move(input)),
        memory_(environment.memory.reserve(ZSTD_estimateDCtxSize(), "zstd decompression")),
        buffer_(environment.memory, zstd_input_bytes, "zstd decompression"),
        state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
    // Accepts larger windows, too (zstd --long=31); their memory is charged below.
    ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax, ZSTD_WINDOWLOG_MAX);
    // Reserves at once, before other code plans with the free memory.
    reserve_window(cursor_.first(ZSTD_FRAMEHEADERSIZE_MAX));
  }

  void rewind() override {
    cursor_.rewind();
    ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
    in_ = {};
    at_frame_start_ = true;
    ended_ = false;
  }

  std::size_t read(std::span<std::byte> out) override {
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (to.pos < to.size && !ended_) {
      if (in_.pos == in_.size || (at_frame_start_ && in_.size - in_.pos < ZSTD_FRAMEHEADERSIZE_MAX)) refill();
      if (at_frame_start_) {
        if (in_.pos == in_.size) {
          ended_ = true;
          break;
        }
        reserve_window({static_cast<const std::byte*>(in_.src) + in_.pos, in_.size - in_.pos});
      }
      const std::size_t before_in = in_.pos;
      const std::size_t before_out = to.pos;
      const std::size_t result = ZSTD_decompressStream(state_.get(), &to, &in_);
      if (ZSTD_isError(result)) {
        throw core::DataError::at_offset(cursor_.name(), cursor_.position() - (in_.size - in_.pos),
                                         std::string("damaged zstd data: ") + ZSTD_getErrorName(result));
      }
      at_frame_start_ = result == 0;
      if (in_.pos == before_in && to.pos == before_out && in_.pos == in_.size && input_ended_ &&
          !at_frame_start_) {
        throw core::DataError::at_offset(cursor_.name(), cursor_.position(), "truncated zstd data");
      }
    }
    return to.pos;
  }

 private:
  /// Moves the unread bytes to the front and fills the buffer.
  void refill() {
    const std::size_t left = in_.size - in_.pos;
    std::memmove(buffer_.data(), buffer_.data() + in_.pos, left);
    const std::size_t bytes = cursor_.read(buffer_.bytes().subspan(left));
    input_ended_ = bytes == 0;
    in_ = {buffer_.data(), left + bytes, 0};
  }

  void reserve_window(std::span<const std::byte> frame) {
    const std::size_t bytes = ZSTD_estimateDStreamSize_fromFrame(frame.data(), frame.size());
    if (!ZSTD_isError(bytes) && bytes > memory_.bytes()) memory_.resize(bytes, "zstd decompression window");
  }

  InputCursor cursor_;
  core::Reservation memory_;
  core::Buffer buffer_;
  struct Free {
    void operator()(ZSTD_DStream* state) const { ZSTD_freeDStream(state); }
  };
  std::unique_ptr<ZSTD_DStream, Free> state_;
  ZSTD_inBuffer in_{};
  bool at_frame_start_ = true;
  bool input_ended_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TextStream> open_zstd_stream(core::Environment& environment, InputCursor input) {
  return std::make_unique<ZstdStream>(environment, std::move(input));
}

}  // namespace emgraph::graph::format
