// SPDX-License-Identifier: MIT
// Stores the length and the bytes of each label; labels may cross the ends of blocks.
#include "graph/prepare/relabel/label_spool.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "graph/prepare/relabel/row_run.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t writer_blocks = 2;
constexpr std::size_t read_ahead_blocks = 1;

}  // namespace

LabelSpoolWriter::LabelSpoolWriter(core::Environment& environment)
    : writer_(environment, row_block_bytes(environment.memory), writer_blocks, {}),
      block_bytes_(row_block_bytes(environment.memory)) {}

void LabelSpoolWriter::append(std::string_view label) {
  const auto length = static_cast<std::uint16_t>(label.size());
  char bytes[sizeof(length)];
  std::memcpy(bytes, &length, sizeof(length));
  put(bytes, sizeof(bytes));
  put(label.data(), label.size());
}

void LabelSpoolWriter::put(const char* bytes, std::size_t count) {
  while (count > 0) {
    const std::size_t here = std::min(count, block_bytes_ - filled_);
    std::memcpy(writer_.buffer().data() + filled_, bytes, here);
    bytes += here;
    count -= here;
    filled_ += here;
    if (filled_ == block_bytes_) writer_.write(std::exchange(filled_, 0));
  }
}

core::BlockList LabelSpoolWriter::finish() {
  if (filled_ > 0) writer_.write(std::exchange(filled_, 0));
  return writer_.finish();
}

LabelSpoolReader::LabelSpoolReader(core::Environment& environment, core::BlockList spool)
    : block_bytes_(spool.block_bytes()), reader_(environment, std::move(spool), read_ahead_blocks, {}) {}

std::string_view LabelSpoolReader::label(std::uint64_t number) {
  while (true) {
    std::uint16_t length = 0;
    char bytes[sizeof(length)];
    take(bytes, sizeof(bytes));
    std::memcpy(&length, bytes, sizeof(length));
    if (next_++ < number) {
      take(nullptr, length);
      continue;
    }
    label_.resize(length);
    take(label_.data(), length);
    return label_;
  }
}

void LabelSpoolReader::take(char* to, std::size_t count) {
  while (count > 0) {
    if (left_ == 0) {
      at_ = reinterpret_cast<const char*>(reader_.next().data());
      left_ = block_bytes_;
    }
    const std::size_t here = std::min(count, left_);
    if (to != nullptr) to = std::copy(at_, at_ + here, to);
    at_ += here;
    left_ -= here;
    count -= here;
  }
}

}  // namespace emgraph::graph::relabel
