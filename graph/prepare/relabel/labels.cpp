// SPDX-License-Identifier: MIT
// Reads the text and numbers its labels.
#include "graph/prepare/relabel/labels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/progress.hpp"
#include "core/base/sequencer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/joined_source.hpp"
#include "graph/prepare/relabel/label_table.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/prepare/relabel/spilled_labels.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t written_records = 1024;
/// Edges between the prefetch of a slot of the table and its use. Other distances were not tried.
constexpr std::size_t prefetch_edges = 16;

class LabelNumbering {
 public:
  LabelNumbering(core::Environment& environment, const LabelTexts& texts, const LabelOptions& options,
                 LabelSink* map)
      : environment_(environment), texts_(texts), options_(options), map_(map) {
    open_all();
    shape_ = record_shape(facts_.layout);
    records_.resize(written_records * shape_.row_bytes);
    for (const std::string& label : options.asked) {
      asked_.push_back({format::label_hash(label, environment.seed), std::nullopt});
    }
  }

  NumberedLabels run() {
    read();
    facts_.edges = edges_;
    RowRun rows = rows_->finish();
    rows_.reset();
    for (AskedLabel& asked : asked_) asked.number = table_->find(asked.hash);
    facts_.nodes = table_->size();
    table_.reset();
    const bool spilled = spilled_->ends() > 0;
    if (spilled) {
      SpilledLabels::Numbered numbered =
          spilled_->number(*facts_.nodes, facts_, std::move(rows), asked_, map_);
      rows = std::move(numbered.rows);
      facts_.layout.id_bytes = numbered.id_bytes;
      facts_.nodes = numbered.nodes;
    }
    spilled_.reset();
    NumberedLabels result;
    // The ends of the first edge have the numbers 0 and 1, or both 0.
    result.lonely_first_edge = edges_ > same_firsts_ && first_labels_ == 2 * same_firsts_ && !first_is_loop_;
    for (const AskedLabel& asked : asked_) result.numbers.push_back(asked.number);
    result.source = std::make_shared<RowRunSource>(environment_, facts_, std::move(rows), options_.max_lanes);
    result.method = spilled ? "spilled" : "table";
    result.reason = spilled ? "the distinct labels do not fit into a part of -M"
                            : "the distinct labels fit into a part of -M";
    return result;
  }

 private:
  /// Opens all texts. Finds the memory that the one with the largest lanes needs.
  void open_all() {
    std::vector<std::string> names;
    for (std::size_t number = 0; number < texts_.count; ++number) {
      const std::size_t before = environment_.memory.used();
      std::unique_ptr<format::LabelText> text = texts_.open(number);
      names.push_back(text->name());
      if (number == 0) facts_.layout.weight = text->columns().weight;
      if (facts_.layout.weight != text->columns().weight) {
        if (!options_.weights_may_differ) {
          throw core::UsageError(names[0] + " and " + text->name() +
                                 " have different weights: the edges of one graph need the same");
        }
        facts_.layout.weight = WeightType::none;
      }
      if (texts_.count > 1) {
        const auto lanes = open_lanes(*text);
        most_bytes_ = std::max(most_bytes_, environment_.memory.used() - before);
      }
      const bool again = texts_.count > 1 && texts_.reopenable(number);
      kept_.push_back(again ? nullptr : std::move(text));
    }
    facts_.name = format::joined_name(names);
  }

  static std::vector<std::unique_ptr<format::LabelLane>> open_lanes(format::LabelText& text) {
    std::vector<std::unique_ptr<format::LabelLane>> lanes;
    for (unsigned i = 0; i < text.lanes(); ++i) lanes.push_back(text.lane());
    return lanes;
  }

  void read() {
    core::Phase phase(environment_.progress, "read labels", 0, "edges");
    for (std::size_t number = 0; number < texts_.count; ++number) {
      const std::size_t before = environment_.memory.used();
      const auto text = kept_[number] != nullptr ? std::move(kept_[number]) : texts_.open(number);
      auto lanes = open_lanes(*text);
      // Another text may have larger lanes.
      const std::size_t taken = environment_.memory.used() - before;
      const core::Reservation room =
          environment_.memory.reserve(most_bytes_ - std::min(most_bytes_, taken), "labels of other inputs");
      if (number == 0) open_tables();
      part_begins_ = true;
      read(*text, lanes, phase);
    }
    flush();
  }

  void open_tables() {
    rows_.emplace(environment_, facts_.layout);
    spilled_.emplace(environment_, map_ != nullptr);
    table_.emplace(environment_.memory,
                   options_.table_bytes > 0 ? options_.table_bytes : environment_.memory.available() / 8 * 5);
  }

  void read(format::LabelText& text, const std::vector<std::unique_ptr<format::LabelLane>>& lanes,
            core::Phase& phase) {
    core::run_on_threads(text.lanes(), [&](unsigned thread) {
      const core::StopOnFailure stop_on_failure(text.turn());
      format::LabelLane& lane = *lanes[thread];
      while (lane.next()) {
        if (!lane.begin_turn()) return;
        number(lane);
        lane.end_turn();
        phase.advance(lane.edges().size());
      }
    });
  }

  /// Called by one lane at a time, in the order of the input.
  void number(format::LabelLane& lane) {
    const std::span<const format::LabelledEdge> edges = lane.edges();
    if (part_begins_ && !edges.empty()) {
      part_begins_ = false;
      if (edges_ == 0) first_hashes_ = edges[0].hashes;
      first_is_loop_ = first_hashes_[0] == first_hashes_[1];
      same_firsts_ += edges[0].hashes == first_hashes_ ? 1 : 0;
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i + prefetch_edges < edges.size()) {
        for (const core::uint128 hash : edges[i + prefetch_edges].hashes) table_->prefetch(hash);
      }
      std::byte* const record = records_.data() + filled_ * shape_.row_bytes;
      for (std::size_t end = 0; end < 2; ++end) set_id(shape_, record, end, number(lane, edges[i], end));
      std::memcpy(record + 2 * shape_.integer_bytes, edges[i].weight.data(), shape_.attachment_bytes);
      if (++filled_ == written_records) flush();
    }
    edges_ += edges.size();
  }

  std::uint32_t number(format::LabelLane& lane, const format::LabelledEdge& edge, std::size_t end) {
    const LabelTable::Number number = table_->number(edge.hashes[end]);
    if (!number.known) {
      spilled_->add(edge.hashes[end], lane.label(edge, end));
      return spilled_end;
    }
    if (number.added && map_ != nullptr) map_->append(lane.label(edge, end));
    if (number.value < 2) ++first_labels_;
    return number.value;
  }

  void flush() { rows_->append(shape_, records_.data(), std::exchange(filled_, 0)); }

  core::Environment& environment_;
  const LabelTexts& texts_;
  std::vector<std::unique_ptr<format::LabelText>> kept_;  ///< those that cannot be opened again
  std::size_t most_bytes_ = 0;
  const LabelOptions& options_;
  LabelSink* const map_;
  EdgeFacts facts_;
  core::PairShape shape_;
  std::vector<AskedLabel> asked_;
  std::optional<RowRunWriter> rows_;
  std::optional<SpilledLabels> spilled_;
  std::optional<LabelTable> table_;
  // Used by one lane at a time:
  std::vector<std::byte> records_;
  std::size_t filled_ = 0;
  std::uint64_t edges_ = 0;
  std::uint64_t first_labels_ = 0;  ///< occurrences of labels 0 and 1
  bool part_begins_ = true;
  bool first_is_loop_ = false;
  std::array<core::uint128, 2> first_hashes_ = {};  ///< of the first edge
  std::uint64_t same_firsts_ = 0;                   ///< texts that begin with that edge
};

}  // namespace

NumberedLabels number_labels(core::Environment& environment, const LabelTexts& texts,
                             const LabelOptions& options, LabelSink* map) {
  return LabelNumbering(environment, texts, options, map).run();
}

NumberedLabels number_labels(core::Environment& environment, std::unique_ptr<format::LabelText> text,
                             const LabelOptions& options, LabelSink* map) {
  return number_labels(environment, {.open = [&](std::size_t) { return std::move(text); }}, options, map);
}

}  // namespace emgraph::graph::relabel
