// SPDX-License-Identifier: MIT
// Copies records with values in place of ids, in batches that stay in the cache.
#include "graph/prepare/relabel/relabelled_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::graph::relabel {
namespace {

constexpr std::size_t group_records = 128;

/// Returns the first id without a value, if any; the output is undefined then.
std::optional<std::uint64_t> relabel_records(const IdTable& table, const core::PairShape& from,
                                             const std::byte* in, std::size_t count,
                                             const core::PairShape& to, std::byte* out) {
  std::array<std::uint64_t, 2 * group_records> ids;
  while (count > 0) {
    const std::size_t here = std::min(count, group_records);
    for (std::size_t i = 0; i < here; ++i) {
      ids[2 * i] = id_at(from, in + i * from.row_bytes, 0);
      ids[2 * i + 1] = id_at(from, in + i * from.row_bytes, 1);
    }
    if (const auto unknown = table.replace(std::span(ids).first(2 * here))) return unknown;
    for (std::size_t i = 0; i < here; ++i) {
      std::byte* const record = out + i * to.row_bytes;
      set_id(to, record, 0, ids[2 * i]);
      set_id(to, record, 1, ids[2 * i + 1]);
      std::memcpy(record + 2 * to.integer_bytes, in + i * from.row_bytes + 2 * from.integer_bytes,
                  to.attachment_bytes);
    }
    in += here * from.row_bytes;
    out += here * to.row_bytes;
    count -= here;
  }
  return std::nullopt;
}

}  // namespace

class RelabelledSource::Lane final : public ChangedSource::Lane {
 public:
  Lane(RelabelledSource& source, const core::PairShape& shape)
      : ChangedSource::Lane(source, source.environment_.memory, shape, "relabelled edges"), source_(source) {}

  format::RecordBatch next() override {
    if (began_again() || done_ == batch_.count) {
      batch_ = inner_->next();
      done_ = 0;
      if (batch_.count == 0) return {};
    }
    const std::size_t here = std::min(most_records_, batch_.count - done_);
    if (const auto unknown =
            relabel_records(*source_.table_, from_, record(done_), here, to_, records_.data())) {
      throw core::DataError::in_file(source_.facts_.name, source_.table_->missing(*unknown));
    }
    first_edge_ = inner_->first_edge() + done_;
    done_ += here;
    return {records_.data(), here};
  }

 private:
  RelabelledSource& source_;
};

RelabelledSource::RelabelledSource(core::Environment& environment,
                                   std::shared_ptr<format::RecordSource> inner,
                                   std::shared_ptr<const IdTable> table, EdgeFacts facts, unsigned max_lanes)
    : ChangedSource(environment, std::move(inner), std::move(facts)), table_(std::move(table)) {
  open_lanes(max_lanes, batch_bytes);
}

core::PairShape RelabelledSource::inner_shape(const core::PairShape& shape) const {
  return record_shape(inner_->facts().layout.id_bytes, shape.attachment_bytes);
}

std::unique_ptr<format::WorkingLane> RelabelledSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

std::vector<std::byte> RelabelledSource::sample(const core::PairShape& shape, std::size_t count) {
  const core::PairShape from = inner_shape(shape);
  const std::vector<std::byte> in = inner_->sample(from, count);
  const std::size_t records = in.size() / from.row_bytes;
  std::vector<std::byte> out(records * shape.row_bytes);
  // Ids without a value are reported when the edges are read.
  if (relabel_records(*table_, from, in.data(), records, shape, out.data())) out.clear();
  return out;
}

}  // namespace emgraph::graph::relabel
