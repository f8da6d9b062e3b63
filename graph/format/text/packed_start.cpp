// SPDX-License-Identifier: MIT
// One call of the libraries' streaming decoders on what can be peeked at.
#include "graph/format/text/packed_start.hpp"

#ifdef EMGRAPH_HAS_ZLIB
#include <zlib.h>
#endif
#include <zstd.h>

#include <memory>
#include <span>

#include "graph/format/text/text_stream.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t peeked_bytes = 65536;

std::size_t unpack_zstd(std::span<const std::byte> packed, std::span<std::byte> out) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> state(ZSTD_createDStream(),
                                                                         ZSTD_freeDStream);
  if (state == nullptr) return 0;
  constexpr int window_log = 23;
  ZSTD_DCtx_setParameter(state.get(), ZSTD_d_windowLogMax, window_log);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (to.pos < to.size) {
    const std::size_t before_in = in.pos;
    const std::size_t before_out = to.pos;
    if (ZSTD_isError(ZSTD_decompressStream(state.get(), &to, &in))) break;
    if (in.pos == before_in && to.pos == before_out) break;
  }
  return to.pos;
}

std::size_t unpack_gzip(std::span<const std::byte> packed, std::span<std::byte> out) {
#ifdef EMGRAPH_HAS_ZLIB
  z_stream state = {};
  constexpr int gzip_window_bits = 15 + 16;
  if (inflateInit2(&state, gzip_window_bits) != Z_OK) return 0;
  state.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  state.avail_in = static_cast<uInt>(packed.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  inflate(&state, Z_SYNC_FLUSH);
  const std::size_t unpacked = out.size() - state.avail_out;
  inflateEnd(&state);
  return unpacked;
#else
  (void)packed;
  (void)out;
  return 0;
#endif
}

}  // namespace

std::vector<std::byte> unpacked_start(core::InputFile& input, std::size_t bytes) {
  std::vector<std::byte> unpacked(bytes);
  const std::span<const std::byte> packed = input.peek(peeked_bytes);
  const bool gzip = packing_of(packed) == Packing::gzip;
  unpacked.resize(gzip ? unpack_gzip(packed, unpacked) : unpack_zstd(packed, unpacked));
  return unpacked;
}

}  // namespace emgraph::graph::format
