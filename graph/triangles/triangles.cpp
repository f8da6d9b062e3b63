// SPDX-License-Identifier: MIT
// Degrees, ranks, oriented lists, intersections: the pipeline of `triangles`.
#include "graph/triangles/triangles.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "graph/prepare/key_sort.hpp"
#include "graph/prepare/spooled_source.hpp"
#include "graph/triangles/choice.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/degree_ranks.hpp"

namespace emgraph::graph::triangles {
namespace {

using Keys = prepare::EdgeKeys<std::uint64_t>;
using Sorter = core::DistributionSorter<std::uint64_t, 0>;

std::uint64_t count_wedges(std::span<const std::uint32_t> degrees) {
  std::uint64_t wedges = 0;
  for (const std::uint64_t degree : degrees) wedges += degree * (degree - std::min<std::uint64_t>(degree, 1)) / 2;
  return wedges;
}

/// An input that is read twice; one that comes only once is spooled to the temporary disks meanwhile.
template <class R>
class TwoReadings {
 public:
  TwoReadings(core::Environment& environment, EdgeSource<R>& source)
      : environment_(environment), source_(source) {}

  /// First reading: `take(batch)` from any thread.
  template <class Take>
  prepare::IngestFacts first(const std::string& phase_name, const std::optional<std::uint64_t>& nodes,
                             Take&& take) {
    if (!source_.rewindable()) spool_.emplace(environment_, prepare::SpooledSource<R>::block_bytes, 4);
    core::Phase phase(environment_.progress, phase_name, source_.facts().edges.value_or(0), "edges");
    return prepare::ingest(prepare::open_lanes(environment_, source_), source_.facts().name, nodes, phase,
                           [&](unsigned, std::span<const R> batch) {
                             take(batch);
                             if (!spool_) return;
                             const std::lock_guard lock(mutex_);
                             spool_->append(batch);
                           });
  }
  EdgeSource<R>& second() {
    if (!spool_) {
      source_.rewind();
      return source_;
    }
    spooled_.emplace(environment_, source_.facts(), spool_->finish());
    spool_.reset();
    return *spooled_;
  }

 private:
  core::Environment& environment_;
  EdgeSource<R>& source_;
  std::mutex mutex_;
  std::optional<core::RunWriter<R>> spool_;
  std::optional<prepare::SpooledSource<R>> spooled_;
};

/// Pushes edges as keys of ranks, larger rank first. Step by step: the look-ups of a step do not wait for
/// each other.
template <class R>
void push_oriented(Sorter::Lane& lane, std::span<const R> batch, const DegreeRanks& ranks, const Keys& keys) {
  constexpr std::size_t step = 256;
  std::array<std::uint64_t, step> made;
  for (std::size_t done = 0; done < batch.size(); done += step) {
    std::size_t count = 0;
    for (const R& edge : batch.subspan(done, std::min(step, batch.size() - done))) {
      const Edge<Rank> ends = low_high(ranks[edge.source], ranks[edge.target]);
      made[count] = keys.make(ends.target, ends.source);
      count += edge.source != edge.target ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) lane.push({made[i]});
  }
}

template <class R>
Sorter::Options sorter_options(EdgeSource<R>& source, const DegreeRanks& ranks, const RankFacts& facts,
                               const Keys& keys) {
  Sorter::Options options;
  if (facts.ranks > 0) options.range = keys.range(facts.ranks - 1);
  options.records = ranks.edges();
  options.unique = true;
  for (const R& edge : source.sample(prepare::splitter_sample)) {
    if (edge.source == edge.target || std::max<std::uint64_t>(edge.source, edge.target) >= ranks.size()) continue;
    const Edge<Rank> ends = low_high(ranks[edge.source], ranks[edge.target]);
    options.sample.push_back(keys.make(ends.target, ends.source));
  }
  return options;
}

/// All sorted edges to `lists.add(u, v)`; returns the degrees by rank.
template <class Lists>
core::Array<std::uint32_t> emit(core::Environment& environment, Sorter& sorter, const Keys& keys,
                                std::uint64_t ranks, Lists& lists, Result& result) {
  core::Phase phase(environment.progress, "orient", sorter.records(), "edges");
  core::Array<std::uint32_t> degrees(environment.memory, static_cast<std::size_t>(ranks),
                                     "4 bytes per node for degrees");
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    for (const auto& record : batch) {
      const auto u = static_cast<Rank>(keys.first(record.key));
      const auto v = static_cast<Rank>(keys.second(record.key));
      lists.add(u, v);
      ++degrees[u];
      ++degrees[v];
    }
    result.simple_edges += batch.size();
    phase.advance(batch.size());
  }
  return degrees;
}

}  // namespace

template <class R>
Result run(core::Environment& environment, EdgeSource<R>& edges, const Options& options,
           const Outputs<typename R::id_type>& outputs) {
  const std::optional<std::uint64_t> declared = options.nodes ? options.nodes : edges.facts().nodes;
  const Demand demand{.model = options.model,
                      .memory_bytes = environment.memory.available(),
                      .id_bytes = sizeof(typename R::id_type),
                      .per_node = outputs.per_node != nullptr,
                      .list = outputs.list != nullptr};
  TwoReadings<R> readings(environment, edges);
  auto ranks = std::make_unique<DegreeRanks>(environment.memory, declared, demand.most_nodes());
  const prepare::IngestFacts read = readings.first("count degrees", declared, [&](std::span<const R> batch) {
    ranks->count(batch, prepare::largest_id(batch));
  });
  Result result;
  result.nodes = read.nodes(declared);
  result.edges = read.edges;
  if (ranks->gave_up()) check_nodes(demand, result.nodes);
  const RankFacts facts = ranks->assign();
  const Keys keys{prepare::bits_for_nodes(facts.ranks)};
  const MemoryModel model = choose_lists(demand, result.nodes, facts.ranks, ranks->edges());
  EdgeSource<R>& source = readings.second();
  auto sorter_options = triangles::sorter_options(source, *ranks, facts, keys);
  prepare::Lanes<R> lanes = prepare::open_lanes(environment, source);
  ListChunk lists;
  if (model == MemoryModel::internal) {
    lists = ListChunk(environment.memory, ranks->edges(), facts.ranks);
    lists.restart(0);
  }
  sorter_options.threads = static_cast<unsigned>(lanes.size());
  sorter_options.memory_bytes = prepare::sorter_memory(environment.memory);
  auto sorter = std::make_unique<Sorter>(environment, std::move(sorter_options));
  prepare::fill_sorter<R, std::uint64_t>(environment, source.facts(), "distribute", std::move(lanes), declared,
                                         *sorter, [&](Sorter::Lane& lane, std::span<const R> batch) {
                                           push_oriented(lane, batch, *ranks, keys);
                                         });
  ranks.reset();
  core::Array<std::uint32_t> degrees = emit(environment, *sorter, keys, facts.ranks, lists, result);
  lists.finish();
  sorter.reset();
  result.wedges = count_wedges(degrees.span());
  std::size_t longest = 0;
  const ListBatch all = lists.batch(0, lists.lists());
  for (std::size_t k = 0; k < all.lists; ++k) longest = std::max(longest, all.list(k).size());
  result.triangles = find_in_memory(environment, lists, longest, facts, nullptr).triangles;
  result.choice = describe_choice(demand, model, result.nodes, facts.ranks, result.simple_edges, 1);
  return result;
}

template Result run(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const Options&,
                    const Outputs<std::uint32_t>&);
template Result run(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const Options&,
                    const Outputs<std::uint64_t>&);

}  // namespace emgraph::graph::triangles
