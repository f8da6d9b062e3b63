// SPDX-License-Identifier: MIT
// Cuts text into chunks of whole lines and keeps their numbers in order.
#include "graph/format/text/text_source.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/errors.hpp"
#include "graph/format/sampling.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t sample_places = 64;
constexpr std::size_t sample_place_bytes = 16384;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::size_t record_room(std::size_t text_bytes, const core::PairShape& shape) {
  return (text_bytes / min_line_bytes + 1) * shape.row_bytes;
}

/// Bytes up to and with the last line break. A CR is one only where no LF stands, and not as the last byte:
/// an LF may follow it.
std::size_t whole_lines(std::string_view text) {
  if (const std::size_t feed = text.rfind('\n'); feed != std::string_view::npos) return feed + 1;
  const std::size_t carriage = text.substr(0, text.size() - 1).rfind('\r');
  return carriage == std::string_view::npos ? 0 : carriage + 1;
}

/// Says what a text that is none starts with, "" if nothing is known against it.
std::string foreign_text(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return "found UTF-16, expected ASCII or UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";
  }
  const std::string_view magic(reinterpret_cast<const char*>(container_magic.data()), container_magic.size());
  if (text.starts_with(magic)) return "found an emgraph container inside, expected text; unpack it first";
  return "";
}

}  // namespace

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
      Chunk chunk;
      if (!source_.read_chunk(text_.bytes(), chunk)) return {};
      TextCounts counts;
      bool too_wide = false;
      bool header_allowed = chunk.number == 0;
      std::string_view text = as_text(text_.bytes().first(chunk.bytes));
      if (chunk.number == 0 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
      std::string wrong = chunk.number == 0 ? foreign_text(text) : "";
      if (wrong.empty()) {
        wrong = parse_text(text, source_.format_, shape_, header_allowed, records_.data(), counts, too_wide);
      } else {
        counts.lines = 1;
      }
      if (wrong.empty() && !chunk.wrong.empty()) {
        wrong = chunk.wrong;
        ++counts.lines;
      }
      std::uint64_t lines_before = 0;
      first_edge_ = source_.pass_on(chunk, counts, lines_before);
      if (!wrong.empty()) {
        const auto error = core::DataError::at_line(source_.facts_.name, lines_before + counts.lines, wrong);
        if (too_wide) throw IdTooWide(error);
        throw error;
      }
      if (counts.edges != 0) return {records_.data(), counts.edges};
    }
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  TextSource& source_;
  const LanePlaces::Place place_;
  const core::PairShape shape_;
  core::Buffer text_;
  core::Buffer records_;
  std::uint64_t first_edge_ = 0;
};

TextSource::TextSource(core::Environment& environment, core::InputFile input, const TextFormat& format,
                       unsigned max_lanes)
    : environment_(environment), input_(std::move(input)), format_(format) {
  facts_.layout.id_bytes = format.id_bytes;
  facts_.layout.weight = format.weight;
  facts_.name = input_.name();
  // At least twice the longest line, so that a chunk has room for the rest of one. Other sizes were not
  // tried.
  chunk_bytes_ = environment_.memory.available() >= 32 * core::MiB ? 4 * max_line_bytes : 2 * max_line_bytes;
  carry_ = core::Buffer(environment_.memory, max_line_bytes, "text");
  stream_ = open_text_stream(environment_, input_);
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
  stream_->rewind();
  carry_bytes_ = 0;
  chunks_ = chunks_passed_ = lines_passed_ = edges_passed_ = 0;
  ended_ = false;
}

bool TextSource::read_chunk(std::span<std::byte> buffer, Chunk& chunk) {
  const std::lock_guard lock(read_mutex_);
  if (ended_) return false;
  std::memcpy(buffer.data(), carry_.data(), carry_bytes_);
  std::size_t bytes = 0;
  try {
    bytes = carry_bytes_ + stream_->read(buffer.subspan(carry_bytes_));
  } catch (...) {
    ended_ = true;
    throw;
  }
  carry_bytes_ = 0;
  chunk.number = chunks_;
  chunk.bytes = bytes;
  if (bytes < buffer.size()) {
    ended_ = true;
  } else {
    chunk.bytes = whole_lines(as_text(buffer));
    const std::span<const std::byte> rest = buffer.subspan(chunk.bytes);
    if (rest.size() >= max_line_bytes) {
      chunk.wrong = "a line of more than 64 KiB, expected two ids";
      ended_ = true;
    } else {
      std::memcpy(carry_.data(), rest.data(), rest.size());
      carry_bytes_ = rest.size();
    }
  }
  if (bytes == 0) return false;
  ++chunks_;
  return true;
}

std::uint64_t TextSource::pass_on(const Chunk& chunk, const TextCounts& counts, std::uint64_t& lines_before) {
  std::unique_lock lock(order_mutex_);
  passed_.wait(lock, [&] { return chunks_passed_ == chunk.number; });
  const std::uint64_t first_edge = edges_passed_;
  lines_before = lines_passed_;
  ++chunks_passed_;
  lines_passed_ += counts.lines;
  edges_passed_ += counts.edges;
  lock.unlock();
  passed_.notify_all();
  return first_edge;
}

std::vector<std::byte> TextSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  if (!input_.seekable() || packing_of(input_.peek(4)) != Packing::none) return records;
  const std::uint64_t places = core::divide_up(input_.size(), sample_place_bytes);
  const SamplePlan plan = plan_sample(places, sample_places, count, environment_.seed);
  const core::Buffer buffer(environment_.memory, sample_place_bytes, "sampling");
  const core::Buffer parsed(environment_.memory, record_room(sample_place_bytes, shape), "sampling");
  for (const std::uint64_t place : plan.places) {
    const std::size_t bytes = input_.read_at(place * sample_place_bytes, buffer.bytes());
    std::string_view text = as_text(buffer.bytes().first(bytes));
    // What stands before the first break may be half a line, and so may what stands after the last.
    if (place != 0) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
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
