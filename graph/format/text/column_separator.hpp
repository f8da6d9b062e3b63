// SPDX-License-Identifier: MIT
// Finds what separates the columns of a text edge list, and splits its lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emgraph::graph::format {

/// The contents of the columns of nodes.
enum class ColumnKind { ids, labels };

/// A line of the input; lines count from 1.
struct NumberedLine {
  std::uint64_t number = 0;
  std::string_view text;
};

/// `text` without the spaces and tabs at its ends.
std::string_view without_outer_blanks(std::string_view text);

/// True for a digit, also behind a sign or a quote.
bool looks_numeric(std::string_view column);

/// The columns of a line, with their quotes. `separator`: as TextFormat and LabelColumns have it.
std::vector<std::string_view> split_columns(std::string_view line, char separator, ColumnKind kind);

/// The separator that a first line "sep=;" names, as spreadsheets write and read it; 0 if there is none.
char declared_separator(std::string_view text);

/// The separator of `lines`, which are not empty, for split_columns(). `used`: the numbers of the columns
/// that are used, source and target first. Throws DataError if two separators are as likely.
char separator_of(const std::string& name, const std::vector<NumberedLine>& lines,
                  const std::vector<unsigned>& used, ColumnKind kind);

}  // namespace emgraph::graph::format
