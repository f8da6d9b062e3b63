// SPDX-License-Identifier: MIT
// Lanes that parse chunks side by side and learn in turn where each stands.
#include "graph/format/lines/line_source.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/source/sampling.hpp"
#include "graph/format/table/errors.hpp"

namespace emgraph::graph::format {
namespace {

TextPlace moved(const TextPlace& before, TextPlace by) {
  by.lines += before.lines;
  by.edges += before.edges;
  by.nodes += before.nodes;
  return by;
}

}  // namespace

std::size_t id_bytes_for(const std::optional<std::uint64_t>& nodes, const OpenOptions& options) {
  constexpr std::uint64_t most_narrow = std::uint64_t{1} << 32;
  if (nodes && *nodes > most_narrow) return 8;
  return options.id_bytes.value_or(4);
}

class LineSource::Lane final : public RecordLane {
 public:
  Lane(LineSource& source, LanePlaces::Place place, const core::PairShape& shape)
      : source_(source),
        place_(std::move(place)),
        shape_(shape),
        text_(source.environment_.memory, source.chunk_bytes_, "text"),
        records_(source.environment_.memory,
                 source.parser_->most_edges(source.chunk_bytes_) * shape.row_bytes, "edges from text") {}

  RecordBatch next() override {
    const LineParser& parser = *source_.parser_;
    BodyChunk chunk;
    while (source_.input_->chunks.read(text_.bytes(), chunk)) {
      std::optional<TextPlace> before;
      if (chunk.starts_inside) {
        before = source_.wait_for(chunk.number);
        if (!before) return {};
      }
      ParsedChunk parsed;
      parser.parse(chunk.text, before ? &*before : nullptr, shape_, records_.data(), parsed);
      if (!before) {
        before = source_.wait_for(chunk.number);
        if (!before) return {};
        if (parsed.doubtful || parser.exceeds(moved(*before, parsed.after))) {
          parsed = {};
          parser.parse(chunk.text, &*before, shape_, records_.data(), parsed);
        }
      }
      const TextPlace after = moved(*before, parsed.after);
      if (parsed.wrong.empty()) parsed.wrong = chunk.wrong;
      std::string wrong_end;
      if (parsed.wrong.empty() && chunk.last) wrong_end = parser.check_end(after);
      const core::StopOnFailure stop(source_.turn_);
      if (!wrong_end.empty()) {
        const bool unfinished = !chunk.text.empty() && chunk.text.back() != '\n';
        throw core::DataError::at_line(source_.facts_.name, after.lines + (unfinished ? 1 : 0),
                                       "the file ends, " + wrong_end);
      }
      if (!parsed.wrong.empty()) {
        const auto error = core::DataError::at_line(source_.facts_.name, after.lines + 1, parsed.wrong);
        if (parsed.too_wide) throw IdTooWide(error);
        throw error;
      }
      source_.place_ = after;
      source_.turn_.pass_to(chunk.number + 1);
      if (parsed.after.edges == 0) continue;
      parser.settle(*before, shape_, records_.data(), parsed.after.edges);
      first_edge_ = before->edges;
      return {records_.data(), parsed.after.edges};
    }
    return {};
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  LineSource& source_;
  const LanePlaces::Place place_;
  const core::PairShape shape_;
  core::Buffer text_;
  core::Buffer records_;
  std::uint64_t first_edge_ = 0;
};

LineSource::LineSource(core::Environment& environment, std::unique_ptr<LineInput> input, EdgeFacts facts,
                       std::unique_ptr<const LineParser> parser, unsigned max_lanes)
    : environment_(environment),
      input_(std::move(input)),
      facts_(std::move(facts)),
      parser_(std::move(parser)),
      place_(start()) {
  // At least twice the longest line, so that a chunk has room for the rest of one.
  chunk_bytes_ = (environment_.memory.available() >= 32 * core::MiB ? 4 : 2) * longest_line_bytes;
  const std::size_t lane_bytes =
      chunk_bytes_ + parser_->most_edges(chunk_bytes_) * facts_.layout.record_bytes();
  chunk_bytes_ += chunk_slack_bytes;
  places_.open(max_lanes, affordable_lanes(environment_.memory, lane_bytes));
}

std::unique_ptr<RecordLane> LineSource::lane(const core::PairShape& shape) {
  LanePlaces::Place place = places_.take();
  if (!place.get_deleter().working) return std::make_unique<IdleLane>(std::move(place));
  return std::make_unique<Lane>(*this, std::move(place), shape);
}

void LineSource::rewind() {
  if (!rewindable()) throw std::logic_error("a pipe cannot be read again");
  input_->chunks.rewind();
  turn_.restart();
  place_ = start();
}

std::optional<TextPlace> LineSource::wait_for(std::uint64_t number) {
  return turn_.wait_for(number) ? std::optional(place_) : std::nullopt;
}

std::vector<std::byte> LineSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  core::InputFile& file = input_->file;
  if (!file.seekable() || packing_of(file.peek(4)) != Packing::none) return records;
  const std::uint64_t begin = input_->chunks.bytes_taken();
  const std::uint64_t places = core::divide_up(file.size() - begin, sample_text_bytes);
  const SamplePlan plan = plan_sample(places, sample_text_places, count, environment_.seed);
  const core::Buffer text(environment_.memory, sample_text_bytes + chunk_slack_bytes, "sampling");
  const core::Buffer rows(environment_.memory, parser_->most_edges(sample_text_bytes) * shape.row_bytes,
                          "sampling");
  const std::uint64_t nodes = facts_.nodes.value_or(0);
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t at = begin + place * sample_text_bytes;
    const std::size_t bytes = file.read_at(at, text.bytes().first(sample_text_bytes));
    char* const start = reinterpret_cast<char*>(text.data());
    std::string_view lines(start, bytes);
    // What stands before the first break may be half a line, and so may what stands after the last.
    if (place != 0) lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
    lines = lines.substr(0, lines.rfind('\n') + 1);
    if (lines.empty()) continue;
    start[lines.data() + lines.size() - start] = '\n';
    ParsedChunk parsed;
    // A damaged line ends the place; reading the input will report it.
    parser_->parse(lines, nullptr, shape, rows.data(), parsed);
    if (parsed.after.nodes > nodes) continue;
    const std::uint64_t most = nodes - std::min(nodes, parsed.after.nodes + 1);
    const double share = static_cast<double>(at) / static_cast<double>(file.size());
    const auto guess = static_cast<std::uint64_t>(share * static_cast<double>(most));
    parser_->settle({.nodes = std::min(guess, most)}, shape, rows.data(), parsed.after.edges);
    take_sample({rows.data(), parsed.after.edges}, shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
