// SPDX-License-Identifier: MIT
// Merge-sorts records in rows of the smallest fixed width that holds them.
#include "graph/prepare/sort_by_weight.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "core/sort/merge_sorter.hpp"
#include "graph/prepare/attachment_order.hpp"

namespace emgraph::graph::prepare {
namespace {

template <std::size_t RowBytes>
struct Row {
  std::array<std::byte, RowBytes> bytes;
};

/// Compares (weight, source, target, remaining bytes); rows have no other data.
template <std::size_t RowBytes>
struct WeightLess {
  core::CompareAttachments compare;
  core::PairShape shape;
  std::size_t weight_bytes;

  bool operator()(const Row<RowBytes>& a, const Row<RowBytes>& b) const {
    const std::byte* const left = a.bytes.data() + 2 * shape.integer_bytes;
    const std::byte* const right = b.bytes.data() + 2 * shape.integer_bytes;
    const int by_weight = compare(left, right, weight_bytes);
    if (by_weight != 0) return by_weight < 0;
    if (shape.integer_bytes == 4 ? differ<std::uint32_t>(a, b) : differ<std::uint64_t>(a, b)) {
      return shape.integer_bytes == 4 ? ends<std::uint32_t>(a) < ends<std::uint32_t>(b)
                                      : ends<std::uint64_t>(a) < ends<std::uint64_t>(b);
    }
    return compare(left, right, shape.attachment_bytes) < 0;
  }

 private:
  template <class Id>
  static Edge<Id> ends(const Row<RowBytes>& row) {
    Edge<Id> edge;
    std::memcpy(&edge, row.bytes.data(), sizeof edge);
    return edge;
  }
  template <class Id>
  static bool differ(const Row<RowBytes>& a, const Row<RowBytes>& b) {
    return ends<Id>(a) != ends<Id>(b);
  }
};

template <std::size_t RowBytes>
class RowSort final : public WeightSort {
 public:
  RowSort(core::Environment& environment, const core::PairShape& shape, WeightType weight,
          std::size_t memory_bytes)
      : environment_(environment),
        shape_(shape),
        sorter_(environment, {.memory_bytes = memory_bytes},
                {attachment_order(weight), shape, weight_bytes(weight)}) {}

  void push(const RecordBatch& batch) override {
    if (shape_.row_bytes == RowBytes) {
      sorter_.push({reinterpret_cast<const Row<RowBytes>*>(batch.records), batch.count});
      return;
    }
    std::array<Row<RowBytes>, 64> rows{};
    for (std::size_t done = 0; done < batch.count;) {
      const std::size_t here = std::min(rows.size(), batch.count - done);
      for (std::size_t i = 0; i < here; ++i) {
        std::memcpy(rows[i].bytes.data(), batch.records + (done + i) * shape_.row_bytes, shape_.row_bytes);
      }
      sorter_.push({rows.data(), here});
      done += here;
    }
  }
  std::uint64_t finish(const RecordConsumer& consume) override {
    core::Phase phase(environment_.progress, "merge and write", sorter_.size(), "edges");
    core::PairShape shape = shape_;
    shape.row_bytes = RowBytes;
    auto stream = sorter_.finish();
    std::uint64_t edges = 0;
    for (auto batch = stream.next(); !batch.empty(); batch = stream.next()) {
      consume(shape, {std::as_bytes(batch).data(), batch.size()});
      edges += batch.size();
      phase.advance(batch.size());
    }
    return edges;
  }

 private:
  core::Environment& environment_;
  const core::PairShape shape_;
  core::MergeSorter<Row<RowBytes>, WeightLess<RowBytes>> sorter_;
};

}  // namespace

std::unique_ptr<WeightSort> make_weight_sort(core::Environment& environment, const core::PairShape& shape,
                                             WeightType weight, std::size_t memory_bytes) {
  const auto make = [&]<std::size_t RowBytes>() -> std::unique_ptr<WeightSort> {
    return std::make_unique<RowSort<RowBytes>>(environment, shape, weight, memory_bytes);
  };
  // Ids of 4 bytes with a weight of 4 or 8, ids of 8 bytes with a weight, then rows with a payload.
  if (shape.row_bytes <= 12) return make.template operator()<12>();
  if (shape.row_bytes <= 16) return make.template operator()<16>();
  if (shape.row_bytes <= 24) return make.template operator()<24>();
  if (shape.row_bytes <= 48) return make.template operator()<48>();
  return make.template operator()<2 * sizeof(std::uint64_t) + max_attachment_bytes>();
}

}  // namespace emgraph::graph::prepare
