// SPDX-License-Identifier: MIT
// Reads queries line by line, as LineChunks reads headers.
#include "graph/format/text/query_file.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/numbers/digits.hpp"
#include "graph/format/text/header_lines.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::string_view problem_lines = "p aux sp ss QUERIES or p aux sp p2p QUERIES";

/// The column quoted for a message.
std::string shown(std::string_view column) {
  return show_column((std::string(column) + '\n').c_str());
}

class QueryParser {
 public:
  QueryParser(core::Environment& environment, const std::string& path)
      : environment_(environment), input_(path, environment.io), chunks_(environment, input_, LineRules{}) {
    queries_.name = input_.name();
  }

  QueryFile read() {
    for (auto text = chunks_.line(); text; text = chunks_.line()) {
      const auto columns = columns_of(*text);
      if (!columns.empty() && !text->starts_with('c')) take(columns);
      chunks_.take_line();
    }
    if (problem_line_ == 0) {
      throw core::DataError::in_file(queries_.name,
                                     "ends without a problem line, expected " + std::string(problem_lines));
    }
    if (queries_.lines.size() < declared_) {
      throw core::DataError::at_line(queries_.name, chunks_.lines_before() + 1,
                                     "the file ends after " + std::to_string(queries_.lines.size()) +
                                         " queries, expected " + std::to_string(declared_) + " as line " +
                                         std::to_string(problem_line_) + " declares");
    }
    return std::move(queries_);
  }

 private:
  using Columns = std::vector<std::string_view>;

  void take(const Columns& columns) {
    if (columns[0] == "p") {
      take_problem(columns);
    } else if (problem_line_ == 0) {
      refuse("found " + shown(columns[0]) +
             " as the start of a line, expected the problem line first: " + std::string(problem_lines));
    } else {
      take_query(columns);
    }
  }

  void take_problem(const Columns& columns) {
    if (problem_line_ != 0) {
      refuse("found a second problem line, expected one, as line " + std::to_string(problem_line_));
    }
    if (columns.size() > 1 && columns[1] == "sp") {
      refuse("found the problem line of a graph (p sp), expected " + std::string(problem_lines));
    }
    const bool queries = columns.size() > 3 && columns[1] == "aux" && columns[2] == "sp" &&
                         (columns[3] == "ss" || columns[3] == "p2p");
    if (!queries || columns.size() != 5) {
      refuse("found another problem line" +
             (queries ? " of " + std::to_string(columns.size()) + " columns" : std::string()) +
             ", expected " + std::string(problem_lines));
    }
    queries_.kind = columns[3] == "ss" ? QueryKind::sources : QueryKind::pairs;
    declared_ = header_number(columns[4], "number of queries", queries_.name, line());
    if (declared_ > most_queries) {
      refuse("found " + shown(columns[4]) + " as the number of queries, expected at most " +
             std::to_string(most_queries));
    }
    problem_line_ = line();
    const bool pairs = queries_.kind == QueryKind::pairs;
    const std::size_t query_bytes = sizeof(std::uint64_t) * (pairs ? 3 : 2);
    queries_.memory =
        environment_.memory.reserve(static_cast<std::size_t>(declared_) * query_bytes, "queries");
    queries_.lines.reserve(declared_);
    if (pairs) {
      queries_.pairs.reserve(declared_);
    } else {
      queries_.sources.reserve(declared_);
    }
  }

  void take_query(const Columns& columns) {
    const bool pairs = queries_.kind == QueryKind::pairs;
    const std::string form = pairs ? "q SOURCE TARGET" : "s NODE";
    if (columns[0] != form.substr(0, 1)) {
      refuse("found " + shown(columns[0]) + " as the start of a line, expected " + form);
    }
    if (columns.size() != (pairs ? 3 : 2)) {
      refuse("found " + std::to_string(columns.size()) + " columns, expected " + form);
    }
    if (queries_.lines.size() == declared_) {
      refuse("found query number " + std::to_string(declared_ + 1) + ", expected " +
             std::to_string(declared_) + " as line " + std::to_string(problem_line_) + " declares");
    }
    if (pairs) {
      const std::uint64_t source = node(columns[1], "source");
      queries_.pairs.push_back({source, node(columns[2], "target")});
    } else {
      queries_.sources.push_back(node(columns[1], "source"));
    }
    queries_.lines.push_back(line());
  }

  std::uint64_t node(std::string_view column, const std::string& which) const {
    const std::string text = std::string(column) + '\n';
    std::uint64_t number = 0;
    const char* at = text.data();
    if (!read_long_decimal(at, at + column.size(), number) || at != text.data() + column.size() ||
        number == 0) {
      refuse(wrong_number(text.c_str(), which, 1, std::numeric_limits<std::uint64_t>::max()));
    }
    return number - 1;
  }

  std::uint64_t line() const { return chunks_.lines_before() + 1; }

  [[noreturn]] void refuse(const std::string& what) const {
    throw core::DataError::at_line(queries_.name, line(), what);
  }

  core::Environment& environment_;
  core::InputFile input_;
  LineChunks chunks_;
  QueryFile queries_;
  std::uint64_t declared_ = 0;
  std::uint64_t problem_line_ = 0;  ///< 0: not read yet
};

}  // namespace

void QueryFile::require_nodes_below(std::uint64_t nodes) const {
  const auto require = [&](std::uint64_t node, std::size_t query) {
    if (node < nodes) return;
    throw core::DataError::at_line(name, lines[query],
                                   "found node " + std::to_string(node + 1) + ", but the graph has " +
                                       std::to_string(nodes) + " nodes, expected 1 to " +
                                       std::to_string(nodes));
  };
  for (std::size_t i = 0; i < sources.size(); ++i) require(sources[i], i);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    require(pairs[i].source, i);
    require(pairs[i].target, i);
  }
}

QueryFile read_query_file(core::Environment& environment, const std::string& path) {
  return QueryParser(environment, path).read();
}

}  // namespace emgraph::graph::format
