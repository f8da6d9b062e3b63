// SPDX-License-Identifier: MIT
// Reads lines with one or two columns of numbers, or with rows of a given number of columns.
#include "graph/format/nodes/node_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t text_batch_values = 8192;
constexpr std::size_t text_bytes = 64 * core::KiB;
constexpr std::size_t most_row_values = 16;

/// The first name in a header, as NodeWriterOptions::header writes it.
constexpr std::string_view header_start = "node";

bool separates_values(char c) {
  return c == ' ' || c == '\t' || c == ',';
}

/// False unless the whole text is a number of 0 or more, below 2^64.
bool read_whole(std::string_view text, std::uint64_t& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

/// The bits of the double nearest to a number, "inf" or "nan". False unless the whole text is one, and for
/// finite numbers beyond the largest double.
bool read_real(std::string_view text, std::uint64_t& bits) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(value)) return false;
  } else if (error != std::errc()) {
    return false;
  }
  bits = std::bit_cast<std::uint64_t>(value);
  return stop == text.data() + text.size();
}

/// True if a value in the lines of this text has a point, an exponent or letters.
bool has_fractions(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with('#') && !line.starts_with(header_start) &&
        line.find_first_of(".eEnN") != std::string_view::npos)
      return true;
  }
  return false;
}

/// The same for all that the stream has. `text`: room for its lines.
bool has_fractions(TextStream& stream, core::Buffer& text) {
  std::size_t kept = 0;  // the begin of a line
  for (bool ended = false; !ended && kept < text.size();) {
    const std::size_t end = kept + stream.read(text.bytes().subspan(kept));
    ended = end < text.size();
    const std::string_view read = as_text(text.bytes().first(end));
    const std::size_t lines = ended ? end : read.rfind('\n') + 1;
    if (has_fractions(read.substr(0, lines))) return true;
    kept = end - lines;
    std::memmove(text.data(), text.data() + lines, kept);
  }
  return false;
}

class TextNodeReader final : public NodeReader {
 public:
  TextNodeReader(core::Environment& environment, core::InputFile input, std::size_t row_values,
                 NodeNumbers numbers)
      : input_(std::move(input)),
        stream_(open_text_stream(environment, input_)),
        row_values_(row_values),
        text_(environment.memory, text_bytes, "text"),
        values_(environment.memory, text_batch_values, "node values"),
        floating_(numbers == NodeNumbers::floating) {
    if (numbers != NodeNumbers::either) return;
    if (input_.seekable()) {
      floating_ = has_fractions(*stream_, text_);
      stream_->rewind();
    } else {
      floating_ = has_fractions(as_text(unpacked_start(environment, input_, text_bytes)));
    }
  }

  std::span<const std::uint64_t> next() override {
    std::size_t count = 0;
    std::string_view line;
    while (count + std::max<std::size_t>(1, row_values_) <= text_batch_values && next_line(line)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos || line[0] == '#') continue;
      if (lines_ == 1 && line.starts_with(header_start)) continue;
      const std::span<const std::uint64_t> numbers = parse(line);
      if (row_values_ == 0) {
        values_[count++] = value(numbers);
      } else {
        count = static_cast<std::size_t>(std::copy(numbers.begin(), numbers.end(), values_.data() + count) -
                                         values_.data());
      }
    }
    return values_.span().first(count);
  }
  std::optional<std::uint64_t> count() const override { return std::nullopt; }
  std::size_t value_bytes() const override { return 0; }
  bool floating() const override { return floating_; }

 private:
  /// Reads the next line, without its break; false at the end.
  bool next_line(std::string_view& line) {
    ++lines_;
    const auto* text = reinterpret_cast<const char*>(text_.data());
    const char* feed = static_cast<const char*>(std::memchr(text + begin_, '\n', end_ - begin_));
    if (feed == nullptr && !ended_) {
      std::memmove(text_.data(), text_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
      const std::size_t room = text_.size() - end_;
      if (room == 0) fail("a line of more than 64 KiB");
      const std::size_t bytes = stream_->read(text_.bytes().subspan(end_));
      end_ += bytes;
      ended_ = bytes < room;
      feed = static_cast<const char*>(std::memchr(text, '\n', end_));
      if (feed == nullptr && !ended_) fail("a line of more than 64 KiB");
    }
    if (begin_ == end_) return false;
    const std::size_t stop = feed == nullptr ? end_ : static_cast<std::size_t>(feed - text);
    line = {text + begin_, stop - begin_};
    if (lines_ == 1) line = without_byte_order_mark(line);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin_ = feed == nullptr ? end_ : stop + 1;
    return true;
  }

  /// The numbers of a line; all lines have the same number of columns. Of two columns the first is a node.
  std::span<const std::uint64_t> parse(std::string_view line) {
    const std::size_t most = row_values_ == 0 ? 2 : row_values_;
    std::size_t columns = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto skip = [&] {
      while (at != end && separates_values(*at)) ++at;
    };
    for (skip(); at != end;) {
      if (columns == most) {
        fail(row_values_ == 0   ? "found a third column, expected a value, or a node and its value"
             : row_values_ == 1 ? "found a second column, expected a number in each line"
                                : "found more than " + std::to_string(most) + " columns");
      }
      const char* const stop = std::find_if(at, end, separates_values);
      const std::string_view column(at, static_cast<std::size_t>(stop - at));
      at = stop;
      skip();
      const bool node = columns == 0 && (row_values_ == 2 || (row_values_ == 0 && at != end));
      const bool real = floating_ && !node;
      std::uint64_t& number = numbers_[columns++];
      if (!(real ? read_real(column, number) : read_whole(column, number))) {
        fail("found '" + std::string(column.substr(0, 24)) + "', expected " +
             (real ? "a number or inf" : "a whole number of 0 or more, below 2^64"));
      }
    }
    if (columns == 0) fail("found commas alone, expected a number of 0 or more");
    if (row_values_ != 0 && columns != row_values_) {
      fail("found " + std::to_string(columns) + " columns, expected " + std::to_string(row_values_));
    }
    if (columns_ == 0) columns_ = columns;
    if (columns != columns_) {
      fail("found " + std::to_string(columns) + " columns, expected " + std::to_string(columns_) +
           " as in the first line");
    }
    return std::span(numbers_).first(columns);
  }

  /// The value of a line "value" or "node value"; checks that nodes are consecutive.
  std::uint64_t value(std::span<const std::uint64_t> numbers) {
    if (numbers.size() == 2 && numbers[0] != nodes_) {
      fail("found node " + std::to_string(numbers[0]) + ", expected node " + std::to_string(nodes_));
    }
    ++nodes_;
    return numbers.back();
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw core::DataError::at_line(input_.name(), lines_, what);
  }

  core::InputFile input_;
  const std::unique_ptr<TextStream> stream_;
  const std::size_t row_values_;
  std::array<std::uint64_t, most_row_values> numbers_{};
  core::Buffer text_;
  core::Array<std::uint64_t> values_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  std::size_t columns_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t nodes_ = 0;
  bool floating_;
};

}  // namespace

std::unique_ptr<NodeReader> open_node_text(core::Environment& environment, core::InputFile input,
                                           std::uint64_t row_values, NodeNumbers numbers) {
  if (row_values > most_row_values) {
    throw core::UsageError("rows of " + std::to_string(row_values) + " values, expected at most " +
                           std::to_string(most_row_values));
  }
  return std::make_unique<TextNodeReader>(environment, std::move(input), static_cast<std::size_t>(row_values),
                                          numbers);
}

}  // namespace emgraph::graph::format
