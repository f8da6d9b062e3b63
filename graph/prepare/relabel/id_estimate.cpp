// SPDX-License-Identifier: MIT
// Counts the ends that a sample has once and twice.
#include "graph/prepare/relabel/id_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/vector_sort.hpp"
#include "graph/prepare/relabel/marked_ids.hpp"
#include "graph/prepare/relabel/sorted_ids.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t sampled_edges = 256 * 1024;

/// The first edges, for a source that gives no sample: packed text.
std::vector<std::byte> first_edges(RecordSource& source, const core::PairShape& shape, std::size_t most) {
  if (!source.rewindable()) return {};
  std::vector<std::byte> edges;
  {
    const auto lane = source.lane(shape);
    const RecordBatch batch = lane->next();
    const std::size_t bytes = std::min(most, batch.count) * shape.row_bytes;
    if (bytes > 0) edges.assign(batch.records, batch.records + bytes);
  }
  source.rewind();
  return edges;
}

}  // namespace

DistinctEnds estimate_distinct(std::vector<std::uint64_t> sample, std::uint64_t ends) {
  core::vector_sort(std::span(sample));
  std::uint64_t distinct = 0;
  std::uint64_t once = 0;
  std::uint64_t twice = 0;
  for (std::size_t i = 0; i < sample.size();) {
    std::size_t next = i + 1;
    while (next < sample.size() && sample[next] == sample[i]) ++next;
    ++distinct;
    once += next - i == 1 ? 1 : 0;
    twice += next - i == 2 ? 1 : 0;
    i = next;
  }
  if (sample.size() >= ends) return {distinct, distinct};
  const std::uint64_t limit = distinct + (ends - sample.size());
  if (sample.empty()) return {limit, limit};
  const auto seen = static_cast<double>(distinct);
  const auto singles = static_cast<double>(once);
  const double scale = static_cast<double>(ends) / static_cast<double>(sample.size());
  const double chao = seen + singles * (singles - 1) / (2 * (static_cast<double>(twice) + 1));
  const double gee = seen + (std::sqrt(scale) - 1) * singles;
  // If each end that the sample has once stands for `scale` nodes of one end. It may have a few less by
  // chance.
  const double most = seen + (scale - 1) * (singles + 4 * std::sqrt(singles + 1));
  const auto within = [&](double value) {
    return std::max(distinct, static_cast<std::uint64_t>(std::min(value, static_cast<double>(limit))));
  };
  return {within(std::min(std::max(chao, gee), most)), within(most)};
}

IdEstimate estimate_ids(core::MemoryBudget& memory, RecordSource& source, std::size_t id_bytes,
                        std::uint64_t edges) {
  const core::PairShape shape = record_shape(id_bytes, 0);
  const core::Reservation room =
      memory.reserve_up_to(std::min(memory.available() / 8, sampled_edges * shape.row_bytes));
  const std::size_t most = room.bytes() / shape.row_bytes;
  std::vector<std::byte> sample = source.sample(shape, most);
  const bool from_all_parts = !sample.empty();
  if (!from_all_parts) sample = first_edges(source, shape, most);
  const std::size_t step = sample.size() / shape.row_bytes < edges ? edges_per_sampled : 1;
  const bool counts = from_all_parts || (edges > 0 && step == 1);
  IdEstimate estimate;
  std::vector<std::uint64_t> ends;
  for (std::size_t at = 0, i = 0; at < sample.size(); at += shape.row_bytes, ++i) {
    const std::uint64_t source_id = id_at(shape, &sample[at], 0);
    const std::uint64_t target_id = id_at(shape, &sample[at], 1);
    estimate.largest = std::max({estimate.largest, source_id, target_id});
    if (counts && i % step == 0) ends.insert(ends.end(), {source_id, target_id});
  }
  estimate.distinct = estimate_distinct(std::move(ends), core::size_product(edges, 2));
  if (id_bytes == 4) {
    estimate.distinct.most = std::min(estimate.distinct.most, std::uint64_t{1} << 32);
    estimate.distinct.likely = std::min(estimate.distinct.likely, estimate.distinct.most);
  }
  return estimate;
}

Method first_method(const IdEstimate& ids, std::size_t table_bytes) {
  return ids.largest < MarkedIds::bound(table_bytes) ? Method::marked : method_of_large(ids, table_bytes);
}

Method method_of_large(const IdEstimate& ids, std::size_t table_bytes) {
  return ids.distinct.likely / 4 <= SortedIds::most(table_bytes) ? Method::sorted : Method::joined;
}

}  // namespace emgraph::graph::relabel
