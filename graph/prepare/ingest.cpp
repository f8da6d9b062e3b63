// SPDX-License-Identifier: MIT
// Reads lanes on all threads, with pauses for a checkpoint.
#include "graph/prepare/ingest.hpp"

#include <atomic>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace emgraph::graph::prepare {
namespace {

constexpr std::uint64_t last_64_bit_id = ~std::uint64_t{0};

std::string place_of_last_id(const EdgeBatch<std::uint64_t>& batch, const BatchPlace& place) {
  std::size_t at = 0;
  while (batch[at].source != last_64_bit_id && batch[at].target != last_64_bit_id) ++at;
  return *place.file + ": edge " + std::to_string(place.first_edge + at);
}

template <class Id>
using TakeBatch = core::FunctionRef<void(unsigned, const EdgeBatch<Id>&, std::uint64_t)>;

/// Reads on all lanes until the checkpoint is due or the end, and notes lanes that have ended. Edges before
/// `sealed.from` were taken by an earlier run. A lane that holds edges does not pause: the larger the number
/// of lanes, the rarer is a moment at which by chance none holds any. `end`: behind the last edge that any
/// lane has given so far. Returns true if what was read is a prefix of the input.
template <class Id>
bool read_until_due(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound, core::Phase& phase,
                    const SealedReading& sealed, IngestFacts& read, std::uint64_t& end,
                    std::vector<char>& ended, const TakeBatch<Id>& take) {
  const std::uint64_t from = sealed.from.edges;
  std::vector<IngestFacts> facts(lanes.size());
  std::vector<std::uint64_t> ends(lanes.size(), end);
  std::atomic<bool> pause{false};
  core::run_on_threads(static_cast<unsigned>(lanes.size()), [&](unsigned thread) {
    try {
      const EdgeLane<Id>& lane = lanes[thread];
      while (!ended[thread] && (lane.holds_edges() || !pause.load(std::memory_order_relaxed))) {
        const EdgeBatch<Id> all = lane.next();
        if (all.empty()) {
          ended[thread] = 1;
          return;
        }
        const std::uint64_t first = lane.first_edge();
        const EdgeBatch<Id> batch = from_edge(all, first, from);
        ends[thread] = std::max(ends[thread], first + all.size());
        const std::uint64_t largest = check_ids(all, bound, lane.place(name));
        facts[thread].merge({batch.size(), largest});
        if constexpr (sizeof(Id) == 8) {
          if (largest == last_64_bit_id && facts[thread].name.empty()) {
            facts[thread].name = place_of_last_id(all, lane.place(name));
          }
        }
        take(thread, batch, std::max(first, from));
        phase.advance(batch.size());
        if (sealed.checkpoint == nullptr) continue;
        if (!sealed.seal) {
          sealed.checkpoint->stop_if_asked();
        } else if (sealed.checkpoint->due()) {
          pause = true;
        }
      }
    } catch (...) {
      pause = true;
      throw;
    }
  });
  for (const IngestFacts& part : facts) {
    read.merge(part);
    if (!part.name.empty()) read.name = part.name;  // the message of nodes() names the edge
  }
  end = *std::max_element(ends.begin(), ends.end());
  return read.edges == end;
}

}  // namespace

void refuse_changed(const std::string& name) {
  throw core::DataError::in_file(
      name, "its second reading gives other edges than the first: it was changed while it was read");
}

std::uint64_t IngestFacts::nodes(const std::optional<std::uint64_t>& declared) const {
  if (!declared && largest_id == last_64_bit_id) {
    throw core::DataError((name.empty() ? name : name + ": ") +
                          "id 18446744073709551615 found, expected ids below it: n would not fit 64 bits");
  }
  return declared ? *declared : edges == 0 ? 0 : largest_id + 1;
}

template <class Id>
void refuse_ids(const EdgeBatch<Id>& batch, const IdBound& bound, const BatchPlace& place) {
  if (bound.guessed) throw GuessFailed();
  const std::uint64_t nodes = *bound.below;
  std::size_t bad = 0;
  while (std::max<std::uint64_t>(batch[bad].source, batch[bad].target) < nodes) ++bad;
  throw core::DataError(*place.file + ": edge " + std::to_string(place.first_edge + bad) + ": id " +
                        std::to_string(std::max<std::uint64_t>(batch[bad].source, batch[bad].target)) +
                        " found, expected ids below " + std::string(bound.what) + ", " +
                        std::to_string(nodes));
}

unsigned working_threads(const core::Environment& environment, std::size_t row_bytes) {
  const std::size_t least_share_bytes = 32 * 1024 * row_bytes;
  const std::size_t affordable = std::max<std::size_t>(1, environment.memory.available() / least_share_bytes);
  return static_cast<unsigned>(std::min<std::size_t>(environment.threads, affordable));
}

template <class Id>
Lanes<Id> open_lanes(core::Environment& environment, EdgeSource<Id>& source) {
  Lanes<Id> lanes;
  const unsigned threads = working_threads(environment, source.shape().row_bytes);
  for (unsigned thread = 0; thread < threads; ++thread) lanes.push_back(source.lane());
  return lanes;
}

template <class Id>
IngestFacts ingest_batches(const Lanes<Id>& lanes, const std::string& name, const IdBound& bound,
                           core::Phase& phase, TakeBatch<Id> take, const SealedReading& sealed) {
  IngestFacts read = sealed.from;
  read.name = name;
  phase.advance(read.edges);
  std::vector<char> ended(lanes.size(), 0);
  std::uint64_t end = sealed.from.edges;
  for (;;) {
    const bool prefix = read_until_due(lanes, name, bound, phase, sealed, read, end, ended, take);
    if (std::all_of(ended.begin(), ended.end(), [](char lane) { return lane != 0; })) return read;
    if (prefix) {
      sealed.seal(read);
    } else {
      sealed.checkpoint->stop_if_asked();
    }
  }
}

std::string edges_read(const std::string& phase, std::uint64_t edges,
                       const std::optional<std::uint64_t>& all) {
  return phase + ": " + core::format_count(edges) + (all ? " of " + core::format_count(*all) : "") +
         " edges are read";
}

template void refuse_ids(const EdgeBatch<std::uint32_t>&, const IdBound&, const BatchPlace&);
template void refuse_ids(const EdgeBatch<std::uint64_t>&, const IdBound&, const BatchPlace&);
template IngestFacts ingest_batches(const Lanes<std::uint32_t>&, const std::string&, const IdBound&,
                                    core::Phase&, TakeBatch<std::uint32_t>, const SealedReading&);
template IngestFacts ingest_batches(const Lanes<std::uint64_t>&, const std::string&, const IdBound&,
                                    core::Phase&, TakeBatch<std::uint64_t>, const SealedReading&);
template Lanes<std::uint32_t> open_lanes(core::Environment&, EdgeSource<std::uint32_t>&);
template Lanes<std::uint64_t> open_lanes(core::Environment&, EdgeSource<std::uint64_t>&);

}  // namespace emgraph::graph::prepare
