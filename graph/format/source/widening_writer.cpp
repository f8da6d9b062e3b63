// SPDX-License-Identifier: MIT
// Copies rows with widened weights, a buffer at a time.
#include "graph/format/source/widening_writer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t buffer_bytes = 64 * core::KiB;

template <class From, class To>
void widen(const std::byte* from, std::byte* to) {
  From narrow;
  std::memcpy(&narrow, from, sizeof(narrow));
  const To wide = narrow;
  std::memcpy(to, &wide, sizeof(wide));
}

}  // namespace

WideningWriter::WideningWriter(core::Environment& environment, std::unique_ptr<EdgeWriter> inner,
                               const EdgeLayout& from, WeightType to)
    : inner_(std::move(inner)), from_(from), to_(to), rows_(environment.memory, buffer_bytes, "weights") {
  if (!widens(from.weight, to)) throw std::logic_error("these weights do not widen");
}

void WideningWriter::append_records(const core::PairShape& shape, const std::byte* records,
                                    std::size_t count) {
  if (shape.attachment_bytes < from_.attachment_bytes()) {
    throw std::logic_error("records with fewer attached bytes than a weight and a payload");
  }
  const std::size_t ids_bytes = 2 * shape.integer_bytes;
  const std::size_t narrow_bytes = weight_bytes(from_.weight);
  const std::size_t wide_bytes = weight_bytes(to_);
  core::PairShape wide = shape;
  wide.attachment_bytes = wide_bytes + from_.payload_bytes;
  wide.row_bytes = ids_bytes + wide.attachment_bytes;
  while (count > 0) {
    const std::size_t take = std::min(count, rows_.size() / wide.row_bytes);
    std::byte* to = rows_.data();
    for (std::size_t i = 0; i < take; ++i, records += shape.row_bytes, to += wide.row_bytes) {
      std::memcpy(to, records, ids_bytes);
      const std::byte* weight = records + ids_bytes;
      if (to_ == WeightType::i64) {
        widen<std::uint32_t, std::int64_t>(weight, to + ids_bytes);
      } else {
        widen<float, double>(weight, to + ids_bytes);
      }
      std::memcpy(to + ids_bytes + wide_bytes, weight + narrow_bytes, from_.payload_bytes);
    }
    inner_->append_records(wide, rows_.data(), take);
    count -= take;
  }
}

}  // namespace emgraph::graph::format
