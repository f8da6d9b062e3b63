// SPDX-License-Identifier: MIT
// Packs each block by one call of the library, and reuses its state.
#include "graph/format/packing/block_packer.hpp"

#define ZSTD_STATIC_LINKING_ONLY
#ifdef EMGRAPH_HAS_ZLIB
#include <zlib.h>
#endif
#include <zstd.h>

#include <new>
#include <stdexcept>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

class ZstdPacker final : public BlockPacker {
 public:
  explicit ZstdPacker(int level) : state_(ZSTD_createCCtx()) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_checksumFlag, 1);
  }
  std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) override {
    const std::size_t bytes = ZSTD_compress2(state_.get(), out.data(), out.size(), text.data(), text.size());
    if (ZSTD_isError(bytes)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(bytes));
    return bytes;
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* state) const { ZSTD_freeCCtx(state); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> state_;
};

#ifdef EMGRAPH_HAS_ZLIB

class GzipPacker final : public BlockPacker {
 public:
  explicit GzipPacker(int level) {
    constexpr int gzip_window_bits = 15 + 16;
    constexpr int usual_memory_level = 8;
    if (deflateInit2(&state_, level, Z_DEFLATED, gzip_window_bits, usual_memory_level, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipPacker() override { deflateEnd(&state_); }
  GzipPacker(const GzipPacker&) = delete;

  std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) override {
    deflateReset(&state_);
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(text.data()));
    state_.avail_in = static_cast<uInt>(text.size());
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<uInt>(out.size());
    if (deflate(&state_, Z_FINISH) != Z_STREAM_END) throw std::logic_error("zlib: a block outgrew its bound");
    return out.size() - state_.avail_out;
  }

 private:
  z_stream state_{};
};

#endif

}  // namespace

int default_packing_level(Packing packing) {
  return packing == Packing::gzip ? 6 : 3;
}

int most_packing_level(Packing packing) {
  return packing == Packing::gzip ? 9 : 19;
}

std::unique_ptr<BlockPacker> make_block_packer(Packing packing, int level) {
  if (packing == Packing::zstd) return std::make_unique<ZstdPacker>(level);
#ifdef EMGRAPH_HAS_ZLIB
  return std::make_unique<GzipPacker>(level);
#else
  throw core::UsageError("this build cannot write gzip (no zlib); .zst works");
#endif
}

std::size_t block_packer_bytes(Packing packing, int level, std::size_t block_bytes) {
  if (packing == Packing::zstd) {
    return ZSTD_estimateCCtxSize_usingCParams(ZSTD_getCParams(level, block_bytes, 0));
  }
  // zconf.h: 2^(window bits + 2) + 2^(memory level + 9), plus a few KiB.
  return 272 * core::KiB;
}

std::size_t packed_bound(Packing packing, std::size_t block_bytes) {
  if (packing == Packing::zstd) return ZSTD_compressBound(block_bytes);
  // zlib.h's compressBound, and the head and tail of a gzip member.
  return block_bytes + block_bytes / 1000 + core::KiB;
}

}  // namespace emgraph::graph::format
