// SPDX-License-Identifier: MIT
// Lines of text in blocks of one size, read at any page.
#include "graph/format/nodes/kept_labels.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/manager.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {

namespace {

constexpr std::size_t most_kept_block_bytes = 256 * core::KiB;
constexpr std::size_t kept_writer_blocks = 2;

}  // namespace

class KeptLabels::Bytes final : public LabelBytes {
 public:
  explicit Bytes(const KeptLabels& labels)
      : labels_(labels), block_(labels.environment_.memory, labels.block_bytes_, "a block of labels") {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return labels_.bytes_; }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size() - std::min(offset, size())));
    for (std::size_t done = 0; done < wanted;) {
      const std::uint64_t at = offset + done;
      const std::size_t within = static_cast<std::size_t>(at % labels_.block_bytes_);
      const std::size_t here = std::min(labels_.block_bytes_ - within, wanted - done);
      load(at / labels_.block_bytes_);
      std::memcpy(buffer.data() + done, block_.data() + within, here);
      done += here;
    }
    return wanted;
  }

 private:
  void load(std::uint64_t block) {
    if (loaded_ == block) return;
    loaded_.reset();
    const std::uint64_t left = size() - block * labels_.block_bytes_;
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(labels_.block_bytes_, left));
    const std::size_t whole = core::round_up(bytes, core::BlockManager::granularity_bytes);
    labels_.blocks_.read(static_cast<std::size_t>(block), block_.bytes().first(whole))->wait();
    loaded_ = block;
  }

  const KeptLabels& labels_;
  core::Buffer block_;
  std::optional<std::uint64_t> loaded_;  ///< number of the block in block_
  const std::string name_ = "the labels of the input";
};

KeptLabels::KeptLabels(core::Environment& environment)
    : environment_(environment),
      block_bytes_(core::small_block_bytes(environment.memory, most_kept_block_bytes)),
      writer_(std::in_place, environment, block_bytes_, kept_writer_blocks, std::span<std::byte>()) {}

void KeptLabels::append(std::string_view label) {
  put(label);
  put("\n");
}

void KeptLabels::put(std::string_view text) {
  bytes_ += text.size();
  while (!text.empty()) {
    const std::size_t here = std::min(text.size(), block_bytes_ - filled_);
    std::memcpy(writer_->buffer().data() + filled_, text.data(), here);
    text.remove_prefix(here);
    filled_ += here;
    if (filled_ == block_bytes_) writer_->write(std::exchange(filled_, 0));
  }
}

void KeptLabels::finish() {
  if (filled_ > 0) writer_->write(std::exchange(filled_, 0));
  blocks_ = writer_->finish();
  writer_.reset();
}

std::unique_ptr<LabelMap> KeptLabels::open() const {
  return std::make_unique<LabelMap>(environment_, std::make_unique<Bytes>(*this));
}

}  // namespace emgraph::graph::format
