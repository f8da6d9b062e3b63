// SPDX-License-Identifier: MIT
// Checks whole batches without branches; searches for the invalid entry only if there is one.
#include "graph/format/csr/csr_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "core/base/error.hpp"

namespace emgraph::graph::format {

CsrRows::CsrRows(core::MemoryBudget& budget, const std::string& file, const CsrLayout& layout,
                 const core::PairShape& shape, std::size_t max_entries)
    : file_(file),
      layout_(layout),
      shape_(shape),
      nodes_(budget, max_entries, "nodes of edges being read"),
      ends_(budget, max_entries, "nodes of edges being read"),
      records_(budget, max_entries * shape.row_bytes, "edges being read") {}

void CsrRows::begin(std::uint64_t first_entry, bool continues) {
  first_entry_ = first_entry;
  continues_ = continues;
  runs_ = 0;
}

void CsrRows::add_run(std::uint64_t node, std::size_t end) {
  nodes_[runs_] = node;
  ends_[runs_] = static_cast<std::uint32_t>(end);
  ++runs_;
}

std::uint64_t CsrRows::neighbour(const std::byte* entry) const {
  std::uint64_t id = 0;
  std::memcpy(&id, entry, layout_.neighbour_bytes);
  return id;
}

/// True if all entries are valid.
template <class RowId, class FileId>
bool CsrRows::fill(const std::byte* neighbours, std::uint64_t before) {
  std::byte* out = records_.data();
  std::size_t entry = 0;
  bool bad = false;
  for (std::size_t run = 0; run < runs_; ++run) {
    const auto source = static_cast<RowId>(nodes_[run]);
    for (const std::size_t end = ends_[run]; entry < end;
         ++entry, neighbours += layout_.entry_bytes, out += shape_.row_bytes) {
      FileId id;
      std::memcpy(&id, neighbours, sizeof(id));
      bad |= id >= layout_.nodes || (layout_.ascending && id < before);
      before = id;
      const std::array<RowId, 2> row = {source, static_cast<RowId>(id)};
      std::memcpy(out, row.data(), sizeof(row));
    }
    before = 0;
  }
  return !bad;
}

template <class Weight, class FileWeight>
void CsrRows::fill_weights(const std::byte* weights, std::size_t weight_stride) {
  if (shape_.attachment_bytes < sizeof(Weight)) return;
  std::byte* out = records_.data() + 2 * shape_.integer_bytes;
  for (std::size_t i = 0; i < entries(); ++i, weights += weight_stride, out += shape_.row_bytes) {
    FileWeight in_file;
    std::memcpy(&in_file, weights, sizeof(in_file));
    const Weight weight = in_file;
    std::memcpy(out, &weight, sizeof(weight));
  }
}

RecordBatch CsrRows::make(const std::byte* neighbours, const std::byte* weights) {
  std::uint64_t before = 0;
  if (first_entry_ != 0) {
    if (continues_) before = neighbour(neighbours);
    neighbours += layout_.entry_bytes;
  }
  bool good = false;
  if (shape_.integer_bytes == 4) {
    good = layout_.neighbour_bytes == 4 ? fill<std::uint32_t, std::uint32_t>(neighbours, before)
                                        : fill<std::uint32_t, std::uint64_t>(neighbours, before);
  } else {
    good = layout_.neighbour_bytes == 4 ? fill<std::uint64_t, std::uint32_t>(neighbours, before)
                                        : fill<std::uint64_t, std::uint64_t>(neighbours, before);
  }
  if (!good) refuse(neighbours, before);
  if (layout_.weight_bytes != 0) {
    const bool apart = layout_.weights_offset != 0;
    const std::byte* const first = apart ? weights : neighbours + layout_.neighbour_bytes;
    const std::size_t stride = apart ? layout_.weight_bytes : layout_.entry_bytes;
    if (layout_.weight_bytes == 8) {
      fill_weights<std::int64_t, std::int64_t>(first, stride);
    } else if (layout_.signed_weights) {
      fill_weights<std::int64_t, std::int32_t>(first, stride);
    } else {
      fill_weights<std::uint32_t, std::uint32_t>(first, stride);
    }
  }
  return {records_.data(), entries()};
}

void CsrRows::refuse(const std::byte* neighbours, std::uint64_t before) const {
  std::size_t entry = 0;
  for (std::size_t run = 0; run < runs_; ++run, before = 0) {
    for (; entry < ends_[run]; ++entry) {
      const std::uint64_t id = neighbour(neighbours + entry * layout_.entry_bytes);
      const std::uint64_t offset = layout_.neighbours_offset + (first_entry_ + entry) * layout_.entry_bytes;
      const std::string of_node = " of node " + std::to_string(nodes_[run]);
      if (id >= layout_.nodes) {
        const std::string shown =
            layout_.signed_ids ? std::to_string(static_cast<std::int32_t>(id)) : std::to_string(id);
        throw core::DataError::at_offset(
            file_, offset,
            "neighbour " + shown + of_node + ", expected ids below " + std::to_string(layout_.nodes));
      }
      if (layout_.ascending && id < before) {
        throw core::DataError::at_offset(
            file_, offset,
            "neighbour " + std::to_string(id) + of_node + " after neighbour " + std::to_string(before) +
                ", expected them ascending; --input-format " +
                (layout_.weight_bytes == 0 ? "sg-unsorted" : "wsg-unsorted") + " takes them in any order");
      }
      before = id;
    }
  }
  throw std::logic_error("entries that were refused are good");
}

}  // namespace emgraph::graph::format
