// SPDX-License-Identifier: MIT
// Lanes parse chunks in parallel, and find the places of their chunks in order.
#include "graph/format/text/line_source.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {
namespace {

TextPlace moved(const TextPlace& before, TextPlace by) {
  by.lines += before.lines;
  by.edges += before.edges;
  by.nodes += before.nodes;
  by.left_out.skipped += before.left_out.skipped;
  by.left_out.missing += before.left_out.missing;
  return by;
}

}  // namespace

void LineParser::refuse_end(const std::string& file, const LineChunk& chunk, const TextPlace& after,
                            const std::string& what) {
  const bool unfinished = !chunk.text.empty() && chunk.text.back() != '\n';
  throw core::DataError::at_line(file, after.lines + (unfinished ? 1 : 0), "the file ends, " + what);
}

std::size_t id_bytes_for(const std::optional<std::uint64_t>& nodes, const OpenOptions& options) {
  constexpr std::uint64_t most_narrow = std::uint64_t{1} << 32;
  if (nodes && *nodes > most_narrow) return 8;
  return options.id_bytes.value_or(4);
}

class LineSource::Lane final : public WorkingLane {
 public:
  Lane(LineSource& source, const core::PairShape& shape)
      : source_(source),
        shape_(shape),
        text_(source.environment_.memory, source.chunk_bytes_ + chunk_slack_bytes, "text"),
        records_(source.environment_.memory,
                 source.parser_->most_edges(source.chunk_bytes_) * shape.row_bytes, "edges from text") {}

  RecordBatch next() override {
    const LineParser& parser = *source_.parser_;
    LineChunk chunk;
    while (source_.input_->chunks.read(text_.bytes(), chunk)) {
      // From here on the lanes of later chunks wait for this one, so an exception must wake them.
      const core::StopOnFailure stop(source_.turn_);
      std::optional<TextPlace> before;
      if (chunk.starts_inside && !(before = source_.wait_for(chunk.number))) return {};
      ParsedChunk parsed;
      parser.parse(chunk, before ? &*before : nullptr, shape_, records_.data(), parsed);
      if (!before) {
        if (!(before = source_.wait_for(chunk.number))) return {};
        if (parsed.doubtful || parser.exceeds(moved(*before, parsed.after))) {
          parsed = {};
          parser.parse(chunk, &*before, shape_, records_.data(), parsed);
        }
      }
      const TextPlace after = moved(*before, parsed.after);
      source_.check(chunk, parsed, after);
      source_.place_ = after;
      source_.count_left_out(*before, parsed, after);
      source_.turn_.pass_to(chunk.number + 1);
      if (parsed.after.edges == 0) continue;
      parser.complete_rows(*before, shape_, records_.data(), parsed.after.edges);
      first_edge_ = before->edges;
      return {records_.data(), parsed.after.edges};
    }
    return {};
  }

 private:
  LineSource& source_;
  const core::PairShape shape_;
  core::Buffer text_;
  core::Buffer records_;
};

LineSource::LineSource(core::Environment& environment, std::unique_ptr<LineInput> input, EdgeFacts facts,
                       std::unique_ptr<const LineParser> parser, unsigned max_lanes)
    : LanedSource(environment, std::move(facts)),
      input_(std::move(input)),
      parser_(std::move(parser)),
      // Other sizes of chunks were not tried.
      chunk_bytes_((environment.memory.available() >= 32 * core::MiB ? 4 : 2) * max_carry_bytes),
      place_(start()) {
  facts_.name = input_->file.name();
  open_lanes(max_lanes, chunk_bytes_ + parser_->most_edges(chunk_bytes_) * facts_.layout.record_bytes());
}

std::unique_ptr<WorkingLane> LineSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

std::optional<std::uint64_t> LineSource::edges_read() {
  const std::optional<TextPlace> end = wait_for(input_->chunks.delivered());
  return end ? std::optional(end->edges) : std::nullopt;
}

void LineSource::rewind() {
  if (!rewindable()) return LanedSource::rewind();
  input_->chunks.rewind();
  turn_.restart();
  place_ = start();
}

std::optional<TextPlace> LineSource::wait_for(std::uint64_t number) {
  return turn_.wait_for(number) ? std::optional(place_) : std::nullopt;
}

void LineSource::check(const LineChunk& chunk, const ParsedChunk& parsed, const TextPlace& after) const {
  const std::string& wrong = parsed.wrong.empty() ? chunk.wrong : parsed.wrong;
  if (wrong.empty()) return parser_->check_place(facts_.name, chunk, after);
  const auto error = core::DataError::at_line(facts_.name, after.lines + 1, wrong);
  if (parsed.too_wide) throw IdTooWide(error);
  throw error;
}

void LineSource::count_left_out(const TextPlace& before, const ParsedChunk& parsed,
                                const TextPlace& after) const {
  LeftOutLines* const left_out = parser_->left_out();
  if (left_out == nullptr) return;
  left_out->count(facts_.name, after.left_out);
  for (const LeftOutLine& line : parsed.skipped) {
    left_out->add(facts_.name, before.lines + line.line, line.reason);
  }
}

std::vector<std::byte> LineSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  core::InputFile& file = input_->file;
  if (!file.seekable() || packing_of(file) != Packing::none) return records;
  const std::uint64_t begin = input_->chunks.bytes_before();
  const std::uint64_t places = core::divide_up(file.size() - std::min(file.size(), begin), sample_text_bytes);
  const SamplePlan plan = plan_sample(places, sample_text_places, count, environment_.seed);
  const core::Buffer text(environment_.memory, sample_text_bytes + chunk_slack_bytes, "sampling");
  const core::Buffer rows(environment_.memory, parser_->most_edges(sample_text_bytes) * shape.row_bytes,
                          "sampling");
  const std::uint64_t nodes = facts_.nodes.value_or(0);
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t at = begin + place * sample_text_bytes;
    const std::size_t bytes = file.read_at(at, text.bytes().first(sample_text_bytes));
    std::string_view lines = as_text(text.bytes().first(bytes));
    // The text before the first break may be a part of a line, and the text after the last break, too.
    if (place != 0) lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
    if (bytes == sample_text_bytes) lines = lines.substr(0, whole_lines(lines, input_->rules.breaks));
    if (lines.empty()) continue;
    text.bytes()[static_cast<std::size_t>(lines.end() - as_text(text.bytes()).begin())] = std::byte{'\n'};
    ParsedChunk parsed;
    // An invalid line ends this place of the sample; reading the input will report the error.
    parser_->parse({.number = place, .text = lines}, nullptr, shape, rows.data(), parsed);
    if (parsed.after.nodes > nodes) continue;
    const std::uint64_t most = nodes - std::min(nodes, parsed.after.nodes + 1);
    const double share = static_cast<double>(at) / static_cast<double>(file.size());
    const auto guess = static_cast<std::uint64_t>(share * static_cast<double>(most));
    parser_->complete_rows({.nodes = std::min(guess, most)}, shape, rows.data(), parsed.after.edges);
    take_sample({rows.data(), parsed.after.edges}, shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
