// SPDX-License-Identifier: MIT
// Header lines are short: clear comes before fast.
#include "graph/format/lines/header_columns.hpp"

#include <algorithm>
#include <charconv>

#include "core/base/error.hpp"
#include "graph/format/lines/show_column.hpp"

namespace emgraph::graph::format {

std::vector<std::string_view> columns_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> columns;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return columns;
}

bool is_number(std::string_view column) {
  return !column.empty() && column.front() >= '0' && column.front() <= '9';
}

std::uint64_t header_number(std::string_view column, const std::string& which, const std::string& file,
                            std::uint64_t line) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (error != std::errc() || stop != column.data() + column.size()) {
    const std::string shown = std::string(column) + '\n';
    throw core::DataError::at_line(
        file, line,
        "found " + show_column(shown.c_str()) + " as the " + which + ", expected a number below 2^64");
  }
  return number;
}

}  // namespace emgraph::graph::format
