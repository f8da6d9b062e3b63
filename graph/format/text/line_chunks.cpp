// SPDX-License-Identifier: MIT
// Fills a buffer, and keeps the text after the last line break for the next chunk.
#include "graph/format/text/line_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

constexpr const char* line_too_long = "a line of more than 64 KiB, expected a shorter one";
constexpr const char* no_line = "found control characters, expected lines of text that end with a line feed";

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && (line[first] == '#' || line[first] == '%');
}

bool is_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && byte != '\t') || byte == 0x7f;
  });
}

}  // namespace

std::size_t whole_lines(std::string_view text, LineRules::Breaks breaks) {
  if (breaks == LineRules::Breaks::feed) return text.rfind('\n') + 1;  // 0 if there is none
  std::size_t bytes = text.size();
  if (bytes != 0 && text.back() == '\r') --bytes;
  while (bytes != 0 && !is_line_break(text[bytes - 1])) --bytes;
  return bytes;
}

LineChunks::LineChunks(core::Environment& environment, core::InputFile& input, const LineRules& rules)
    : name_(input.name()),
      rules_(rules),
      stream_(open_text_stream(environment, input)),
      carry_(environment.memory, max_carry_bytes, "text"),
      lines_before_(rules.skip_lines) {}

std::string_view LineChunks::carried() const {
  return as_text(carry_.bytes().subspan(carry_begin_, carry_end_ - carry_begin_));
}

void LineChunks::take(std::size_t bytes) {
  carry_begin_ += bytes;
  if (!in_body_) bytes_before_ += bytes;
}

void LineChunks::keep(std::string_view rest) {
  std::memcpy(carry_.data(), rest.data(), rest.size());
  carry_end_ = rest.size();
}

void LineChunks::refill() {
  std::memmove(carry_.data(), carry_.data() + carry_begin_, carry_end_ - carry_begin_);
  carry_end_ -= carry_begin_;
  carry_begin_ = 0;
  const std::span<std::byte> room = carry_.bytes().subspan(carry_end_);
  const std::size_t bytes = stream_->read(room);
  stream_ended_ = bytes < room.size();
  carry_end_ += bytes;
}

std::optional<std::string_view> LineChunks::line() {
  if (carried().find('\n') == std::string_view::npos && !stream_ended_) refill();
  const std::string_view text = carried();
  if (text.empty()) return std::nullopt;
  const std::size_t length = text.find('\n');
  if (length == std::string_view::npos && !stream_ended_) {
    throw core::DataError::at_line(name_, lines_before_ + 1, is_line(text) ? line_too_long : no_line);
  }
  std::string_view line = text.substr(0, length);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (lines_before_ == 0) line = without_byte_order_mark(line);
  if (!is_line(line)) throw core::DataError::at_line(name_, lines_before_ + 1, no_line);
  return line;
}

void LineChunks::take_line() {
  take(std::min(carried().find('\n'), carried().size() - 1) + 1);
  ++lines_before_;
}

std::uint64_t LineChunks::bytes_before() {
  const std::lock_guard lock(mutex_);
  skip_to_body();
  return bytes_before_;
}

std::string_view LineChunks::data_lines() {
  skip_asked_lines();
  while (true) {
    if (carried().empty()) refill();
    if (bytes_before_ == 0) take(carried().size() - without_byte_order_mark(carried()).size());
    const std::size_t first = carried().find_first_not_of(" \t");
    if (first == std::string_view::npos) {
      if (stream_ended_ || carried().size() == carry_.size()) break;
      refill();
      continue;
    }
    const std::string_view line = carried().substr(first);
    if (!is_line_break(line.front()) && !is_comment(line)) break;
    take(first);
    take_data_line();
  }
  if (!stream_ended_) refill();
  return carried();
}

void LineChunks::take_data_line() {
  skip_rest_of_line(~std::uint64_t{0});
  skip_feed();
  ++lines_before_;
}

void LineChunks::skip_asked_lines() {
  if (asked_skipped_) return;
  asked_skipped_ = true;
  for (std::uint64_t line = 0; line < rules_.skip_lines; ++line) {
    const std::uint64_t before = bytes_before_;
    if (skip_rest_of_line(~std::uint64_t{0}) == Skipped::all_there_was) {
      // The last line may lack its line break.
      if (line + 1 == rules_.skip_lines && bytes_before_ > before) break;
      throw core::DataError::in_file(name_, "found " + std::to_string(line) + " whole lines, expected " +
                                                std::to_string(rules_.skip_lines) +
                                                " to skip and edges after them");
    }
  }
  skip_feed();
}

void LineChunks::skip_feed() {
  if (!skip_feed_) return;
  if (carried().empty()) refill();
  if (carried().starts_with('\n')) take(1);
  skip_feed_ = false;
}

void LineChunks::skip_to_body() {
  if (in_body_) return;
  skip_asked_lines();
  in_body_ = true;
}

LineChunks::Skipped LineChunks::skip_rest_of_line(std::uint64_t most_bytes) {
  std::uint64_t skipped = 0;
  while (skipped <= most_bytes) {
    if (carried().empty()) refill();
    if (carried().empty()) return Skipped::all_there_was;
    if (skip_feed_) {
      skip_feed_ = false;
      if (carried().starts_with('\n')) {
        take(1);
        continue;
      }
    }
    const std::string_view text = carried().substr(0, carried().find('\n'));
    const std::size_t length = std::min(text.find('\r'), text.size());
    skipped += length;
    take(length);
    if (carried().empty()) continue;
    skip_feed_ = carried().front() == '\r';
    take(1);
    return Skipped::line;
  }
  return Skipped::more_than_asked;
}

bool LineChunks::read(std::span<std::byte> buffer, LineChunk& chunk) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  ended_ = true;  // remains true if an exception is thrown
  skip_to_body();
  const std::span<std::byte> room = buffer.first(buffer.size() - chunk_slack_bytes);
  std::size_t bytes = carried().size();
  std::memcpy(room.data(), carried().data(), bytes);
  carry_begin_ = carry_end_ = 0;
  if (!stream_ended_) bytes += stream_->read(room.subspan(bytes));
  std::string_view text = as_text(room.first(bytes));
  if (skip_feed_ && text.starts_with('\n')) text.remove_prefix(1);
  skip_feed_ = false;
  if (chunks_ == 0 && bytes_before_ == 0) text = without_byte_order_mark(text);
  chunk = {.number = chunks_, .text = text, .starts_inside = inside_, .last = bytes < room.size()};
  inside_ = false;
  const bool goes_on = !chunk.last && end_chunk(room, chunk);
  const char* const end = chunk.text.data() + chunk.text.size();
  buffer[static_cast<std::size_t>(end - reinterpret_cast<const char*>(buffer.data()))] = std::byte{'\n'};
  // Counted only now: lanes would wait for the number of a chunk that no lane has.
  ++chunks_;
  ended_ = !goes_on;
  return true;
}

bool LineChunks::end_chunk(std::span<std::byte> filled, LineChunk& chunk) {
  const std::string_view text = chunk.text;
  const std::size_t whole = whole_lines(text, rules_.breaks);
  chunk.text = text.substr(0, whole);
  if (text.size() - whole <= carry_.size()) {
    keep(text.substr(whole));
    return true;
  }
  switch (rules_.long_lines) {
    case LineRules::LongLines::refuse:
      chunk.wrong = line_too_long;
      return false;
    case LineRules::LongLines::split:
      return split_line(text, chunk);
    case LineRules::LongLines::cut:
      break;
  }
  chunk.text = text;
  return cut_line(filled, whole, chunk);
}

bool LineChunks::split_line(std::string_view text, LineChunk& chunk) {
  const std::size_t blank = text.find_last_of(" \t");
  if (blank == std::string_view::npos || text.size() - blank > carry_.size()) {
    chunk.wrong = "a number of more than 64 KiB";
    return false;
  }
  chunk.text = text.substr(0, blank + 1);
  inside_ = true;
  keep(text.substr(blank + 1));
  return true;
}

bool LineChunks::cut_line(std::span<std::byte> filled, std::size_t whole, LineChunk& chunk) {
  const std::string_view line = chunk.text.substr(whole);
  if (line.back() == '\r') {  // the line is complete
    skip_feed_ = true;
    return true;
  }
  const std::uint64_t more = is_comment(line) ? ~std::uint64_t{0} : max_edge_line_bytes - line.size();
  filled.back() = std::byte{cut_mark};
  chunk.cut = true;
  if (skip_rest_of_line(more) != Skipped::more_than_asked) return true;
  chunk.text.remove_suffix(line.size());
  chunk.cut = false;
  chunk.wrong = "a line of more than 1 MiB, expected two ids and few columns beside them";
  return false;
}

std::uint64_t LineChunks::delivered() {
  const std::lock_guard lock(mutex_);
  return chunks_;
}

void LineChunks::let_go() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  stream_.reset();
  carry_ = {};
}

void LineChunks::rewind() {
  const std::lock_guard lock(mutex_);
  stream_->rewind();
  carry_begin_ = carry_end_ = 0;
  stream_ended_ = skip_feed_ = inside_ = ended_ = false;
  chunks_ = 0;
  for (std::uint64_t left = bytes_before_; left > 0;) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(left, carry_.size()));
    const std::size_t bytes = stream_->read(carry_.bytes().first(step));
    if (bytes == 0) throw core::DataError::in_file(name_, "has become shorter while it was read");
    left -= bytes;
  }
}

}  // namespace emgraph::graph::format
