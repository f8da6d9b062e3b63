// SPDX-License-Identifier: MIT
// Reads coordinates line by line.
#include "graph/format/text/coordinate_file.hpp"

#include <charconv>
#include <string_view>

#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/text/header_lines.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {
namespace {

class CoordinateParser {
 public:
  CoordinateParser(core::Environment& environment, const std::string& path)
      : input_(path, environment.io), chunks_(environment, input_, LineRules{}) {}

  template <class Take>
  std::uint64_t read(const Take& take) {
    std::uint64_t count = 0;
    for (auto text = chunks_.line(); text; text = chunks_.line()) {
      const auto columns = columns_of(*text);
      if (!columns.empty() && !text->starts_with('c')) {
        if (problem_line_ == 0) {
          take_problem(columns);
        } else {
          if (columns.size() != 4 || columns[0] != "v") refuse("found another line, expected v NODE X Y");
          if (count++ == nodes_)
            refuse("found node line " + std::to_string(count) + ", expected " + declared());
          const std::int64_t node = number(columns[1], "node");
          if (node < 1 || static_cast<std::uint64_t>(node) > nodes_) {
            refuse("found node " + std::to_string(node) + ", expected 1 to " + std::to_string(nodes_));
          }
          take(static_cast<std::uint64_t>(node) - 1, number(columns[2], "x"), number(columns[3], "y"));
        }
      }
      chunks_.take_line();
    }
    if (problem_line_ == 0) {
      throw core::DataError::in_file(input_.name(),
                                     "ends without a problem line, expected p aux sp co NODES");
    }
    if (count < nodes_)
      refuse("the file ends after " + std::to_string(count) + " nodes, expected " + declared());
    return nodes_;
  }

 private:
  void take_problem(const std::vector<std::string_view>& columns) {
    if (columns.size() != 5 || columns[0] != "p" || columns[1] != "aux" || columns[2] != "sp" ||
        columns[3] != "co") {
      refuse("found another line first, expected the problem line p aux sp co NODES");
    }
    nodes_ = header_number(columns[4], "number of nodes", input_.name(), line());
    problem_line_ = line();
  }

  std::int64_t number(std::string_view column, const char* what) const {
    std::int64_t value = 0;
    const char* const end = column.data() + column.size();
    const auto [at, error] = std::from_chars(column.data(), end, value);
    if (error != std::errc() || at != end) {
      refuse("found '" + std::string(column.substr(0, 40)) + "' as " + what +
             ", expected an integer of 64 bits");
    }
    return value;
  }

  std::string declared() const {
    return std::to_string(nodes_) + " as line " + std::to_string(problem_line_) + " declares";
  }
  std::uint64_t line() const { return chunks_.lines_before() + 1; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw core::DataError::at_line(input_.name(), line(), what);
  }

  core::InputFile input_;
  LineChunks chunks_;
  std::uint64_t nodes_ = 0;
  std::uint64_t problem_line_ = 0;
};

}  // namespace

std::uint64_t read_coordinates(
    core::Environment& environment, const std::string& path,
    core::FunctionRef<void(std::uint64_t node, std::int64_t x, std::int64_t y)> take) {
  return CoordinateParser(environment, path).read(take);
}

}  // namespace emgraph::graph::format
