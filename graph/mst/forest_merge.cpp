// SPDX-License-Identifier: MIT
// Steps of the tree: forests are sent in pieces, and pairs of them are reduced.
#include "graph/mst/forest_merge.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::mst {
namespace {

constexpr std::size_t piece_bytes = core::MiB;

/// Rows of a spool, some at a time.
class SpooledReader {
 public:
  SpooledReader(core::Environment& environment, const EdgeFacts& facts, const core::PairShape& shape,
                prepare::SpooledRows rows)
      : shape_(shape),
        source_(prepare::spooled_source(environment, facts, shape, std::move(rows))),
        lane_(source_->lane(shape)) {}

  /// Copies up to `most` rows; their number, 0 at the end.
  std::size_t read(std::byte* out, std::size_t most) {
    std::size_t count = 0;
    while (count < most) {
      if (batch_.count == 0) batch_ = lane_->next();
      if (batch_.count == 0) break;
      const std::size_t some = std::min(most - count, batch_.count);
      std::memcpy(out + count * shape_.row_bytes, batch_.records, some * shape_.row_bytes);
      batch_ = {batch_.records + some * shape_.row_bytes, batch_.count - some};
      count += some;
    }
    return count;
  }

 private:
  const core::PairShape shape_;
  std::shared_ptr<RecordSource> source_;
  std::unique_ptr<RecordLane> lane_;
  RecordBatch batch_;
};

/// The forests of the senders go to their receivers. A rank does one of both or nothing.
void transfer(core::Environment& environment, mpi::Communicator& communicator, const core::PairShape& shape,
              SpooledReader* from, std::uint64_t rows, std::size_t receiver, ForestSpool* into) {
  const std::size_t piece = piece_bytes / shape.row_bytes;
  const core::Buffer out(environment.memory, piece * shape.row_bytes, "edges to send");
  const core::Buffer in(environment.memory, piece * shape.row_bytes, "edges received");
  std::vector<std::uint64_t> out_counts(communicator.ranks());
  std::vector<std::uint64_t> in_counts(communicator.ranks());
  const std::uint64_t rounds = communicator.reduce(core::divide_up(rows, piece), mpi::Reduction::maximum);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (from != nullptr) out_counts[receiver] = from->read(out.data(), piece);
    communicator.exchange_words(out_counts, in_counts);
    communicator.exchange(out.data(), out_counts, 0, in.data(), in_counts, shape.row_bytes);
    std::uint64_t received = 0;
    for (const std::uint64_t count : in_counts) received += count;
    if (into != nullptr) into->append_rows(in.data(), static_cast<std::size_t>(received));
  }
}

}  // namespace

void ForestSpool::append(std::span<const ForestEdge> edges) {
  rows_.assign(edges.size() * shape_.row_bytes, std::byte{0});
  std::byte* row = rows_.data();
  for (const ForestEdge& edge : edges) {
    set_id(shape_, row, 0, edge.low);
    set_id(shape_, row, 1, edge.high);
    std::memcpy(row + 2 * shape_.integer_bytes, &edge.weight, shape_.attachment_bytes);
    row += shape_.row_bytes;
  }
  writer_.append(rows_.data(), edges.size());
}

prepare::SpooledRows widened(core::Environment& environment, const EdgeFacts& facts,
                             const core::PairShape& narrow, const core::PairShape& wide,
                             prepare::SpooledRows rows) {
  SpooledReader reader(environment, facts, narrow, std::move(rows));
  ForestSpool out(environment, wide);
  std::vector<std::byte> row(narrow.row_bytes);
  while (reader.read(row.data(), 1) == 1) {
    ForestEdge edge{.low = id_at(narrow, row.data(), 0), .high = id_at(narrow, row.data(), 1)};
    std::memcpy(&edge.weight, row.data() + 2 * narrow.integer_bytes, narrow.attachment_bytes);
    out.append(std::span(&edge, 1));
  }
  return out.finish();
}

template <class Id>
prepare::SpooledRows merge_forests(core::Environment& environment, mpi::Communicator& communicator,
                                   const EdgeFacts& facts, const mst::Options& options,
                                   prepare::SpooledRows own) {
  const core::PairShape shape = record_shape(facts.layout);
  const std::size_t rank = communicator.rank();
  for (std::size_t step = 1; step < communicator.ranks(); step *= 2) {
    if (rank % (2 * step) == step) {
      const std::uint64_t rows = own.rows;
      SpooledReader reader(environment, facts, shape, std::exchange(own, {}));
      transfer(environment, communicator, shape, &reader, rows, rank - step, nullptr);
    } else if (rank % (2 * step) == 0 && rank + step < communicator.ranks()) {
      ForestSpool both(environment, shape);
      {
        const core::Buffer rows(environment.memory, piece_bytes, "edges of a forest");
        const std::size_t piece = piece_bytes / shape.row_bytes;
        SpooledReader reader(environment, facts, shape, std::exchange(own, {}));
        while (const std::size_t count = reader.read(rows.data(), piece)) {
          both.append_rows(rows.data(), count);
        }
      }
      transfer(environment, communicator, shape, nullptr, 0, 0, &both);
      prepare::SpooledRows joined = both.finish();
      EdgeFacts joined_facts = facts;
      joined_facts.edges = joined.rows;
      EdgeSource<Id> source(prepare::spooled_source(environment, joined_facts, shape, std::move(joined)),
                            joined_facts, shape.attachment_bytes);
      ForestSpool forest(environment, shape);
      mst::run<Id>(environment, source, options, &forest);
      own = forest.finish();
    } else {
      transfer(environment, communicator, shape, nullptr, 0, 0, nullptr);
    }
  }
  return own;
}

template prepare::SpooledRows merge_forests<std::uint32_t>(core::Environment&, mpi::Communicator&,
                                                           const EdgeFacts&, const mst::Options&,
                                                           prepare::SpooledRows);
template prepare::SpooledRows merge_forests<std::uint64_t>(core::Environment&, mpi::Communicator&,
                                                           const EdgeFacts&, const mst::Options&,
                                                           prepare::SpooledRows);

}  // namespace emgraph::graph::mst
