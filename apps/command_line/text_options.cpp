// SPDX-License-Identifier: MIT
// Declares and reads --cols, --weight-type, --skip-lines, --separator and --id-base.
#include "apps/command_line/text_options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "apps/command_line/options.hpp"
#include "core/base/error.hpp"
#include "graph/format/table/weight_names.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;
using graph::WeightType;

graph::format::TextColumns text_columns(const std::string& text) {
  constexpr std::uint64_t most_columns = 1000000;
  std::vector<unsigned> columns;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::uint64_t column = count_option("--cols", text.substr(start, end - start));
    if (column < 1 || column > most_columns) {
      throw UsageError(fmt::format("--cols: {} is not between 1 and {}", column, most_columns));
    }
    columns.push_back(static_cast<unsigned>(column));
    start = end + 1;
  }
  if (columns.size() != 2 && columns.size() != 3) {
    throw UsageError(fmt::format("--cols: '{}' is not SOURCE,TARGET or SOURCE,TARGET,WEIGHT", text));
  }
  graph::format::TextColumns chosen{.source = columns[0], .target = columns[1]};
  if (columns.size() == 3) chosen.weight = columns[2];
  if (chosen.source == chosen.target || chosen.weight == chosen.source || chosen.weight == chosen.target) {
    throw UsageError(fmt::format("--cols: '{}' names a column twice", text));
  }
  return chosen;
}

WeightType weight_type(const std::string& text) {
  const auto type = graph::format::weight_type_called(text).value_or(WeightType::none);
  if (type != WeightType::none) return type;
  throw UsageError(fmt::format("--weight-type: '{}' is not one of u32, i64, f32, f64", text));
}

char separator(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  const char c = text.size() == 1 ? text[0] : '\0';
  const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool in_numbers = c == '-' || c == '+' || c == '.' || c == '"';
  if (static_cast<unsigned char>(c) >= 0x7f || (c < ' ' && c != '\t') || letter || in_numbers) {
    throw UsageError(fmt::format("--separator: '{}' is not tab or one character that no number holds", text));
  }
  return c;
}

}  // namespace

void declare_text_options(CLI::App& app, TypedTextOptions& typed) {
  const auto text = [&app](const char* name, std::string& target, const char* help, const char* type) {
    app.add_option(name, target, help)->type_name(type)->group("Text input");
  };
  text("--cols", typed.columns, "columns of source, target and, if wanted, weight [1,2]", "A,B[,W]");
  text("--weight-type", typed.weight_type,
       "u32, i64, f32, f64; without a W in --cols of column 3 [with W: i64]", "TYPE");
  text("--skip-lines", typed.skip_lines, "lines to pass over before the first edge [0]", "N");
  text("--separator", typed.separator,
       "exactly one between columns: a character, or tab [blanks, one comma or semicolon]", "CHAR");
  text("--id-base", typed.id_base,
       "number of the first node, subtracted from all; also of mtx, gr, graph [text: 0, these: 1]", "B");
}

graph::format::TextOptions text_options(const TypedTextOptions& typed) {
  graph::format::TextOptions options;
  if (!typed.columns.empty()) options.columns = text_columns(typed.columns);
  if (!typed.weight_type.empty()) options.weight = weight_type(typed.weight_type);
  if (!typed.skip_lines.empty()) options.skip_lines = count_option("--skip-lines", typed.skip_lines);
  if (!typed.separator.empty()) options.separator = separator(typed.separator);
  return options;
}

}  // namespace emgraph::apps
