// SPDX-License-Identifier: MIT
// Finds lines by their breaks, block by block.
#include "graph/format/nodes/label_map.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/text/label_line.hpp"

namespace emgraph::graph::format {

namespace {

constexpr std::size_t least_block_bytes = 64 * core::KiB;
constexpr std::size_t most_block_bytes = 512 * core::KiB;
constexpr std::size_t least_places = 512;
constexpr std::size_t most_places = 65536;

std::size_t choose_places(const core::MemoryBudget& budget) {
  // An even number, so that halving keeps every other place, from the first on.
  return std::clamp<std::size_t>(budget.limit() / 128 / sizeof(std::uint64_t) * 2, least_places, most_places);
}

/// A regular file.
class FileBytes final : public LabelBytes {
 public:
  FileBytes(core::Environment& environment, const std::string& path) : input_(path, environment.io) {
    if (!input_.seekable()) throw core::UsageError(input_.name() + ": a map cannot come through a pipe");
  }
  const std::string& name() const override { return input_.name(); }
  std::uint64_t size() const override { return input_.size(); }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    return input_.read_at(offset, buffer);
  }
  void scan(core::Environment& environment, std::span<std::byte> buffer,
            core::FunctionRef<void(std::size_t)> take) override {
    InputCursor cursor(environment, input_);
    for (std::size_t bytes = cursor.read(buffer); bytes > 0; bytes = cursor.read(buffer)) take(bytes);
  }

 private:
  core::InputFile input_;
};

/// The whole text if it fits.
std::size_t choose_block_bytes(const core::MemoryBudget& budget, const LabelBytes& input) {
  if (input.size() <= budget.available() / 4) {
    return core::round_up(static_cast<std::size_t>(input.size()) + 1, core::page_bytes);
  }
  return core::round_down(std::clamp(budget.limit() / 128, least_block_bytes, most_block_bytes),
                          core::page_bytes);
}

}  // namespace

void LabelBytes::scan(core::Environment& /*environment*/, std::span<std::byte> buffer,
                      core::FunctionRef<void(std::size_t)> take) {
  for (std::uint64_t offset = 0; offset < size();) {
    const std::size_t bytes = read_at(offset, buffer);
    if (bytes == 0) return;
    take(bytes);
    offset += bytes;
  }
}

LabelMap::LabelMap(core::Environment& environment, const std::string& path)
    : LabelMap(environment, std::make_unique<FileBytes>(environment, path)) {}

LabelMap::LabelMap(core::Environment& environment, std::unique_ptr<LabelBytes> bytes)
    : input_(std::move(bytes)),
      block_(environment.memory, choose_block_bytes(environment.memory, *input_), "labels"),
      places_(environment.memory, choose_places(environment.memory), "places of labels") {
  scan(environment);
}

void LabelMap::scan(core::Environment& environment) {
  const core::Phase phase(environment.progress, "scan labels", 0, "bytes");
  std::uint64_t offset = 0;
  std::uint64_t line_start = 0;
  const auto end_line = [&](std::uint64_t end) {
    if (end - line_start > max_label_line_bytes) {
      throw core::DataError::at_line(input_->name(), lines_ + 1,
                                     "a line of more than 64 KiB, expected a label");
    }
    if (lines_ % stride_ == 0) {
      if (places_used_ == places_.size()) {
        places_used_ /= 2;
        for (std::size_t i = 0; i < places_used_; ++i) places_[i] = places_[2 * i];
        stride_ *= 2;
      }
      places_[places_used_++] = line_start;
    }
    ++lines_;
    line_start = end;
  };
  const auto* const text = reinterpret_cast<const char*>(block_.data());
  input_->scan(environment, block_.bytes(), [&](std::size_t bytes) {
    const char* at = text;
    while (const void* const feed = std::memchr(at, '\n', static_cast<std::size_t>(text + bytes - at))) {
      at = static_cast<const char*>(feed) + 1;
      end_line(offset + static_cast<std::uint64_t>(at - text));
    }
    offset += bytes;
  });
  if (offset > line_start) end_line(offset);
  if (offset <= block_.size()) filled_ = static_cast<std::size_t>(offset);
}

void LabelMap::go_to(std::uint64_t offset, std::uint64_t line) {
  if (offset < block_offset_ || offset >= block_offset_ + filled_) {
    block_offset_ = core::round_down(offset, core::page_bytes);
    filled_ = input_->read_at(block_offset_, block_.bytes());
  }
  at_ = std::min<std::size_t>(static_cast<std::size_t>(offset - block_offset_), filled_);
  line_ = line;
}

void LabelMap::load() {
  block_offset_ += filled_;
  filled_ = input_->read_at(block_offset_, block_.bytes());
  at_ = 0;
  if (filled_ > 0) return;
  throw core::DataError::in_file(input_->name(), "has fewer lines than a moment ago: it has changed");
}

void LabelMap::skip_lines(std::uint64_t count) {
  const auto* const text = reinterpret_cast<const char*>(block_.data());
  line_ += count;
  while (count > 0) {
    if (at_ == filled_) load();
    const void* const feed = std::memchr(text + at_, '\n', filled_ - at_);
    if (feed == nullptr) {
      at_ = filled_;
      continue;
    }
    at_ = static_cast<std::size_t>(static_cast<const char*>(feed) - text) + 1;
    --count;
  }
}

std::string_view LabelMap::label(std::uint64_t node) {
  const std::uint64_t place = node / stride_;
  if (filled_ == 0 || node < line_ || place * stride_ > line_) {
    go_to(places_[static_cast<std::size_t>(place)], place * stride_);
  }
  skip_lines(node - line_);
  const auto* const text = reinterpret_cast<const char*>(block_.data());
  straddling_.clear();
  std::string_view label;
  while (true) {
    if (at_ == filled_) {
      // The last line may have no break.
      if (node + 1 == lines_ && block_offset_ + filled_ == input_->size()) break;
      load();
    }
    const std::size_t left = filled_ - at_;
    const void* const feed = std::memchr(text + at_, '\n', left);
    const std::size_t bytes =
        feed == nullptr ? left : static_cast<std::size_t>(static_cast<const char*>(feed) - text) - at_;
    label = {text + at_, bytes};
    at_ += bytes + (feed == nullptr ? 0 : 1);
    if (feed != nullptr && straddling_.empty()) break;
    straddling_ += label;
    label = straddling_;
    if (feed != nullptr) break;
  }
  ++line_;
  if (label.ends_with('\r')) label.remove_suffix(1);
  return label;
}

namespace {

/// Space for the longest label and its line break.
constexpr std::size_t lines_bytes = max_label_line_bytes;

}  // namespace

LabelWriter::LabelWriter(core::Environment& environment, const std::string& path, core::Overwrite overwrite)
    : output_(path, overwrite, environment.memory, environment.io, environment.outputs),
      lines_(environment.memory, lines_bytes, "labels") {}

void LabelWriter::append(std::string_view label) {
  if (lines_bytes - filled_ < label.size() + 1)
    output_.append(lines_.bytes().first(std::exchange(filled_, 0)));
  std::memcpy(lines_.data() + filled_, label.data(), label.size());
  filled_ += label.size();
  lines_.data()[filled_++] = std::byte{'\n'};
}

void LabelWriter::finish() {
  output_.append(lines_.bytes().first(std::exchange(filled_, 0)));
  output_.finish();
}

}  // namespace emgraph::graph::format
