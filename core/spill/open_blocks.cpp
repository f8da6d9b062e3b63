// SPDX-License-Identifier: MIT
// The part of the work that is done once per block.
#include "core/spill/open_blocks.hpp"

namespace emgraph::core {

void OpenBlocks::start_block(std::size_t number) {
  finish(number);
  std::byte* const begin = writer_.take();
  open_[number] = {begin, begin + filled_bytes_, begin};
}

void OpenBlocks::finish(std::size_t number) {
  const Open open = std::exchange(open_[number], {});
  if (open.begin == nullptr) return;
  writer_.put(series_[number], open.begin,
              static_cast<std::uint32_t>(static_cast<std::size_t>(open.at - open.begin) / record_bytes_));
}

}  // namespace emgraph::core
