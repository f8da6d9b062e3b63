// SPDX-License-Identifier: MIT
// Declares and reads --cols, --weight-type, --skip-lines, --separator and --id-base.
#include "apps/command_line/text_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "apps/command_line/options.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

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

void declare_text_options(OptionSet& options, TypedTextOptions& typed) {
  using graph::WeightType;
  options.common_group("Text input");
  options
      .value("--cols", typed.columns, "A,B[,W]",
             "columns of the source, the target and, if wanted, the weight")
      .otherwise("1,2");
  options
      .word("--weight-type", typed.weight_type, "TYPE",
            "type of the weights, which are in column 3 unless --cols names a W",
            {{"u32", WeightType::u32},
             {"i64", WeightType::i64},
             {"f32", WeightType::f32},
             {"f64", WeightType::f64}})
      .otherwise("with a W: i64; else no weights");
  options.value("--skip-lines", typed.skip_lines, "N", "number of lines before the first edge")
      .otherwise("0");
  options
      .value("--separator", typed.separator, "CHAR",
             "the character of which exactly one stands between columns; tab for a tab")
      .otherwise("blanks, one comma or one semicolon");
  options
      .value("--id-base", typed.id_base, "B",
             "number of the first node, which is subtracted from all ids; of mtx, gr and graph, too")
      .otherwise("text: 0; mtx, gr, graph: 1");
}

graph::format::TextOptions text_options(const TypedTextOptions& typed) {
  graph::format::TextOptions options;
  if (!typed.columns.empty()) options.columns = text_columns(typed.columns);
  if (typed.weight_type) options.weight = *typed.weight_type;
  if (!typed.skip_lines.empty()) options.skip_lines = count_option("--skip-lines", typed.skip_lines);
  if (!typed.separator.empty()) options.separator = separator(typed.separator);
  return options;
}

}  // namespace emgraph::apps
