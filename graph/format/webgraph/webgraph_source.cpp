// SPDX-License-Identifier: MIT
// Converts lists to rows, a lane's buffer at a time.
#include "graph/format/webgraph/webgraph_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t most_batch_edges = 32 * core::KiB;
constexpr std::size_t least_batch_edges = core::KiB;
constexpr std::size_t most_piece_bytes = 256 * core::KiB;
/// Most bytes of a row without payload.
constexpr std::size_t most_row_bytes = 24;

}  // namespace

/// The file and its decoder.
struct WebgraphSource::Reading {
  explicit Reading(WebgraphSource& source) {
    core::MemoryBudget& budget = source.environment_.memory;
    const std::uint64_t size = source.input_.size();
    std::size_t piece_bytes = most_piece_bytes;
    while (piece_bytes > 4 * core::KiB && piece_bytes > budget.available() / 64) piece_bytes /= 2;
    const auto pieces = [size, piece_bytes](std::uint64_t i) -> std::optional<core::FileExtent> {
      const std::uint64_t at = i * piece_bytes;
      if (at >= size) return std::nullopt;
      return core::FileExtent{at, std::min<std::uint64_t>(piece_bytes, size - at)};
    };
    reader = std::make_unique<core::ExtentReader>(source.input_.disk(), budget, pieces, piece_bytes,
                                                  read_depth(budget, piece_bytes, 1), 1);
    held_piece.emplace(held, *reader);
    decoder =
        std::make_unique<SuccessorDecoder>(budget, source.facts_.name, source.properties_, size, [this] {
          const core::ExtentReader::Loaded* const loaded = held_piece->next();
          return loaded == nullptr ? std::span<const std::byte>() : std::span<const std::byte>(loaded->bytes);
        });
  }

  void rewind() {
    held.release_all();
    reader->rewind();
    decoder->rewind();
  }

  std::unique_ptr<core::ExtentReader> reader;
  HeldExtents held;
  std::optional<HeldExtent> held_piece;
  std::unique_ptr<SuccessorDecoder> decoder;
};

class WebgraphSource::Lane final : public WorkingLane {
 public:
  Lane(WebgraphSource& source, const core::PairShape& shape)
      : source_(source),
        shape_(shape),
        rows_(source.environment_.memory, source.batch_edges_ * shape.row_bytes, "edges being read") {}

  RecordBatch next() override {
    const std::size_t count = source_.fill(shape_, rows_.bytes(), first_edge_);
    return {rows_.data(), count};
  }

 private:
  WebgraphSource& source_;
  const core::PairShape shape_;
  const core::Buffer rows_;  // attachments stay zero
};

WebgraphSource::WebgraphSource(core::Environment& environment, core::InputFile input,
                               const WebgraphProperties& properties, unsigned max_lanes)
    : LanedSource(environment), input_(std::move(input)), properties_(properties) {
  facts_.layout.id_bytes = properties.nodes <= std::uint64_t{1} << 32 ? 4 : 8;
  facts_.nodes = properties.nodes;
  facts_.edges = properties.arcs;
  facts_.order = EdgeOrder::source_target;
  facts_.unique = true;
  facts_.directed = true;
  facts_.name = input_.name();
  batch_edges_ = most_batch_edges;
  while (batch_edges_ > least_batch_edges &&
         batch_edges_ * most_row_bytes * max_lanes > environment_.memory.available() / 8) {
    batch_edges_ /= 2;
  }
  open_lanes(max_lanes, batch_edges_ * most_row_bytes);
}

WebgraphSource::~WebgraphSource() = default;

std::unique_ptr<WorkingLane> WebgraphSource::make_lane(const core::PairShape& shape) {
  if (reading_ == nullptr) reading_ = std::make_unique<Reading>(*this);
  return std::make_unique<Lane>(*this, shape);
}

void WebgraphSource::rewind() {
  if (reading_ != nullptr) reading_->rewind();
  left_ = {};
  edges_ = 0;
  ended_ = false;
}

std::size_t WebgraphSource::fill(const core::PairShape& shape, std::span<std::byte> rows,
                                 std::uint64_t& first_edge) {
  const std::lock_guard lock(mutex_);
  if (ended_) return 0;
  first_edge = edges_;
  // After an error no lane can continue.
  ended_ = true;
  const std::size_t count = shape.integer_bytes == 4 ? fill_rows<std::uint32_t>(shape, rows)
                                                     : fill_rows<std::uint64_t>(shape, rows);
  ended_ = count == 0;
  edges_ += count;
  return count;
}

std::vector<std::byte> WebgraphSource::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  if (count == 0 || properties_.arcs <= environment_.memory.available() / 2 / most_row_bytes) return records;
  Reading reading(*this);
  SuccessorDecoder& decoder = *reading.decoder;
  std::mt19937_64 random(environment_.seed);
  const std::uint64_t part = std::max<std::uint64_t>(1, properties_.arcs / count);
  std::uint64_t part_begin = 0;
  std::uint64_t place = random() % part;
  for (std::uint64_t arc = 0; !decoder.done();) {
    const std::span<const std::uint64_t> successors = decoder.next();
    for (; place < arc + successors.size(); part_begin += part, place = part_begin + random() % part) {
      const std::array<std::uint64_t, 2> ids = {decoder.node(), successors[place - arc]};
      const std::size_t at = records.size();
      records.resize(at + shape.row_bytes);
      // Little-endian: the low half is first.
      for (std::size_t i = 0; i < 2; ++i) {
        std::memcpy(&records[at + i * shape.integer_bytes], &ids[i], shape.integer_bytes);
      }
    }
    arc += successors.size();
  }
  return records;
}

template <class RowId>
std::size_t WebgraphSource::fill_rows(const core::PairShape& shape, std::span<std::byte> rows) {
  SuccessorDecoder& decoder = *reading_->decoder;
  const std::size_t room = rows.size() / shape.row_bytes;
  std::byte* out = rows.data();
  std::size_t count = 0;
  while (count < room) {
    if (left_.empty()) {
      if (decoder.done()) break;
      left_ = decoder.next();
      continue;
    }
    const auto source = static_cast<RowId>(decoder.node());
    const std::size_t take = std::min(left_.size(), room - count);
    for (const std::uint64_t target : left_.first(take)) {
      const std::array<RowId, 2> row = {source, static_cast<RowId>(target)};
      std::memcpy(out, row.data(), sizeof(row));
      out += shape.row_bytes;
    }
    left_ = left_.subspan(take);
    count += take;
  }
  return count;
}

}  // namespace emgraph::graph::format
