// SPDX-License-Identifier: MIT
// Declares and reads --cols, --header, --weight-type, --skip-lines, --separator and --id-base.
#include "apps/command_line/text_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "apps/command_line/options.hpp"
#include "apps/run/words.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

bool is_count(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

/// Parses --cols to numbers, and names with `options.header`.
void take_columns(const std::string& text, graph::format::TextOptions& options) {
  constexpr std::uint64_t most_columns = 1000000;
  const std::vector<std::string> parts = parts_of(text, ',');
  if (parts.size() != 2 && parts.size() != 3) {
    throw UsageError(fmt::format("--cols: '{}' is not SOURCE,TARGET or SOURCE,TARGET,WEIGHT", text));
  }
  if (parts[0] == parts[1] || (parts.size() == 3 && (parts[2] == parts[0] || parts[2] == parts[1]))) {
    throw UsageError(fmt::format("--cols: '{}' names a column twice", text));
  }
  graph::format::TextColumns chosen;
  if (parts.size() == 3) chosen.weight = 3;
  unsigned* const numbers[] = {&chosen.source, &chosen.target, chosen.weight ? &*chosen.weight : nullptr};
  std::string* const names[] = {&options.names.source, &options.names.target, &options.names.weight};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_count(parts[i]) || parts[i].empty()) {
      if (parts[i].empty()) throw UsageError(fmt::format("--cols: '{}' has an empty column", text));
      *names[i] = parts[i];
      continue;
    }
    const std::uint64_t column = count_option("--cols", parts[i]);
    if (column < 1 || column > most_columns) {
      throw UsageError(fmt::format("--cols: {} is not between 1 and {}", column, most_columns));
    }
    *numbers[i] = static_cast<unsigned>(column);
  }
  if (options.names.given() && !options.header) {
    throw UsageError(
        fmt::format("--cols: '{}' has names of columns, which a header line gives: say --header", text));
  }
  options.columns = chosen;
}

/// The parts of a list with commas between; two quotes, or nothing beside a comma, are the empty value.
std::vector<std::string> missing_values(const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> values = parts_of(text, ',');
  std::ranges::replace(values, "\"\"", "");
  return values;
}

char separator(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "blanks") return graph::format::blanks_separator;
  const char c = text.size() == 1 ? text[0] : '\0';
  const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool in_numbers = c == '-' || c == '+' || c == '.' || c == '"';
  if (static_cast<unsigned char>(c) >= 0x7f || (c < ' ' && c != '\t') || letter || in_numbers) {
    throw UsageError(
        fmt::format("--separator: '{}' is not tab, blanks or one character that no number holds", text));
  }
  return c;
}

}  // namespace

void declare_text_options(OptionSet& options, TypedTextOptions& typed) {
  using graph::WeightType;
  options.common_group("Text input");
  options
      .value("--cols", typed.columns, "A,B[,W]",
             "columns of the source, the target and, if wanted, the weight: numbers, such as 1,2,3, or with "
             "--header names, such as from_id,to_id,score")
      .otherwise("1,2");
  options.flag("--header", typed.header,
               "skip the first line (blank lines and comments aside), which names the columns");
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
             "the character between columns; two in a row enclose an empty column; tab for a tab, blanks "
             "for any number of blanks")
      .otherwise("tab if the first line has one, else commas, else blanks");
  options
      .word("--on-error", typed.skip_invalid, "HOW",
            "what happens at a line that cannot be read: stop ends the command, skip leaves the line out and "
            "counts it; the first such lines are in the summary; a line of more than 1 MiB always stops",
            std::vector<Word<bool>>{{"stop", false}, {"skip", true}})
      .otherwise("stop");
  options
      .value("--na", typed.missing_values, "LIST",
             "leave out and count lines whose source, target or weight is one of these values, separated by "
             "commas, such as NULL,\\N,\"\" (\"\" is an empty column)")
      .otherwise("no value");
  options
      .value("--id-base", typed.id_base, "B",
             "number of the first node, which is subtracted from all ids; of mtx, gr and graph, too")
      .otherwise("text: 0; mtx, gr, graph: 1");
}

graph::format::TextOptions text_options(const TypedTextOptions& typed) {
  graph::format::TextOptions options;
  options.header = typed.header;
  if (!typed.columns.empty()) take_columns(typed.columns, options);
  if (typed.weight_type) options.weight = *typed.weight_type;
  if (!typed.skip_lines.empty()) options.skip_lines = count_option("--skip-lines", typed.skip_lines);
  if (!typed.separator.empty()) options.separator = separator(typed.separator);
  options.skip_invalid = typed.skip_invalid;
  options.missing_values = missing_values(typed.missing_values);
  if (options.skip_invalid || !options.missing_values.empty()) {
    options.left_out = std::make_shared<graph::format::LeftOutLines>();
  }
  return options;
}

}  // namespace emgraph::apps
