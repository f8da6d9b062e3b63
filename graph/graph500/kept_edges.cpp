// SPDX-License-Identifier: MIT
// Generates, sorts by cell, codes; reads and decodes.
#include "graph/graph500/kept_edges.hpp"

#include <cstring>
#include <memory>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/sorter_memory.hpp"
#include "graph/forecast.hpp"
#include "graph/graph500/disk_values.hpp"

namespace emgraph::graph::graph500 {
namespace {

/// Edges as integers in the order of the cells.
struct CellKeys {
  Grid grid;
  std::uint64_t local_mask = (std::uint64_t{1} << grid.piece_bits) - 1;

  std::uint64_t make(Edge32 edge) const {
    const std::uint64_t low = std::min(edge.source, edge.target);
    const std::uint64_t high = std::max(edge.source, edge.target);
    const std::uint64_t locals = (low & local_mask) << grid.piece_bits | (high & local_mask);
    if (grid.pieces() == 1) return locals;
    const std::uint64_t cell =
        (low >> grid.piece_bits) << (grid.scale - grid.piece_bits) | high >> grid.piece_bits;
    return cell << 2 * grid.piece_bits | locals;
  }
  std::uint64_t cell(std::uint64_t key) const { return grid.pieces() == 1 ? 0 : key >> 2 * grid.piece_bits; }
  Edge32 edge(std::uint64_t key) const {
    const std::uint64_t at = cell(key);
    const std::uint64_t low = at >> (grid.scale - grid.piece_bits) << grid.piece_bits;
    const std::uint64_t high = (at & (grid.pieces() - 1)) << grid.piece_bits;
    return {static_cast<std::uint32_t>(low | (key >> grid.piece_bits & local_mask)),
            static_cast<std::uint32_t>(high | (key & local_mask))};
  }
  std::uint64_t largest() const { return ~std::uint64_t{0} >> (64 - 2 * grid.scale); }
};

core::DistributionSorter<std::uint64_t>::Options sort_options(const core::Environment& environment,
                                                              const CellKeys& keys, std::uint64_t edges,
                                                              bool weights) {
  core::DistributionSorter<std::uint64_t>::Options options;
  options.range = {0, keys.largest()};
  options.records = edges;
  options.memory_bytes = core::sorter_memory(environment.memory);
  options.attachment_bytes = weights ? sizeof(float) : 0;
  options.threads = pass_threads(environment);
  return options;
}

/// Generates the edges on all threads and sorts them by cell. Weights are attached.
std::unique_ptr<core::DistributionSorter<std::uint64_t>> sorted_by_cell(core::Environment& environment,
                                                                        const EdgeList& list,
                                                                        const CellKeys& keys, bool weights) {
  const unsigned threads = pass_threads(environment);
  core::Reservation room = environment.memory.reserve(threads * edge_pass_bytes, "edges being generated");
  auto sorter = std::make_unique<core::DistributionSorter<std::uint64_t>>(
      environment, sort_options(environment, keys, list.count, weights));
  room.release();
  core::Phase phase(environment.progress, "keep edges", list.count, "edges");
  EdgePass pass(list, weights);
  core::run_on_threads(threads, [&](unsigned thread) {
    auto& lane = sorter->lane(thread);
    pass.run(environment.memory,
             [&](std::uint64_t, std::span<const Edge32> edges, std::span<const float> of_edges) {
               for (std::size_t i = 0; i < edges.size(); ++i) {
                 weights ? lane.push_with(keys.make(edges[i]), of_edges[i]) : lane.push(keys.make(edges[i]));
               }
               phase.advance(edges.size());
             });
    lane.finish();
  });
  return sorter;
}

}  // namespace

/// Codes some edges of one cell at a time, and writes them behind a Header. Weights go beside them.
class KeptEdges::Writer {
 public:
  Writer(core::Environment& environment, bool weights, std::size_t block_bytes)
      : pairs_(environment, block_bytes),
        weights_(weights ? std::make_optional<core::RunWriter<float>>(environment, block_bytes)
                         : std::nullopt),
        encoder_(environment.memory, {.codec = core::Codec::delta}, layout, edges_together) {
    together_.reserve(edges_together);
  }

  void push(Edge32 edge) {
    together_.push_back(edge);
    if (together_.size() == edges_together) end_cell();
  }
  void end_cell() {
    if (together_.empty()) return;
    const auto coded = encoder_.encode(std::as_bytes(std::span(together_)));
    const Header header{static_cast<std::uint32_t>(together_.size()),
                        static_cast<std::uint32_t>(coded.bytes.size()), coded.codec};
    pairs_.append(std::as_bytes(std::span(&header, 1)));
    pairs_.append(coded.bytes);
    together_.clear();
  }
  void push_weights(const std::byte* weights, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      float weight;
      std::memcpy(&weight, weights + i * sizeof weight, sizeof weight);
      weights_->push(weight);
    }
  }
  void finish(KeptEdges& kept) {
    end_cell();
    kept.pairs_ = pairs_.finish();
    if (weights_) kept.weights_ = weights_->finish();
  }

 private:
  core::RunWriter<std::byte> pairs_;
  std::optional<core::RunWriter<float>> weights_;
  core::PairEncoder encoder_;
  std::vector<Edge32> together_;  ///< of one cell
};

KeptEdges::KeptEdges(core::Environment& environment, const EdgeList& list, const Grid& grid, bool weights)
    : grid_(grid), edges_of_cell_(static_cast<std::size_t>(grid.cells())) {
  sort(environment, list, weights);
}

core::SpillForecast KeptEdges::rehearse(core::Environment& environment, const Grid& grid, std::uint64_t edges,
                                        bool weights, core::SpillForecast& kept) {
  const std::size_t writers = 2 * run_block_bytes(environment.memory) * (weights ? 2 : 1);
  const core::Reservation held = environment.memory.reserve_up_to(
      writers + edges_together * 3 * sizeof(Edge32) + pass_threads(environment) * edge_pass_bytes);
  auto options = sort_options(environment, CellKeys{grid}, edges, weights);
  options.rehearse = true;
  core::DistributionSorter<std::uint64_t> sorter(environment, std::move(options));
  const core::SpillForecast spill = sorter.rehearse_distribution(edges);
  sorter.rehearse_sorting(edges);
  // Gaps of a Kronecker graph's edges take some four bytes (README.md), pairs that are not coded eight.
  constexpr std::uint64_t most_pair = 8;
  constexpr std::uint64_t likely_pair = 4;
  const std::uint64_t weight = weights ? sizeof(float) : 0;
  kept = {.most_bytes = core::size_product(edges, most_pair + weight),
          .expected_bytes = core::size_product(edges, likely_pair + weight)};
  return {
      .most_bytes = peak_while_sort_is_read(spill.most_bytes, spill.whole_bytes, kept.most_bytes),
      .expected_bytes = peak_while_sort_is_read(spill.expected_bytes, spill.whole_bytes, kept.expected_bytes),
      .whole_bytes = spill.whole_bytes};
}

void KeptEdges::sort(core::Environment& environment, const EdgeList& list, bool weights) {
  const CellKeys keys{grid_};
  Writer writer(environment, weights, run_block_bytes(environment.memory));
  const auto sorter = sorted_by_cell(environment, list, keys, weights);
  sorter->finish();

  core::Phase phase(environment.progress, "sort edges", list.count, "edges");
  std::optional<std::uint64_t> cell;
  std::size_t number = 0;  // of the cell, among those on and above the diagonal
  for (auto batch = sorter->next(); !batch.empty(); batch = sorter->next()) {
    for (const std::uint64_t key : batch) {
      if (keys.cell(key) != cell) {
        writer.end_cell();
        cell = keys.cell(key);
        const std::uint64_t i = *cell >> (grid_.scale - grid_.piece_bits);
        const std::uint64_t j = *cell & (grid_.pieces() - 1);
        number = static_cast<std::size_t>(i * grid_.pieces() - i * (i + 1) / 2 + j);
      }
      ++edges_of_cell_[number];
      writer.push(keys.edge(key));
    }
    if (weights) writer.push_weights(sorter->attachments(), batch.size());
    phase.advance(batch.size());
  }
  writer.finish(*this);
}

KeptEdges::Pass::Place::Place(core::MemoryBudget& memory, bool with_weights)
    : coded(memory, edges_together * sizeof(Edge32), "coded edges"),
      edges(memory, edges_together, "edges"),
      weights(memory, with_weights ? edges_together : 0, "weights"),
      decoder(memory, layout, edges_together, false) {}

KeptEdges::Pass::Pass(core::Environment& environment, const KeptEdges& kept, bool weights)
    : kept_(kept), pairs_(environment, kept.pairs_) {
  if (weights) weights_.emplace(environment, kept.weights_);
  const unsigned threads = pass_threads(environment);
  places_.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) places_.emplace_back(environment.memory, weights);
}

template <class T>
void KeptEdges::Pass::copy(core::RunReader<T>& reader, std::span<const T>& batch, std::span<T> out) {
  while (!out.empty()) {
    if (batch.empty()) batch = reader.next();
    const std::size_t count = std::min(batch.size(), out.size());
    std::copy_n(batch.begin(), count, out.begin());
    batch = batch.subspan(count);
    out = out.subspan(count);
  }
}

std::size_t KeptEdges::Pass::read(Place& place) {
  Header header;
  {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return 0;
    copy(pairs_, pairs_batch_, std::as_writable_bytes(std::span(&header, 1)));
    copy(pairs_, pairs_batch_, place.coded.bytes().first(header.bytes));
    if (weights_) copy(*weights_, weights_batch_, place.weights.span().first(header.edges));
    left_ -= header.edges;
  }
  const std::string_view fault =
      place.decoder.decode(header.codec, place.coded.bytes().first(header.bytes), header.bytes, header.edges,
                           {}, reinterpret_cast<std::byte*>(place.edges.data()));
  if (!fault.empty()) throw core::DataError("edges on the temporary disks: " + std::string(fault));
  return header.edges;
}

}  // namespace emgraph::graph::graph500
