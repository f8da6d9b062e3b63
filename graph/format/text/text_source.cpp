// SPDX-License-Identifier: MIT
// Parses chunks of whole lines and keeps their numbers in order.
#include "graph/format/text/text_source.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/sampling.hpp"
#include "graph/format/table/errors.hpp"
#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {
namespace {

std::size_t record_room(std::size_t text_bytes, const core::PairShape& shape) {
  return (text_bytes / min_line_bytes + 1) * shape.row_bytes;
}

/// Where the next line starts after so many; none where that is not within the text for certain.
std::optional<std::size_t> end_of_lines(std::string_view text, std::uint64_t lines) {
  std::size_t at = 0;
  for (; lines > 0; --lines) {
    while (at < text.size() && !is_line_break(text[at])) ++at;
    if (at + 1 >= text.size()) return std::nullopt;
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
  }
  return at;
}

}  // namespace

std::string foreign_text(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return "found UTF-16, expected ASCII or UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";
  }
  const std::string_view magic(reinterpret_cast<const char*>(container_magic.data()), container_magic.size());
  if (text.starts_with(magic)) return "found an emgraph container inside, expected text; unpack it first";
  return "";
}

class TextSource::Lane final : public RecordLane {
 public:
  Lane(TextSource& source, LanePlaces::Place place, const core::PairShape& shape)
      : source_(source),
        place_(std::move(place)),
        shape_(shape),
        text_(source.environment_.memory, source.chunk_bytes_, "text"),
        records_(source.environment_.memory, record_room(source.chunk_bytes_, shape), "edges from text") {}

  RecordBatch next() override {
    while (true) {
      LineChunk chunk;
      if (!source_.chunks_.read(text_.bytes(), chunk)) {
        source_.check_end();
        return {};
      }
      TextCounts counts;
      bool too_wide = false;
      const std::string wrong = parse(chunk, counts, too_wide);
      if (!source_.turn_.wait_for(chunk.number)) return {};
      const core::StopOnFailure stop(source_.turn_);
      if (!wrong.empty()) {
        const auto error =
            core::DataError::at_line(source_.facts_.name, source_.lines_passed_ + counts.lines, wrong);
        if (too_wide) throw IdTooWide(error);
        throw error;
      }
      first_edge_ = source_.edges_passed_;
      source_.pass_on(chunk, counts);
      if (counts.edges != 0) return {records_.data(), counts.edges};
    }
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  /// What is wrong with line `counts.lines` of the chunk, "" if nothing.
  std::string parse(const LineChunk& chunk, TextCounts& counts, bool& too_wide) {
    if (chunk.number == 0) {
      const std::string foreign = foreign_text(chunk.text);
      counts.lines = 1;
      if (!foreign.empty()) return foreign;
      counts.lines = 0;
    }
    bool header_allowed = chunk.number == 0;
    std::string wrong =
        parse_text(chunk.text, source_.format_, shape_, header_allowed, records_.data(), counts, too_wide);
    if (!wrong.empty()) {
      const bool long_line = chunk.cut && whole_lines(chunk.text) <= counts.wrong_at;
      return long_line ? wrong + " (a line of more than 64 KiB)" : wrong;
    }
    if (!chunk.wrong.empty()) ++counts.lines;
    return chunk.wrong;
  }

  TextSource& source_;
  const LanePlaces::Place place_;
  const core::PairShape shape_;
  core::Buffer text_;
  core::Buffer records_;
  std::uint64_t first_edge_ = 0;
};

TextSource::TextSource(core::Environment& environment, core::InputFile input, const TextFormat& format,
                       const TextFacts& facts, std::uint64_t skip_lines, unsigned max_lanes)
    : environment_(environment),
      input_(std::move(input)),
      format_(format),
      skip_lines_(skip_lines),
      // Chunks of four or two times what may be left of the one before. Other sizes were not tried.
      chunk_bytes_((environment.memory.available() >= 32 * core::MiB ? 4 : 2) * max_carry_bytes),
      chunks_(environment, input_, skip_lines),
      lines_passed_(skip_lines) {
  facts_.layout.id_bytes = format.id_bytes;
  facts_.layout.weight = format.weight;
  facts_.nodes = facts.nodes;
  facts_.edges = facts.edges;
  facts_.directed = facts.directed;
  facts_.name = input_.name();
  const core::PairShape shape{.row_bytes = facts_.layout.record_bytes()};
  const std::size_t lane_bytes = chunk_bytes_ + record_room(chunk_bytes_, shape);
  places_.open(max_lanes, affordable_lanes(environment_.memory, lane_bytes));
}

std::unique_ptr<RecordLane> TextSource::lane(const core::PairShape& shape) {
  LanePlaces::Place place = places_.take();
  if (!place.get_deleter().working) return std::make_unique<IdleLane>(std::move(place));
  return std::make_unique<Lane>(*this, std::move(place), shape);
}

void TextSource::rewind() {
  if (!rewindable()) throw std::logic_error("a pipe cannot be read again");
  chunks_.rewind();
  turn_.restart();
  edges_passed_ = 0;
  lines_passed_ = skip_lines_;
}

void TextSource::pass_on(const LineChunk& chunk, const TextCounts& counts) {
  lines_passed_ += counts.lines;
  edges_passed_ += counts.edges;
  if (facts_.edges && edges_passed_ > *facts_.edges) {
    throw core::DataError::in_file(facts_.name, "found more edges than the " + std::to_string(*facts_.edges) +
                                                    " that its head declares");
  }
  turn_.pass_to(chunk.number + 1);
}

void TextSource::check_end() {
  // Who met an error says so; fewer edges are no news then.
  if (!facts_.edges || !turn_.wait_for(chunks_.count())) return;
  if (edges_passed_ < *facts_.edges && chunks_.complete()) {
    throw core::DataError::in_file(facts_.name, "found " + std::to_string(edges_passed_) +
                                                    " edges, expected the " + std::to_string(*facts_.edges) +
                                                    " that its head declares");
  }
}

std::vector<std::byte> TextSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  if (!input_.seekable() || packing_of(input_.peek(4)) != Packing::none) return records;
  const std::uint64_t places = core::divide_up(input_.size(), sample_text_bytes);
  const SamplePlan plan = plan_sample(places, sample_text_places, count, environment_.seed);
  const core::Buffer buffer(environment_.memory, sample_text_bytes, "sampling");
  const core::Buffer parsed(environment_.memory, record_room(sample_text_bytes, shape), "sampling");
  const std::size_t start = input_.read_at(0, buffer.bytes());
  const auto skipped = end_of_lines(as_text(buffer.bytes().first(start)), skip_lines_);
  if (!skipped) return records;
  for (const std::uint64_t place : plan.places) {
    const std::size_t bytes = input_.read_at(place * sample_text_bytes, buffer.bytes());
    std::string_view text = as_text(buffer.bytes().first(bytes));
    // What stands before the first break may be half a line, and so may what stands after the last.
    text.remove_prefix(place == 0 ? *skipped : std::min(text.find('\n'), text.size() - 1) + 1);
    if (text.empty()) continue;
    if (bytes == buffer.size()) text = text.substr(0, whole_lines(text));
    TextCounts counts;
    bool header_allowed = place == 0;
    bool too_wide = false;
    // A damaged line ends the place; reading the input will report it.
    (void)parse_text(text, format_, shape, header_allowed, parsed.data(), counts, too_wide);
    take_sample({parsed.data(), counts.edges}, shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
