// SPDX-License-Identifier: MIT
// Sorts nodes, fetches labels, writes lines.
#include "apps/files/label_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "apps/run/printable.hpp"
#include "apps/run/session.hpp"
#include "apps/run/words.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/vector_sort.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/numbers/weight_text.hpp"

namespace emgraph::apps {

namespace {

constexpr std::size_t lines_bytes = 128 * core::KiB;
/// Three labels of 64 KiB.
constexpr std::size_t least_texts_bytes = 192 * core::KiB;
constexpr std::size_t least_rows = 64;
constexpr std::size_t texts_bytes_per_row = 64;

/// Memory for the labels of a batch: a quarter of the free memory, if so many rows can use it.
std::size_t texts_bytes(const core::MemoryBudget& budget, std::size_t most_rows) {
  return std::max(least_texts_bytes,
                  std::min<std::size_t>(budget.available() / 4, texts_bytes_per_row * most_rows));
}

/// Bytes per row: the row, its nodes and the ends of their labels.
std::size_t choose_rows(const core::MemoryBudget& budget, std::size_t nodes, std::size_t most_rows) {
  const std::size_t bytes_per_row = sizeof(LabelRow) + 2 * nodes * sizeof(std::uint64_t);
  return std::max(least_rows, std::min<std::size_t>(budget.available() / 3 / bytes_per_row, most_rows));
}

bool begins_comment(std::string_view label) {
  return label.starts_with('#') || label.starts_with('%');
}

/// True if a label needs quotes in a line of comma-separated columns, or would begin a comment. A tab without
/// quotes would be taken for the separator.
bool needs_quotes(std::string_view label) {
  return label.find_first_of(",\"\t\r\n") != std::string_view::npos || begins_comment(label) ||
         label.starts_with(' ') || label.ends_with(' ');
}

}  // namespace

std::string quoted_column(std::string_view label) {
  return "\"" + replaced(std::string(label), "\"", "\"\"") + "\"";
}

std::string csv_column(std::string_view label) {
  return needs_quotes(label) ? quoted_column(label) : std::string(label);
}

std::string tsv_column(std::string_view label) {
  return replaced(std::string(label), "\t", "\\t");
}

LabelLines::LabelLines(core::Environment& environment, graph::format::LabelMap& map, const std::string& input,
                       const LabelRowLayout& layout, std::unique_ptr<graph::format::TextOutput> output)
    : input_(input),
      layout_(layout),
      map_(map),
      output_(std::move(output)),
      lines_(environment.memory, lines_bytes, "lines of text") {
  core::MemoryBudget& memory = environment.memory;
  texts_ = core::Buffer(memory, texts_bytes(memory, layout_.most_rows), "labels");
  const std::size_t rows = choose_rows(memory, layout_.nodes, layout_.most_rows);
  rows_ = core::Array<LabelRow>(memory, rows, "rows with labels");
  nodes_ = core::Array<std::uint64_t>(memory, layout_.nodes * rows, "nodes with labels");
  ends_ = core::Array<std::uint64_t>(memory, layout_.nodes * rows, "nodes with labels");
  if (layout_.header.empty()) return;
  put(fmt::format("{}\n", joined(layout_.header, std::string(1, layout_.separator))));
}

void LabelLines::finish(Session& session) {
  flush();
  output_->append(lines_.bytes().first(std::exchange(lines_filled_, 0)));
  output_->finish();
  if (comment_.empty() || layout_.terminal) return;
  session.warn_once(fmt::format(
      "the label '{}' begins a line, which readers take for a comment; a name in .csv has such labels quoted",
      comment_));
}

void LabelLines::flush() {
  std::span<const LabelRow> rows = rows_.span().first(std::exchange(filled_, 0));
  std::size_t count = rows.size();
  while (!rows.empty()) {
    count = std::min(count, rows.size());
    if (write(rows.first(count))) {
      rows = rows.subspan(count);
    } else {
      count = core::divide_up(count, 2);
    }
  }
}

bool LabelLines::write(std::span<const LabelRow> rows) {
  std::size_t all = 0;
  for (const LabelRow& row : rows) {
    for (std::size_t i = 0; i < layout_.nodes; ++i) nodes_[all++] = row.nodes[i];
  }
  const std::span<std::uint64_t> nodes = nodes_.span().first(all);
  if (!std::is_sorted(nodes.begin(), nodes.end())) core::vector_sort(nodes);
  distinct_ = static_cast<std::size_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
  if (nodes[distinct_ - 1] >= map_.size()) {
    throw core::DataError::in_file(
        input_, fmt::format("node {} found, but {} has labels of {} nodes only: is it the map of this graph?",
                            nodes[distinct_ - 1], map_.name(), map_.size()));
  }
  std::size_t bytes = 0;
  std::size_t fetched = 0;
  const std::size_t got = map_.fetch(nodes.first(distinct_), [&](std::string_view label) {
    if (label.size() > texts_.size() - bytes) return false;
    std::memcpy(texts_.data() + bytes, label.data(), label.size());
    bytes += label.size();
    ends_[fetched++] = bytes;
    return true;
  });
  if (got < distinct_) return false;
  constexpr std::size_t room = 1 + graph::format::longest_number_bytes + 1;
  for (const LabelRow& row : rows) {
    for (std::size_t i = 0; i < layout_.nodes; ++i) {
      if (i > 0) put({&layout_.separator, 1});
      const std::string_view text = label(row.nodes[i]);
      if (i == 0 && begins_comment(text) && layout_.separator != ',' && comment_.empty()) comment_ = text;
      put_label(text);
    }
    char text[room] = {layout_.separator};
    char* end = text;
    if (layout_.number) {
      std::uint64_t number = 0;
      std::memcpy(&number, row.value.data(), sizeof(number));
      end = graph::format::put(text + 1, number);
    } else if (layout_.weight != graph::WeightType::none) {
      end = graph::format::put_weight(text + 1, layout_.weight, row.value.data());
    }
    *end++ = '\n';
    put({text, static_cast<std::size_t>(end - text)});
  }
  return true;
}

std::string_view LabelLines::label(std::uint64_t node) const {
  const std::uint64_t* const first = nodes_.data();
  std::size_t place = static_cast<std::size_t>(node - first[0]);
  // Without gaps between the nodes the position of a node is known.
  if (first[distinct_ - 1] - first[0] + 1 != distinct_) {
    place = static_cast<std::size_t>(std::lower_bound(first, first + distinct_, node) - first);
  }
  const std::uint64_t begin = place == 0 ? 0 : ends_[place - 1];
  return {reinterpret_cast<const char*>(texts_.data()) + begin,
          static_cast<std::size_t>(ends_[place] - begin)};
}

void LabelLines::put_label(std::string_view label) {
  if (layout_.terminal) return put(printable(label));
  if (layout_.separator == '\t' && label.find('\t') != std::string_view::npos) return put(tsv_column(label));
  if (layout_.separator == ',' && needs_quotes(label)) return put(csv_column(label));
  put(label);
}

void LabelLines::put(std::string_view text) {
  while (!text.empty()) {  // a label whose characters are escaped may be longer than the buffer
    if (lines_filled_ == lines_.size()) {
      output_->append(lines_.bytes().first(std::exchange(lines_filled_, 0)));
    }
    const std::string_view part = text.substr(0, lines_.size() - lines_filled_);
    std::memcpy(lines_.data() + lines_filled_, part.data(), part.size());
    lines_filled_ += part.size();
    text.remove_prefix(part.size());
  }
}

}  // namespace emgraph::apps
