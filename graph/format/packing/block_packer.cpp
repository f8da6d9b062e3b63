// SPDX-License-Identifier: MIT
// Packs each block by one call of the library, and reuses its state.
#include "graph/format/packing/block_packer.hpp"

#define ZSTD_STATIC_LINKING_ONLY
#ifdef EMGRAPH_HAS_ZLIB
#include <zlib.h>
#endif
#ifdef EMGRAPH_HAS_LZMA
#include <lzma.h>
#endif
#ifdef EMGRAPH_HAS_BZIP2
#include <bzlib.h>
#endif
#include <zstd.h>

#include <algorithm>
#include <cstdint>
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

#ifdef EMGRAPH_HAS_LZMA

/// The preset of a level, with a dictionary no larger than a block.
lzma_options_lzma xz_options(int level, std::size_t block_bytes) {
  lzma_options_lzma options;
  if (lzma_lzma_preset(&options, static_cast<std::uint32_t>(level)))
    throw std::logic_error("liblzma: no such level");
  options.dict_size =
      static_cast<std::uint32_t>(std::clamp<std::size_t>(block_bytes, LZMA_DICT_SIZE_MIN, options.dict_size));
  return options;
}

class XzPacker final : public BlockPacker {
 public:
  explicit XzPacker(int level) : level_(level) {}
  std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) override {
    lzma_options_lzma options = xz_options(level_, text.size());
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::size_t bytes = 0;
    const lzma_ret result = lzma_stream_buffer_encode(
        filters, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
        reinterpret_cast<std::uint8_t*>(out.data()), &bytes, out.size());
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result != LZMA_OK) throw std::logic_error("liblzma: a block outgrew its bound");
    return bytes;
  }

 private:
  const int level_;
};

#endif

#ifdef EMGRAPH_HAS_BZIP2

class Bzip2Packer final : public BlockPacker {
 public:
  explicit Bzip2Packer(int level) : level_(level) {}
  std::size_t pack(std::span<const std::byte> text, std::span<std::byte> out) override {
    auto bytes = static_cast<unsigned>(out.size());
    const int result = BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &bytes,
                                                reinterpret_cast<char*>(const_cast<std::byte*>(text.data())),
                                                static_cast<unsigned>(text.size()), level_, 0, 0);
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    if (result != BZ_OK) throw std::logic_error("libbz2: a block outgrew its bound");
    return bytes;
  }

 private:
  const int level_;
};

#endif

}  // namespace

std::string_view packing_name(Packing packing) {
  constexpr std::string_view names[] = {"none", "gzip", "zstd", "xz", "bzip2"};
  return names[static_cast<std::size_t>(packing)];
}

int default_packing_level(Packing packing) {
  return packing == Packing::zstd ? 3 : packing == Packing::bzip2 ? 9 : 6;
}

int most_packing_level(Packing packing) {
  return packing == Packing::zstd ? 19 : 9;
}

std::unique_ptr<BlockPacker> make_block_packer(Packing packing, int level) {
  if (packing == Packing::zstd) return std::make_unique<ZstdPacker>(level);
#ifdef EMGRAPH_HAS_ZLIB
  if (packing == Packing::gzip) return std::make_unique<GzipPacker>(level);
#endif
#ifdef EMGRAPH_HAS_LZMA
  if (packing == Packing::xz) return std::make_unique<XzPacker>(level);
#endif
#ifdef EMGRAPH_HAS_BZIP2
  if (packing == Packing::bzip2) return std::make_unique<Bzip2Packer>(level);
#endif
  throw core::UsageError("this build cannot write " + std::string(packing_name(packing)) +
                         " (its library was missing); .zst works");
}

std::size_t block_packer_bytes(Packing packing, int level, std::size_t block_bytes) {
  if (packing == Packing::zstd) {
    return ZSTD_estimateCCtxSize_usingCParams(ZSTD_getCParams(level, block_bytes, 0));
  }
#ifdef EMGRAPH_HAS_LZMA
  if (packing == Packing::xz) {
    lzma_options_lzma options = xz_options(level, block_bytes);
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    return static_cast<std::size_t>(lzma_raw_encoder_memusage(filters));
  }
#endif
  // The manual of bzip2: 400k + 8 times the block size of `level` times 100,000 bytes.
  if (packing == Packing::bzip2) return 400 * core::KiB + 800000 * static_cast<std::size_t>(level);
  // zconf.h: 2^(window bits + 2) + 2^(memory level + 9), plus a few KiB.
  return 272 * core::KiB;
}

std::size_t packed_bound(Packing packing, std::size_t block_bytes) {
  if (packing == Packing::zstd) return ZSTD_compressBound(block_bytes);
#ifdef EMGRAPH_HAS_LZMA
  if (packing == Packing::xz) return lzma_stream_buffer_bound(block_bytes);
#endif
  // The manual of bzip2: "1% larger than the uncompressed data, plus six hundred extra bytes".
  if (packing == Packing::bzip2) return block_bytes + block_bytes / 100 + core::KiB;
  // zlib.h's compressBound, and the head and tail of a gzip member.
  return block_bytes + block_bytes / 1000 + core::KiB;
}

}  // namespace emgraph::graph::format
