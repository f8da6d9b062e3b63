// SPDX-License-Identifier: MIT
// Counts the edges of a batch that pass, takes its turn, and copies them in pieces.
#include "graph/prepare/filtered_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/base/progress.hpp"
#include "core/base/random_word.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/largest_id.hpp"

namespace emgraph::graph::prepare {
namespace {

template <class T>
T weight_at(const core::PairShape& shape, const std::byte* record) {
  T value;
  std::memcpy(&value, record + 2 * shape.integer_bytes, sizeof value);
  return value;
}

bool weight_passes(const WeightInterval& weights, WeightType type, const core::PairShape& shape,
                   const std::byte* record) {
  const auto integer = [&](std::int64_t weight) {
    return weight >= weights.least_integer && weight <= weights.largest_integer;
  };
  const auto number = [&](double weight) { return weight >= weights.least && weight <= weights.largest; };
  switch (type) {
    case WeightType::u32:
      return integer(std::int64_t{weight_at<std::uint32_t>(shape, record)});
    case WeightType::i64:
      return integer(weight_at<std::int64_t>(shape, record));
    case WeightType::f32:
      return number(weight_at<float>(shape, record));
    case WeightType::f64:
      return number(weight_at<double>(shape, record));
    case WeightType::none:
      break;
  }
  return true;
}

bool passes(const EdgeFilter& filter, WeightType type, const core::PairShape& shape,
            const std::byte* record) {
  const std::uint64_t source = id_at(shape, record, 0);
  const std::uint64_t target = id_at(shape, record, 1);
  if (filter.by_nodes && !(filter.nodes.has(source) && filter.nodes.has(target))) return false;
  if (filter.by_chance && !filter.sample.has(source, target)) return false;
  return !filter.by_weight || weight_passes(filter.weights, type, shape, record);
}

void copy_record(const core::PairShape& from, const std::byte* in, const core::PairShape& to,
                 std::byte* out) {
  std::memcpy(out, in, 2 * to.integer_bytes + to.attachment_bytes);
  const std::size_t used = 2 * from.integer_bytes + to.attachment_bytes;
  if (to.row_bytes > used) std::memset(out + used, 0, to.row_bytes - used);
}

}  // namespace

bool ListedNodes::has(std::uint64_t node) const {
  if (node < bits.size()) return bits.test(node);
  return sorted.size() > 0 && std::ranges::binary_search(sorted.span(), node);
}

bool EdgeSample::has(std::uint64_t source, std::uint64_t target) const {
  const auto [low, high] = std::minmax(source, target);
  return core::random_word(core::random_word(seed, low), high) < below;
}

class FilteredSource::Lane final : public ChangedSource::Lane {
 public:
  Lane(FilteredSource& source, const core::PairShape& shape)
      : ChangedSource::Lane(source, source.environment_.memory, shape, "filtered edges"), source_(source) {}

  format::RecordBatch next() override {
    if (began_again()) left_ = 0;
    first_edge_ += std::exchange(given_, 0);
    while (left_ == 0) {
      if (!load()) return {};
    }
    while (left_ > 0 && given_ < most_records_) {
      const std::size_t edge = done_++;
      if ((passing_[edge / 64] >> edge % 64 & 1) == 0) continue;
      copy_record(from_, record(edge), to_, records_.data() + given_++ * to_.row_bytes);
      --left_;
    }
    return {records_.data(), given_};
  }
  bool holds_edges() const override { return left_ > 0 || inner_->holds_edges(); }

 private:
  /// The next batch of the inner lane; false at the end, or after another lane has failed.
  bool load() {
    const bool count_nodes = !source_.facts().nodes && !source_.filter_->any_ids;
    std::uint64_t nodes = 0;
    try {
      batch_ = inner_->next();
      if (count_nodes) {
        const IngestFacts read{batch_.count, largest_id(from_, batch_), source_.facts().name};
        nodes = read.nodes(std::nullopt);
      }
      passing_.assign(core::divide_up(batch_.count, 64), 0);
    } catch (...) {
      source_.turn_.stop();
      throw;
    }
    done_ = 0;
    if (batch_.count == 0) return false;
    std::size_t passing = 0;
    for (std::size_t i = 0; i < batch_.count; ++i) {
      const bool pass = passes(*source_.filter_, source_.weight_, from_, record(i));
      passing_[i / 64] |= std::uint64_t{pass} << i % 64;
      passing += pass;
    }
    const std::uint64_t first = inner_->first_edge();
    if (!source_.turn_.wait_for(first)) return false;
    if (count_nodes) source_.counts_->nodes = std::max<std::uint64_t>(source_.counts_->nodes, nodes);
    first_edge_ = source_.passed_;
    source_.passed_ += passing;
    source_.counts_->left_out = first + batch_.count - source_.passed_;
    source_.turn_.pass_to(first + batch_.count);
    left_ = passing;
    return true;
  }

  FilteredSource& source_;
  std::vector<std::uint64_t> passing_;  ///< a bit per record of the batch: it passes
  std::size_t left_ = 0;                ///< records of the batch that pass and were not given yet
  std::size_t given_ = 0;               ///< records that the latest next() gave
};

FilteredSource::FilteredSource(core::Environment& environment, std::shared_ptr<format::RecordSource> inner,
                               const EdgeFacts& facts, std::shared_ptr<const EdgeFilter> filter,
                               std::shared_ptr<FilterCounts> counts, unsigned max_lanes)
    : ChangedSource(environment, std::move(inner), facts),
      filter_(std::move(filter)),
      counts_(std::move(counts)),
      weight_(facts.layout.weight) {
  facts_.edges = std::nullopt;
  if (filter_->by_weight) facts_.symmetric = false;
  // A lane waits in load() until the batches before its own were loaded. If inner lanes held pieces of
  // batches, it could wait for a lane whose thread has stopped reading.
  open_lanes(max_lanes, batch_bytes, inner_->in_pieces() ? 1 : max_lanes);
}

core::PairShape FilteredSource::inner_shape(const core::PairShape& shape) const {
  const std::size_t weight = filter_->by_weight ? weight_bytes(weight_) : 0;
  return record_shape(shape.integer_bytes, std::max(shape.attachment_bytes, weight));
}

std::unique_ptr<format::WorkingLane> FilteredSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

void FilteredSource::rewind() {
  ChangedSource::rewind();
  turn_.restart();
  passed_ = 0;
}

std::vector<std::byte> FilteredSource::sample(const core::PairShape& shape, std::size_t count) {
  const core::PairShape from = inner_shape(shape);
  const std::vector<std::byte> in = inner_->sample(from, count);
  std::vector<std::byte> out;
  for (std::size_t at = 0; at + from.row_bytes <= in.size(); at += from.row_bytes) {
    if (!passes(*filter_, weight_, from, in.data() + at)) continue;
    out.resize(out.size() + shape.row_bytes);
    copy_record(from, in.data() + at, shape, out.data() + out.size() - shape.row_bytes);
  }
  return out;
}

IngestFacts count_nodes(core::Environment& environment, format::RecordSource& source, unsigned max_lanes) {
  const EdgeFacts& facts = source.facts();
  const core::PairShape shape = record_shape(facts.layout.id_bytes, 0);
  core::Phase phase(environment.progress, "count nodes", facts.edges.value_or(0), "edges");
  std::vector<std::unique_ptr<format::RecordLane>> lanes;
  for (unsigned i = 0; i < std::max(1U, max_lanes); ++i) lanes.push_back(source.lane(shape));
  std::vector<IngestFacts> read(lanes.size());
  core::run_on_threads(static_cast<unsigned>(lanes.size()), [&](unsigned thread) {
    for (auto batch = lanes[thread]->next(); batch.count > 0; batch = lanes[thread]->next()) {
      read[thread].merge({batch.count, largest_id(shape, batch)});
      phase.advance(batch.count);
    }
  });
  lanes.clear();
  for (std::size_t i = 1; i < read.size(); ++i) read[0].merge(read[i]);
  source.rewind();
  read[0].name = facts.name;
  return read[0];
}

}  // namespace emgraph::graph::prepare
