// SPDX-License-Identifier: MIT
// Packs and unpacks whole batches without branches; searches for an invalid edge only if there is one. The
// readers of raw rows read the rows of 12 bytes.
#include "graph/format/graph500/graph500.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/raw/raw.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

namespace {

using Packed = std::array<std::uint32_t, 3>;
static_assert(sizeof(Packed) == packed_edge_bytes);

Packed load(const std::byte* edge) {
  Packed packed;
  std::memcpy(&packed, edge, sizeof(packed));
  return packed;
}

std::int64_t id_of(std::uint32_t low, std::uint32_t high) {
  const auto signed_high = static_cast<std::int16_t>(high & 0xffff);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(std::int64_t{signed_high}) << 32 | low);
}

/// Returns the bitwise or of all high words.
template <class RowId>
std::uint32_t unpack(std::span<const std::byte> edges, const core::PairShape& shape, std::byte* records) {
  std::uint32_t highs = 0;
  for (std::size_t at = 0; at < edges.size(); at += packed_edge_bytes, records += shape.row_bytes) {
    const auto [source, target, high] = load(&edges[at]);
    highs |= high;
    std::array<RowId, 2> row = {static_cast<RowId>(source), static_cast<RowId>(target)};
    if constexpr (sizeof(RowId) == 8) {
      row[0] |= std::uint64_t{high & 0xffff} << 32;
      row[1] |= std::uint64_t{high >> 16} << 32;
    }
    std::memcpy(records, row.data(), sizeof(row));
    std::memset(records + sizeof(row), 0, shape.row_bytes - sizeof(row));
  }
  return highs;
}

[[noreturn]] void refuse(const std::string& file, std::uint64_t offset, std::span<const std::byte> edges,
                         std::uint32_t bad_bits) {
  std::size_t at = 0;
  while ((load(&edges[at])[2] & bad_bits) == 0) at += packed_edge_bytes;
  const auto [source, target, high] = load(&edges[at]);
  const std::int64_t first = id_of(source, high);
  const std::int64_t second = id_of(target, high >> 16);
  if (const std::int64_t least = std::min(first, second); least < 0) {
    throw core::DataError::at_offset(file, offset + at,
                                     "negative id " + std::to_string(least) + ", expected 0 or more");
  }
  throw IdTooWide(core::DataError::at_offset(
      file, offset + at, "id " + std::to_string(std::max(first, second)) + " needs 8 bytes"));
}

template <class RowId>
std::optional<std::size_t> pack(const core::PairShape& shape, const std::byte* records, std::size_t count,
                                std::byte* edges) {
  for (std::size_t i = 0; i < count; ++i, records += shape.row_bytes, edges += packed_edge_bytes) {
    std::array<RowId, 2> row;
    std::memcpy(row.data(), records, sizeof(row));
    const std::uint64_t source = row[0];
    const std::uint64_t target = row[1];
    if ((source | target) >= packed_id_limit) return i;
    const Packed packed = {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target),
                           static_cast<std::uint32_t>(source >> 32 | target >> 32 << 16)};
    std::memcpy(edges, &packed, sizeof(packed));
  }
  return std::nullopt;
}

}  // namespace

void unpack_edges(const std::string& file, std::uint64_t offset, std::span<const std::byte> edges,
                  std::size_t id_bytes, const core::PairShape& shape, std::byte* records) {
  const std::uint32_t highs = shape.integer_bytes == 4 ? unpack<std::uint32_t>(edges, shape, records)
                                                       : unpack<std::uint64_t>(edges, shape, records);
  const std::uint32_t bad_bits = id_bytes == 4 ? ~std::uint32_t{0} : 0x8000'8000U;
  if ((highs & bad_bits) != 0) refuse(file, offset, edges, bad_bits);
}

std::optional<std::size_t> pack_edges(const core::PairShape& shape, const std::byte* records,
                                      std::size_t count, std::byte* edges) {
  return shape.integer_bytes == 4 ? pack<std::uint32_t>(shape, records, count, edges)
                                  : pack<std::uint64_t>(shape, records, count, edges);
}

namespace {

class PackedEdgeWriter final : public EdgeWriter {
 public:
  explicit PackedEdgeWriter(std::unique_ptr<core::OutputFile> output) : output_(std::move(output)) {}

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override {
    while (count > 0) {
      const std::span<std::byte> window = output_->window();
      const std::size_t take = std::min(count, window.size() / packed_edge_bytes);
      if (const auto wide = pack_edges(shape, records, take, window.data())) {
        throw core::DataError::in_file(output_->path(), "edge " + std::to_string(edges_ + *wide) +
                                                            " has an id that needs more than 47 bits, the "
                                                            "most that packed edges hold");
      }
      output_->commit(take * packed_edge_bytes);
      edges_ += take;
      records += take * shape.row_bytes;
      count -= take;
    }
  }
  std::optional<std::uint64_t> id_limit() const override { return packed_id_limit; }
  void finish() override { output_->finish(); }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  const std::unique_ptr<core::OutputFile> output_;
  std::uint64_t edges_ = 0;
};

}  // namespace

Opened open_graph500(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                     const OpenOptions& options) {
  EdgeFacts facts;
  facts.layout.id_bytes = options.id_bytes.value_or(4);
  return open_rows(environment, std::move(input), facts,
                   {.layout = pair_layout(facts.layout), .packed_edges = true}, options);
}

std::unique_ptr<EdgeWriter> create_graph500(const Creation& creation, const Format& /*format*/) {
  return std::make_unique<PackedEdgeWriter>(creation.open_output());
}

}  // namespace emgraph::graph::format
