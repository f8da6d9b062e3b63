// SPDX-License-Identifier: MIT
// Reads a buffer full, keeps what stands after the last line break for the next one.
#include "graph/format/text/line_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {
namespace {

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && (line[first] == '#' || line[first] == '%');
}

}  // namespace

std::size_t whole_lines(std::string_view text) {
  std::size_t bytes = text.size();
  if (bytes != 0 && text.back() == '\r') --bytes;
  while (bytes != 0 && !is_line_break(text[bytes - 1])) --bytes;
  return bytes;
}

LineChunks::LineChunks(core::Environment& environment, core::InputFile& input, std::uint64_t skip_lines)
    : name_(input.name()),
      skip_lines_(skip_lines),
      stream_(open_text_stream(environment, input)),
      carry_(environment.memory, max_carry_bytes, "text") {}

std::uint64_t LineChunks::count() const {
  const std::lock_guard lock(mutex_);
  return chunks_;
}

bool LineChunks::complete() const {
  const std::lock_guard lock(mutex_);
  return complete_;
}

void LineChunks::rewind() {
  const std::lock_guard lock(mutex_);
  stream_->rewind();
  carry_at_ = carry_end_ = 0;
  skip_feed_ = false;
  chunks_ = 0;
  ended_ = complete_ = false;
}

bool LineChunks::read(std::span<std::byte> buffer, LineChunk& chunk) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  ended_ = true;  // unless all goes well
  if (chunks_ == 0) skip_first_lines();
  const std::size_t carried = carry_end_ - carry_at_;
  std::memcpy(buffer.data(), carry_.data() + carry_at_, carried);
  carry_at_ = carry_end_ = 0;
  const std::size_t bytes = carried + stream_->read(buffer.subspan(carried));
  complete_ = bytes < buffer.size();
  if (bytes == 0) return false;
  std::string_view text = as_text(buffer.first(bytes));
  if (skip_feed_) text.remove_prefix(text.front() == '\n' ? 1 : 0);
  skip_feed_ = false;
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (chunks_ == 0 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  chunk = {.number = chunks_, .text = text};
  bool goes_on = !complete_;
  const std::size_t whole = goes_on ? whole_lines(text) : text.size();
  const std::size_t rest = text.size() - whole;
  if (rest > max_carry_bytes) {
    goes_on = take_long_line(buffer, text.substr(whole), chunk);
  } else {
    chunk.text = text.substr(0, whole);
    std::memcpy(carry_.data(), text.data() + whole, rest);
    carry_end_ = rest;
  }
  // Not before: a number of a chunk that nobody gets would be waited for.
  ++chunks_;
  ended_ = !goes_on;
  return true;
}

bool LineChunks::take_long_line(std::span<std::byte> buffer, std::string_view line, LineChunk& chunk) {
  if (line.back() == '\r') {  // it is whole
    skip_feed_ = true;
    return true;
  }
  const std::uint64_t more = is_comment(line) ? ~std::uint64_t{0} : max_edge_line_bytes - line.size();
  const std::size_t line_bytes = line.size();
  buffer.back() = std::byte{cut_mark};
  chunk.cut = true;
  if (skip_rest_of_line(more) != Skipped::more_than_asked) return true;
  chunk.text.remove_suffix(line_bytes);
  chunk.cut = false;
  chunk.wrong = "a line of more than 1 MiB, expected two ids and few columns beside them";
  return false;
}

void LineChunks::skip_first_lines() {
  for (std::uint64_t line = 0; line < skip_lines_; ++line) {
    if (skip_rest_of_line(~std::uint64_t{0}) == Skipped::all_there_was) {
      throw core::DataError::in_file(name_, "found " + std::to_string(line) + " whole lines, expected " +
                                                std::to_string(skip_lines_) +
                                                " to skip and edges after them");
    }
  }
}

LineChunks::Skipped LineChunks::skip_rest_of_line(std::uint64_t most_bytes) {
  std::uint64_t skipped = 0;
  while (skipped <= most_bytes) {
    if (carry_at_ == carry_end_) {
      carry_at_ = 0;
      carry_end_ = stream_->read(carry_.bytes());
      if (carry_end_ == 0) return Skipped::all_there_was;
    }
    std::string_view text = as_text(carry_.bytes().subspan(carry_at_, carry_end_ - carry_at_));
    if (skip_feed_) {
      skip_feed_ = false;
      if (text.front() == '\n') {
        ++carry_at_;
        continue;
      }
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t length = std::min(text.find('\r'), text.size());
    carry_at_ += length;
    skipped += length;
    if (carry_at_ == carry_end_) continue;
    skip_feed_ = carry_.data()[carry_at_++] == std::byte{'\r'};
    return Skipped::line;
  }
  return Skipped::more_than_asked;
}

}  // namespace emgraph::graph::format
