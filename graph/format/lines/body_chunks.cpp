// SPDX-License-Identifier: MIT
// A chunk ends with its last line break, the rest goes before the next one; only where the rest is longer
// than the carry, a line is split between columns.
#include "graph/format/lines/body_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

constexpr const char* line_too_long = "a line of more than 64 KiB, expected a shorter one";
constexpr const char* no_line = "found control characters, expected lines of text that end with a line feed";

bool is_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && byte != '\t') || byte == 0x7f;
  });
}

}  // namespace

BodyChunks::BodyChunks(core::Environment& environment, core::InputFile& input, LongLines long_lines)
    : long_lines_(long_lines),
      name_(input.name()),
      stream_(open_text_stream(environment, input)),
      carry_(environment.memory, longest_line_bytes, "text") {}

std::string_view BodyChunks::carried() const {
  return as_text(carry_.bytes().subspan(carry_begin_, carry_end_ - carry_begin_));
}

void BodyChunks::refill() {
  std::memmove(carry_.data(), carry_.data() + carry_begin_, carry_end_ - carry_begin_);
  carry_end_ -= carry_begin_;
  carry_begin_ = 0;
  const std::span<std::byte> room = carry_.bytes().subspan(carry_end_);
  const std::size_t bytes = stream_->read(room);
  stream_ended_ = bytes < room.size();
  carry_end_ += bytes;
}

std::optional<std::string_view> BodyChunks::line() {
  if (carried().find('\n') == std::string_view::npos && !stream_ended_) refill();
  const std::string_view text = carried();
  if (text.empty()) return std::nullopt;
  const std::size_t length = text.find('\n');
  if (length == std::string_view::npos && !stream_ended_) {
    const bool binary = !is_line(text);
    throw core::DataError::at_line(name_, lines_taken_ + 1, binary ? no_line : line_too_long);
  }
  std::string_view line = text.substr(0, length);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (constexpr std::string_view mark = "\xef\xbb\xbf"; lines_taken_ == 0 && line.starts_with(mark)) {
    line.remove_prefix(mark.size());
  }
  if (!is_line(line)) {
    throw core::DataError::at_line(name_, lines_taken_ + 1, no_line);
  }
  return line;
}

void BodyChunks::take_line() {
  const std::size_t length = carried().find('\n');
  const std::size_t bytes = length == std::string_view::npos ? carried().size() : length + 1;
  carry_begin_ += bytes;
  bytes_taken_ += bytes;
  ++lines_taken_;
}

bool BodyChunks::read(std::span<std::byte> buffer, BodyChunk& chunk) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  const std::span<std::byte> room = buffer.first(buffer.size() - chunk_slack_bytes);
  const std::string_view start = carried();
  std::memcpy(room.data(), start.data(), start.size());
  std::size_t bytes = start.size();
  try {
    if (!stream_ended_) bytes += stream_->read(room.subspan(bytes));
  } catch (...) {
    ended_ = true;
    throw;
  }
  carry_begin_ = carry_end_ = 0;
  chunk.number = chunks_++;
  chunk.starts_inside = inside_;
  if (bytes < room.size()) {
    chunk.text = as_text(room.first(bytes));
    chunk.last = ended_ = true;
  } else {
    cut(room, chunk);
  }
  const_cast<char*>(chunk.text.data())[chunk.text.size()] = '\n';
  inside_ = chunk.ends_inside;
  return true;
}

void BodyChunks::cut(std::span<std::byte> filled, BodyChunk& chunk) {
  const std::string_view text = as_text(filled);
  std::size_t size = text.rfind('\n') + 1;  // 0 if there is none
  if (text.size() - size > carry_.size()) {
    const std::size_t blank =
        long_lines_ == LongLines::split ? text.find_last_of(" \t") : std::string_view::npos;
    if (blank == std::string_view::npos || text.size() - blank > carry_.size()) {
      chunk.wrong = long_lines_ == LongLines::split ? "a number of more than 64 KiB" : line_too_long;
      ended_ = true;
    } else {
      size = blank + 1;
      chunk.ends_inside = true;
    }
  }
  chunk.text = text.substr(0, size);
  if (ended_) return;
  const std::string_view rest = text.substr(size);
  std::memcpy(carry_.data(), rest.data(), rest.size());
  carry_end_ = rest.size();
}

void BodyChunks::rewind() {
  const std::lock_guard lock(mutex_);
  stream_->rewind();
  stream_ended_ = ended_ = inside_ = false;
  chunks_ = 0;
  carry_begin_ = carry_end_ = 0;
  for (std::uint64_t left = bytes_taken_; left > 0;) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(left, carry_.size()));
    const std::size_t bytes = stream_->read(carry_.bytes().first(step));
    if (bytes == 0) throw core::DataError::in_file(name_, "has become shorter while it was read");
    left -= bytes;
  }
}

}  // namespace emgraph::graph::format
