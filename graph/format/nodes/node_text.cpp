// SPDX-License-Identifier: MIT
// Reads lines with one or two columns of numbers, or with rows of a given number of columns.
#include "graph/format/nodes/node_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t text_batch_values = 8192;
constexpr std::size_t text_bytes = 64 * core::KiB;
constexpr std::size_t most_row_values = 16;

class TextNodeReader final : public NodeReader {
 public:
  TextNodeReader(core::Environment& environment, core::InputFile input, std::size_t row_values)
      : input_(std::move(input)),
        row_values_(row_values),
        text_(environment.memory, text_bytes, "text"),
        values_(environment.memory, text_batch_values, "node values") {}

  std::span<const std::uint64_t> next() override {
    std::size_t count = 0;
    std::string_view line;
    while (count + std::max<std::size_t>(1, row_values_) <= text_batch_values && next_line(line)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos || line[0] == '#') continue;
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
      const std::size_t bytes = input_.read_next(text_.bytes().subspan(end_));
      end_ += bytes;
      ended_ = bytes < room;
      feed = static_cast<const char*>(std::memchr(text, '\n', end_));
      if (feed == nullptr && !ended_) fail("a line of more than 64 KiB");
    }
    if (begin_ == end_) return false;
    const std::size_t stop = feed == nullptr ? end_ : static_cast<std::size_t>(feed - text);
    line = {text + begin_, stop - begin_};
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin_ = feed == nullptr ? end_ : stop + 1;
    return true;
  }

  /// The numbers of a line; all lines have the same number of columns.
  std::span<const std::uint64_t> parse(std::string_view line) {
    const std::size_t most = row_values_ == 0 ? 2 : row_values_;
    std::size_t columns = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto skip = [&] {
      while (at != end && (*at == ' ' || *at == '\t' || *at == ',')) ++at;
    };
    for (skip(); at != end; skip()) {
      if (columns == most) {
        fail(row_values_ == 0 ? "found a third column, expected a value, or a node and its value"
                              : "found more than " + std::to_string(most) + " columns");
      }
      const auto [stop, error] = std::from_chars(at, end, numbers_[columns++]);
      if (error != std::errc() || (stop != end && *stop != ' ' && *stop != '\t' && *stop != ',')) {
        fail("found '" + std::string(at, std::min<std::size_t>(24, static_cast<std::size_t>(end - at))) +
             "', expected a number of 0 or more");
      }
      at = stop;
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
};

}  // namespace

std::unique_ptr<NodeReader> open_node_text(core::Environment& environment, core::InputFile input,
                                           std::uint64_t row_values) {
  if (row_values > most_row_values) {
    throw core::UsageError("rows of " + std::to_string(row_values) + " values, expected at most " +
                           std::to_string(most_row_values));
  }
  return std::make_unique<TextNodeReader>(environment, std::move(input),
                                          static_cast<std::size_t>(row_values));
}

}  // namespace emgraph::graph::format
