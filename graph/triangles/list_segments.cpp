// SPDX-License-Identifier: MIT
// Writes and reads oriented lists.
#include "graph/triangles/list_segments.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/block/run_blocks.hpp"

namespace emgraph::graph::triangles {
namespace {

constexpr std::size_t wished_block_bytes = core::MiB;
constexpr std::size_t first_list_words = 1024;

}  // namespace

SegmentPlan SegmentPlan::make(std::size_t memory_bytes) {
  SegmentPlan plan;
  // Six blocks of a stream and two of a writer take an eighth of the memory.
  plan.block_bytes = core::block_share(memory_bytes, 64, wished_block_bytes);
  // A chunk takes whole segments; at most about a sixteenth of it stays empty.
  plan.segment_words = std::max<std::uint64_t>(256, memory_bytes / 32 / sizeof(std::uint32_t));
  return plan;
}

void ListSegments::save(core::StateWriter& to) const {
  to.value(edges);
  to.value(static_cast<std::uint64_t>(longest_list));
  to.value(static_cast<std::uint64_t>(segments.size()));
  for (const ListSegment& segment : segments) {
    segment.words.save(to);
    to.value(segment.first);
    to.value(segment.end);
    to.value(segment.edges);
    to.value(segment.least_middle);
    to.value(segment.most_middle);
  }
}

ListSegments ListSegments::restored(core::Environment& environment, core::StateReader& from) {
  ListSegments lists;
  lists.edges = from.value<std::uint64_t>();
  lists.longest_list = static_cast<std::size_t>(from.value<std::uint64_t>());
  for (auto left = from.value<std::uint64_t>(); left > 0; --left) {
    ListSegment& segment = lists.segments.emplace_back();
    segment.words = core::Run<std::uint32_t>::restored(environment, from);
    segment.first = from.value<Rank>();
    segment.end = from.value<Rank>();
    segment.edges = from.value<std::uint64_t>();
    segment.least_middle = from.value<Rank>();
    segment.most_middle = from.value<Rank>();
  }
  return lists;
}

ListWriter::ListWriter(core::Environment& environment, const SegmentPlan& plan)
    : environment_(environment),
      plan_(plan),
      list_(environment.memory, first_list_words, "the longest list of a node") {}

void ListWriter::grow() {
  core::Array<Rank> larger(environment_.memory, 2 * list_.size(), "the longest list of a node");
  std::copy_n(list_.data(), length_, larger.data());
  list_ = std::move(larger);
}

void ListWriter::start_list(Rank source) {
  if (length_ > 0) end_list();
  source_ = source;
}

void ListWriter::end_list() {
  const bool wide_gap = writer_ && source_ - result_.segments.back().end >=
                                       std::min<std::uint64_t>(plan_.segment_words, no_rank);
  if (wide_gap) end_segment();
  const bool named = !writer_ || source_ != result_.segments.back().end;
  if (!writer_) {
    writer_.emplace(environment_, plan_.block_bytes, 2);
    result_.segments.push_back({.words = {}, .first = source_});
  }
  ListSegment& segment = result_.segments.back();
  writer_->push(static_cast<std::uint32_t>(2 * length_ + (named ? 1 : 0)));
  if (named) writer_->push(source_);
  writer_->append({list_.data(), length_});
  segment.end = source_ + 1;
  segment.edges += length_;
  if (length_ > 1) {
    segment.least_middle = std::min(segment.least_middle, list_[1]);
    segment.most_middle = std::max(segment.most_middle, list_[length_ - 1]);
  }
  result_.edges += length_;
  result_.longest_list = std::max(result_.longest_list, length_);
  length_ = 0;
  if (segment.edges + (segment.end - segment.first) >= plan_.segment_words) end_segment();
}

void ListWriter::end_segment() {
  result_.segments.back().words = writer_->finish();
  writer_.reset();
}

ListSegments ListWriter::finish() {
  if (length_ > 0) end_list();
  if (writer_) end_segment();
  list_ = {};
  return std::move(result_);
}

ListBuffer::ListBuffer(core::MemoryBudget& budget, std::size_t most_words)
    : targets_(budget, most_words + list_slack, "lists being streamed"),
      sources_(budget, most_words / 2, "lists being streamed"),
      begins_(budget, most_words / 2, "lists being streamed"),
      ends_(budget, most_words / 2, "lists being streamed") {}

Rank* ListBuffer::open(Rank source, std::size_t length) {
  sources_[lists_] = source;
  begins_[lists_] = static_cast<std::uint32_t>(filled_);
  filled_ += length;
  ends_[lists_++] = static_cast<std::uint32_t>(filled_);
  return targets_.data() + filled_ - length;
}

ListStream::ListStream(core::Environment& environment, const ListSegments& lists, std::size_t begin,
                       std::size_t end, Rank least_middle, Rank end_middle)
    : environment_(environment),
      lists_(lists),
      segment_(begin),
      end_(end),
      least_middle_(least_middle),
      end_middle_(end_middle) {
  read_ahead();
}

/// Starts to read the next relevant segment.
void ListStream::read_ahead() {
  const auto matters = [&](const ListSegment& segment) {
    const bool all = least_middle_ == 0 && end_middle_ == no_rank;
    return all || (segment.least_middle < end_middle_ && segment.most_middle >= least_middle_);
  };
  while (segment_ < end_ && !matters(lists_.segments[segment_])) ++segment_;
  if (segment_ < end_) ahead_.emplace(environment_, lists_.segments[segment_++].words, SegmentPlan::depth);
}

/// Reads the head of the next list; false at the end of the last segment.
bool ListStream::next_list() {
  while (words_.empty()) {
    if (reader_) words_ = reader_->next();
    if (!words_.empty()) break;
    if (!ahead_) return false;
    reader_.reset();
    reader_.emplace(std::move(*ahead_));
    ahead_.reset();
    read_ahead();
  }
  const std::uint32_t head = word();
  source_ = head % 2 == 1 ? word() : source_ + 1;
  length_ = head / 2;
  return true;
}

std::uint32_t ListStream::word() {
  if (words_.empty()) words_ = reader_->next();
  const std::uint32_t word = words_.front();
  words_ = words_.subspan(1);
  return word;
}

void ListStream::copy(Rank* to, std::size_t count) {
  while (count > 0) {
    if (words_.empty()) words_ = reader_->next();
    const std::size_t here = std::min(count, words_.size());
    std::copy_n(words_.data(), here, to);
    words_ = words_.subspan(here);
    to += here;
    count -= here;
  }
}

bool ListStream::next(ListBuffer& buffer) {
  buffer.clear();
  while ((length_ > 0 || next_list()) && buffer.fits(length_)) {
    copy(buffer.open(source_, length_), length_);
    length_ = 0;
  }
  return buffer.lists() > 0;
}

}  // namespace emgraph::graph::triangles
