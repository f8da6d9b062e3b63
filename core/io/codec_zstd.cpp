// SPDX-License-Identifier: MIT
// Static zstd contexts: all their memory is one Buffer, sized for the block.
#include "core/io/codec_zstd.hpp"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

ZSTD_compressionParameters parameters(int level, std::size_t max_bytes) {
  return ZSTD_getCParams(level, max_bytes, 0);
}

}  // namespace

struct ZstdCompressor::State {
  Buffer memory;
  ZSTD_CCtx* context = nullptr;
};

struct ZstdDecompressor::State {
  Buffer memory;
  ZSTD_DCtx* context = nullptr;
};

ZstdCompressor::ZstdCompressor(MemoryBudget& budget, int level, std::size_t max_bytes)
    : state_(std::make_unique<State>()) {
  const ZSTD_compressionParameters wanted = parameters(level, max_bytes);
  state_->memory = Buffer(budget, memory_bytes(level, max_bytes), "zstd compression");
  state_->context = ZSTD_initStaticCCtx(state_->memory.data(), state_->memory.size());
  if (state_->context == nullptr) throw std::logic_error("zstd: static compression context refused");
  const auto set = [&](ZSTD_cParameter parameter, auto value) {
    const std::size_t result = ZSTD_CCtx_setParameter(state_->context, parameter, static_cast<int>(value));
    if (ZSTD_isError(result)) throw std::logic_error(ZSTD_getErrorName(result));
  };
  set(ZSTD_c_windowLog, wanted.windowLog);
  set(ZSTD_c_chainLog, wanted.chainLog);
  set(ZSTD_c_hashLog, wanted.hashLog);
  set(ZSTD_c_searchLog, wanted.searchLog);
  set(ZSTD_c_minMatch, wanted.minMatch);
  set(ZSTD_c_targetLength, wanted.targetLength);
  set(ZSTD_c_strategy, wanted.strategy);
}

ZstdCompressor::~ZstdCompressor() = default;
ZstdCompressor::ZstdCompressor(ZstdCompressor&&) noexcept = default;

std::size_t ZstdCompressor::memory_bytes(int level, std::size_t max_bytes) {
  return ZSTD_estimateCCtxSize_usingCParams(parameters(level, max_bytes));
}

std::size_t ZstdCompressor::compress(std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t bytes = ZSTD_compress2(state_->context, out.data(), out.size(), in.data(), in.size());
  if (!ZSTD_isError(bytes)) return bytes;
  if (ZSTD_getErrorCode(bytes) == ZSTD_error_dstSize_tooSmall) return 0;
  throw std::logic_error(std::string("zstd: ") + ZSTD_getErrorName(bytes));
}

ZstdDecompressor::ZstdDecompressor(MemoryBudget& budget) : state_(std::make_unique<State>()) {
  state_->memory = Buffer(budget, ZSTD_estimateDCtxSize(), "zstd decompression");
  state_->context = ZSTD_initStaticDCtx(state_->memory.data(), state_->memory.size());
  if (state_->context == nullptr) throw std::logic_error("zstd: static decompression context refused");
}

ZstdDecompressor::~ZstdDecompressor() = default;
ZstdDecompressor::ZstdDecompressor(ZstdDecompressor&&) noexcept = default;

std::string_view ZstdDecompressor::decompress(std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t bytes =
      ZSTD_decompressDCtx(state_->context, out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(bytes)) return ZSTD_getErrorName(bytes);
  return bytes == out.size() ? "" : "its zstd frame holds fewer bytes than declared";
}

}  // namespace emgraph::core
