// SPDX-License-Identifier: MIT
// xz: any number of streams, one after another, with padding between them.
#include "core/base/error.hpp"
#include "graph/format/packing/text_stream.hpp"

#ifdef EMGRAPH_HAS_LZMA

#include <lzma.h>

#include <new>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t xz_input_bytes = 64 * core::KiB;

struct Decoder : lzma_stream {
  Decoder() : lzma_stream(LZMA_STREAM_INIT) {}
  Decoder(const Decoder&) = delete;
  ~Decoder() { lzma_end(this); }
};

/// Memory: that of the dictionary of the first stream, reserved on construction (8 MiB for xz -6, 64 MiB for
/// xz -9); more if a later stream needs more.
class XzStream final : public TextStream {
 public:
  XzStream(core::Environment& environment, InputCursor input)
      : memory_(environment.memory),
        cursor_(std::move(input)),
        buffer_(environment.memory, xz_input_bytes, "xz decompression") {
    start();
    read_head();
  }
  void rewind() override {
    cursor_.rewind();
    state_.avail_in = 0;
    input_ended_ = false;
    ended_ = false;
    start();
  }

  std::size_t read(std::span<std::byte> out) override {
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = out.size();
    while (state_.avail_out > 0 && !ended_) decode();
    return out.size() - state_.avail_out;
  }

 private:
  /// Decodes until the memory is known, or all input is used. Nothing is unpacked.
  void read_head() {
    state_.next_out = nullptr;
    state_.avail_out = 0;
    while (tables_.bytes() == 0 && !ended_ && !input_ended_) decode();
  }

  /// A call of the decoder, as far as input and space for output allow.
  void decode() {
    if (state_.avail_in == 0 && !input_ended_) {
      state_.avail_in = cursor_.read(buffer_.bytes());
      state_.next_in = reinterpret_cast<const std::uint8_t*>(buffer_.data());
      input_ended_ = state_.avail_in == 0;
    }
    const lzma_ret result = lzma_code(&state_, input_ended_ ? LZMA_FINISH : LZMA_RUN);
    if (result == LZMA_STREAM_END) {
      ended_ = true;
    } else if (result == LZMA_MEMLIMIT_ERROR) {
      const std::uint64_t needed = lzma_memusage(&state_);
      tables_ = {};
      tables_ = memory_.reserve(needed, "xz decompression");
      lzma_memlimit_set(&state_, needed);
    } else if (result == LZMA_BUF_ERROR && input_ended_) {
      throw core::DataError::at_offset(cursor_.name(), cursor_.position(), "truncated xz data");
    } else if (result == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != LZMA_OK && result != LZMA_BUF_ERROR) {
      throw core::DataError::at_offset(cursor_.name(), cursor_.position() - state_.avail_in,
                                       "damaged xz data (error " + std::to_string(result) + " of liblzma)");
    }
  }

  void start() {
    // A limit of one byte: the decoder stops and says what it needs.
    constexpr std::uint64_t no_memory = 1;
    const std::uint64_t limit = tables_.bytes() > 0 ? tables_.bytes() : no_memory;
    if (lzma_stream_decoder(&state_, limit, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }

  core::MemoryBudget& memory_;
  InputCursor cursor_;
  core::Buffer buffer_;
  core::Reservation tables_;
  Decoder state_;
  bool input_ended_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TextStream> open_xz_stream(core::Environment& environment, InputCursor input) {
  return std::make_unique<XzStream>(environment, std::move(input));
}

}  // namespace emgraph::graph::format

#else

namespace emgraph::graph::format {

std::unique_ptr<TextStream> open_xz_stream(core::Environment&, InputCursor input) {
  throw core::DataError::in_file(
      input.name(),
      "is packed by xz, which this build cannot read (no liblzma): xz -dc FILE unpacks it to a pipe");
}

}  // namespace emgraph::graph::format

#endif
