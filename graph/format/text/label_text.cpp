// SPDX-License-Identifier: MIT
// Converts chunks of lines to pieces of hashed edges.
#include "graph/format/text/label_text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/table/detect.hpp"
#include "graph/format/text/edge_list.hpp"
#include "graph/format/text/edge_list_parser.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t roomy_bytes = 32 * core::MiB;
constexpr std::size_t tight_bytes = 4 * core::MiB;

/// A piece is a whole chunk if lines have at least 16 bytes; with very little memory it has fewer edges.
std::size_t choose_piece_edges(std::size_t available, std::size_t chunk_bytes) {
  return chunk_bytes / (available < tight_bytes ? 128 : 16);
}

}  // namespace

core::uint128 label_hash(std::string_view label, std::uint64_t seed) {
  return core::text_hash(label, seed) >> (128 - label_hash_bits);
}

LabelText::LabelText(core::Environment& environment, std::unique_ptr<LineInput> input,
                     const LabelColumns& columns, FirstLines lines)
    : environment_(environment),
      input_(std::move(input)),
      columns_(columns),
      first_lines_(std::move(lines)),
      chunk_bytes_((environment.memory.available() >= roomy_bytes ? 4 : 2) * max_carry_bytes),
      piece_edges_(choose_piece_edges(environment.memory.available(), chunk_bytes_)),
      lines_passed_(input_->chunks.lines_before()) {
  const std::size_t lane_bytes = chunk_bytes_ + piece_edges_ * sizeof(LabelledEdge);
  lanes_ = static_cast<unsigned>(
      std::min<std::size_t>(environment.threads, affordable_lanes(environment.memory, lane_bytes)));
}

std::unique_ptr<LabelText> open_label_text(core::Environment& environment, core::InputFile file,
                                           const OpenOptions& options) {
  const Format& format = options.format ? format_called(*options.format) : detect_format(environment, file);
  if (!format.columns) {
    throw core::UsageError("--labels: " + file.name() + " has format '" + std::string(format.name) +
                           "', and labels stand in columns of text (--input-format text takes it for that)");
  }
  const TextOptions& text = options.text;
  LabelColumns labels;
  labels.weight = text.weight.value_or(named_weight(format.name));
  const bool weighted = labels.weight != WeightType::none || (text.columns && text.columns->weight) ||
                        !text.names.weight.empty();
  auto input = std::make_unique<LineInput>(environment, std::move(file), edge_line_rules(text.skip_lines));
  FirstLines lines = read_first_lines(input->file.name(), input->chunks, text, ColumnKind::labels, weighted);
  const TextColumns& columns = lines.columns;
  labels.labels = {columns.source, columns.target};
  if (weighted && labels.weight == WeightType::none) labels.weight = WeightType::i64;
  labels.weight_column = columns.weight.value_or(3);
  check_columns(columns, weighted ? labels.weight_column : 0);
  labels.separator = lines.separator;
  labels.skip_invalid = text.skip_invalid;
  labels.missing_values = text.missing_values;
  if (labels.skip_invalid || !labels.missing_values.empty()) labels.left_out = text.left_out;
  return std::make_unique<LabelText>(environment, std::move(input), labels, std::move(lines));
}

std::unique_ptr<LabelLane> LabelText::lane() {
  return std::make_unique<LabelLane>(*this);
}

LabelLane::LabelLane(LabelText& text)
    : source_(text),
      text_(text.environment_.memory, text.chunk_bytes_ + chunk_slack_bytes, "text"),
      edges_(text.environment_.memory, text.piece_edges_, "edges between labels") {}

bool LabelLane::next() {
  if (at_ == end_) {
    chunk_ = {};
    if (!source_.input_->chunks.read(text_.bytes(), chunk_)) return false;
    const std::string_view text = chunk_.text;
    at_ = reinterpret_cast<char*>(text_.data()) + (text.data() - reinterpret_cast<const char*>(text_.data()));
    end_ = at_ + text.size();
    if (chunk_.number == 0) wrong_ = foreign_text(text);
  }
  parse();
  return true;
}

void LabelLane::parse() {
  count_ = 0;
  lines_ = 0;
  left_out_ = {};
  skipped_.clear();
  if (!wrong_.empty()) {
    lines_ = 1;
    return;
  }
  const auto* const start = reinterpret_cast<const char*>(text_.data());
  const void* const found = std::memchr(at_, 0, static_cast<std::size_t>(end_ - at_));
  const char* const zero = found == nullptr ? end_ : static_cast<const char*>(found);
  LabelLine line;
  while (at_ != end_ && count_ < edges_.size()) {
    char* const before = at_;
    ++lines_;
    const LineKind kind = parse_label_line(at_, end_, chunk_.cut, source_.columns_, line);
    if (kind == LineKind::wrong && source_.columns_.skip_invalid && before < zero) {
      if (++left_out_.skipped <= LeftOutLines::most_shown) skipped_.push_back({"", lines_, line.wrong});
      const char* next = before;
      skip_text_line(next, end_);
      at_ = before + (next - before);
      continue;
    }
    if (kind == LineKind::wrong || at_ > zero) {
      at_ = before;
      wrong_ = kind == LineKind::wrong ? line.wrong : "found a zero byte, expected text";
      return;
    }
    if (kind == LineKind::missing) ++left_out_.missing;
    if (kind != LineKind::edge) continue;
    LabelledEdge& edge = edges_[count_++];
    for (std::size_t end = 0; end < 2; ++end) {
      const std::string_view label = line.labels[end];
      edge.begin[end] = static_cast<std::uint32_t>(label.data() - start);
      edge.length[end] = static_cast<std::uint32_t>(label.size());
      edge.hashes[end] = label_hash(label, source_.environment_.seed);
    }
    edge.weight = line.weight;
  }
  if (at_ == end_ && !chunk_.wrong.empty()) {
    ++lines_;
    wrong_ = chunk_.wrong;
  }
}

bool LabelLane::begin_turn() {
  if (!source_.turn_.wait_for(chunk_.number)) return false;
  if (wrong_.empty()) return true;
  throw core::DataError::at_line(source_.name(), source_.lines_passed_ + lines_, wrong_);
}

void LabelLane::end_turn() {
  if (LeftOutLines* const left_out = source_.columns_.left_out.get()) {
    source_.left_out_.skipped += left_out_.skipped;
    source_.left_out_.missing += left_out_.missing;
    left_out->count(source_.name(), source_.left_out_);
    for (const LeftOutLine& line : skipped_) {
      left_out->add(source_.name(), source_.lines_passed_ + line.line, line.reason);
    }
  }
  source_.lines_passed_ += lines_;
  if (at_ == end_) source_.turn_.pass_to(chunk_.number + 1);
}

}  // namespace emgraph::graph::format
