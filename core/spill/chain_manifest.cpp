// SPDX-License-Identifier: MIT
// Writes and reads the manifest of chains.
//
// Layout: words of 8 bytes, little endian.
// - mark, version, block bytes, number of chains
// - for each chain: records, blocks, key bits of the layout (all ones: none), its attachment bytes
//   - for each block, word 1: granule (40 bits), disk (10), code pages (10)
//   - word 2: records (32), seal (32)
//   - word 3: seal of the first page (32), zero (32)
// - XXH3-64 of all bytes before
#include <array>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/base/function_ref.hpp"
#include "core/base/integers.hpp"
#include "core/io/checksum.hpp"
#include "core/spill/chain_store.hpp"

namespace emgraph::core {
namespace {

constexpr std::uint64_t manifest_mark = 0x736e696168636d65;  // "emchains"
constexpr std::uint64_t manifest_version = 2;
constexpr std::uint64_t no_layout = ~std::uint64_t{0};

class WordWriter {
 public:
  explicit WordWriter(FunctionRef<void(std::span<const std::byte>)> put) : put_(put) {}
  template <std::size_t Words>
  void write(const std::array<std::uint64_t, Words>& words) {
    const auto bytes = std::as_bytes(std::span(words));
    sum_.append(bytes);
    put_(bytes);
  }
  void finish() { write(std::array{sum_.value()}); }

 private:
  FunctionRef<void(std::span<const std::byte>)> put_;
  ChecksumStream sum_;
};

class WordReader {
 public:
  explicit WordReader(FunctionRef<void(std::span<std::byte>)> get) : get_(get) {}
  template <std::size_t Words>
  std::array<std::uint64_t, Words> read() {
    std::array<std::uint64_t, Words> words;
    get_(std::as_writable_bytes(std::span(words)));
    sum_.append(std::as_bytes(std::span(words)));
    return words;
  }
  void finish() {
    const std::uint64_t sum = sum_.value();
    if (read<1>()[0] != sum) throw EnvironmentError("a manifest of temporary data is damaged");
  }

 private:
  FunctionRef<void(std::span<std::byte>)> get_;
  ChecksumStream sum_;
};

constexpr unsigned disk_shift = ChainBlock::granule_bits;
constexpr unsigned pages_shift = disk_shift + ChainBlock::disk_bits;
constexpr unsigned seal_shift = 32;

}  // namespace

void ChainStore::write_manifest(FunctionRef<void(std::span<const std::byte>)> put) const {
  const std::lock_guard lock(mutex_);
  WordWriter writer(put);
  writer.write(std::array<std::uint64_t, 4>{manifest_mark, manifest_version, block_bytes_, chains_.size()});
  for (const Chain& chain : chains_) {
    std::uint64_t blocks = 0;
    for (const ChainBlock& block : chain.blocks) {
      if (block.state == ChainBlock::State::written) {
        ++blocks;
      } else if (block.state != ChainBlock::State::consumed) {
        throw std::logic_error("chain store: a block that goes to the manifest is not on disk");
      }
    }
    const BlockLayout layout = chain.layout.value_or(BlockLayout{});
    writer.write(std::array<std::uint64_t, 4>{
        chain.records, blocks, chain.layout ? layout.key_bits : no_layout, layout.attachment_bytes});
    for (const ChainBlock& block : chain.blocks) {
      if (block.state != ChainBlock::State::written) continue;
      const std::uint64_t place = block.granule | std::uint64_t{block.disk} << disk_shift |
                                  std::uint64_t{block.code_pages} << pages_shift;
      writer.write(std::array<std::uint64_t, 3>{
          place, block.records | std::uint64_t{block.seal} << seal_shift, block.first_page_seal});
    }
  }
  writer.finish();
}

void ChainStore::restore(FunctionRef<void(std::span<std::byte>)> get) {
  if (size() != 0) throw std::logic_error("chain store: chains are restored into a store that has some");
  WordReader reader(get);
  const auto [found_mark, found_version, block_bytes, chains] = reader.read<4>();
  if (found_mark != manifest_mark || found_version != manifest_version) {
    throw EnvironmentError("this is no manifest of temporary data that this program can read");
  }
  if (block_bytes != block_bytes_) {
    throw EnvironmentError("a manifest of temporary data is for blocks of " + std::to_string(block_bytes) +
                           " bytes, not of " + std::to_string(block_bytes_));
  }
  const std::lock_guard lock(mutex_);
  for (std::uint64_t number = 0; number < chains; ++number) {
    const auto [records, blocks, key_bits, attachment_bytes] = reader.read<4>();
    Chain& chain = chains_.emplace_back();
    if (key_bits != no_layout) {
      chain.layout = BlockLayout{static_cast<unsigned>(key_bits), static_cast<std::size_t>(attachment_bytes)};
    }
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const auto [place, records_and_seal, first_page_seal] = reader.read<3>();
      append(chain, 0, static_cast<std::uint32_t>(records_and_seal));
      ChainBlock& block = chain.blocks.back();
      block.granule = place & low_mask<std::uint64_t>(ChainBlock::granule_bits);
      block.disk = place >> disk_shift & low_mask<std::uint64_t>(ChainBlock::disk_bits);
      block.code_pages = place >> pages_shift & low_mask<std::uint64_t>(ChainBlock::code_pages_bits);
      block.seal = static_cast<Seal>(records_and_seal >> seal_shift);
      block.first_page_seal = static_cast<Seal>(first_page_seal);
      block.state = ChainBlock::State::consumed;  // its space is not claimed yet
    }
    chain.kept = 0;
    chain.records = records;
  }
  reader.finish();
  last_kept_ = 0;
  for (Chain& chain : chains_) {
    for (ChainBlock& block : chain.blocks) {
      environment_.blocks.claim(extent(block));
      block.state = ChainBlock::State::written;
    }
  }
}

}  // namespace emgraph::core
