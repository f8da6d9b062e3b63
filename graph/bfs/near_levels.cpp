// SPDX-License-Identifier: MIT
// Readings of all edges, and the source of those that are left. What is done once is cold: compiled for size.
#include "graph/bfs/near_levels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/bfs/largest_degree.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/adjacency/neighbour_stream.hpp"
#include "graph/prepare/changed_source.hpp"
#include "graph/sample_facts.hpp"

namespace emgraph::graph::bfs {
namespace {

constexpr std::uint64_t least_edges = std::uint64_t{1} << 16;
constexpr std::size_t sample_edges = std::size_t{1} << 17;
// Kronecker graphs of scale 22 and 24: 600 and 400 of the 2^18 ends in the sample are one node. Random graphs
// and grids: 2 to 4.
constexpr std::uint64_t least_copies_of_hub = 64;
// The share of edges that must have an end on the levels, and the least shares on levels 0 to 1 and 0 to 2
// for which it is worth another reading to find the next level.
constexpr double enough_seen = 0.75;
constexpr double worth_another[] = {3e-5, 0.05};
// Level 0 apart.
constexpr std::size_t most_levels = std::size(worth_another) + 1;
// Edges between fetching bits and testing them.
constexpr std::size_t edges_ahead = 16;

}  // namespace

template <class Id>
[[gnu::cold]] std::vector<Edge<Id>> NearLevels<Id>::sample_with_hub(EdgeSource<Id>& source,
                                                                    const Options& options) {
  const EdgeFacts& facts = source.facts();
  if (options.roots.size() > 1 || !source.rewindable() || !source.quick_to_reread()) return {};
  if (!facts.edges || *facts.edges < least_edges) return {};
  if (adjacency::streams_in_order(facts, options.directed)) return {};  // nothing is sorted
  std::vector<Edge<Id>> sample = source.sample(sample_edges);
  std::vector<std::uint64_t> ends;
  for (const Edge<Id>& edge : sample) {
    if (edge.source == edge.target) continue;
    ends.push_back(edge.source);
    ends.push_back(edge.target);
  }
  if (most_frequent(ends).count < least_copies_of_hub) sample.clear();
  return sample;
}

template <class Id>
[[gnu::cold]] std::uint64_t NearLevels<Id>::bytes_for(std::uint64_t nodes, bool parents) {
  const std::uint64_t bits = (most_levels + 2) * std::uint64_t{NodeBits::bytes_for(nodes)};
  return core::size_sum(bits, core::size_product(nodes, parents ? sizeof(Id) : 0),
                        (most_levels + 3) * core::page_bytes);
}

template <class Id>
[[gnu::cold]] std::unique_ptr<NearLevels<Id>> NearLevels<Id>::find(core::Environment& environment,
                                                                   EdgeSource<Id>& source,
                                                                   const Options& options, Demand demand) {
  const std::vector<Edge<Id>> sample = sample_with_hub(source, options);
  if (sample.empty()) return nullptr;
  const bool both = adjacency::both_directions(source.facts(), options.directed);
  std::unique_ptr<NearLevels> near(new NearLevels(environment, source, options, both));
  source.expect_rereading();
  const bool found = options.roots.empty() ? near->start_at_largest_degree(sample) : near->start_at_root();
  if (!found) return nullptr;
  demand.nodes = near->nodes_;
  const std::uint64_t bytes = bytes_for(near->nodes_, demand.parents);
  const std::size_t free = environment.memory.available();
  // The search begins beside them.
  if (bytes > free / 4 || core::size_sum(bytes, needs(demand).semi_external) > free) return nullptr;
  if (demand.parents) near->open_parents();
  return near->find_levels(sample) ? std::move(near) : nullptr;
}

/// Finds levels until a sample says that the far edges are few. False: they do not become few.
template <class Id>
[[gnu::cold]] bool NearLevels<Id>::find_levels(std::span<const Edge<Id>> sample) {
  visited_ = AtomicBits(environment_.memory, nodes_, "one bit per visited node");
  visited_.set(root_);
  nodes_per_level_.push_back(1);
  for (;;) {
    close_level();
    if (nodes_per_level_.back() == 0) return end_search();
    const double seen = seen_share(sample);
    far_share_ = 1 - seen;
    if (seen >= enough_seen) break;
    const std::size_t level = levels_.size();
    if (level == most_levels || seen < worth_another[level - 1]) return false;
    open_next_level();
    find_level();
  }
  open_next_level();
  return true;
}

/// The last level has no nodes.
template <class Id>
[[gnu::cold]] bool NearLevels<Id>::end_search() {
  next_ = std::move(levels_.back());
  levels_.pop_back();
  nodes_per_level_.pop_back();
  ended_ = true;
  far_share_ = 0;
  return true;
}

template <class Id>
[[gnu::cold]] void NearLevels<Id>::open_parents() {
  parents_ = core::Array<Id>(environment_.memory, static_cast<std::size_t>(nodes_), "a parent per node");
  // Those of the nodes on the levels to come are not looked at.
  std::ranges::fill(parents_.span(), static_cast<Id>(~Id{0}));
  parents_[static_cast<std::size_t>(root_)] = root_;
  next_->for_each_one(0, next_->words().size(),
                      [&](std::uint64_t node) { parents_[static_cast<std::size_t>(node)] = root_; });
}

template <class Id>
[[gnu::cold]] bool NearLevels<Id>::start_at_largest_degree(std::span<const Edge<Id>> sample) {
  std::optional<LargestDegree<Id>> largest =
      find_largest_degree(environment_, source_, options_, both_, sample);
  if (!largest) return false;
  read_ = largest->read;
  nodes_ = largest->nodes;
  root_ = largest->node;
  next_ = std::move(largest->neighbours);
  return true;
}

/// False if the neighbours take too much memory.
template <class Id>
[[gnu::cold]] bool NearLevels<Id>::start_at_root() {
  const EdgeFacts& facts = source_.facts();
  const std::optional<std::uint64_t> declared = declared_nodes<Id>(options_.nodes, facts);
  const std::uint64_t root = options_.roots.front();
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
  const std::size_t most = environment_.memory.available() / 64 / lanes.size() / sizeof(Id);
  const core::Reservation reserved =
      environment_.memory.reserve(most * lanes.size() * sizeof(Id), "the neighbours of the root");
  std::vector<std::vector<Id>> found(lanes.size());
  std::atomic<bool> too_many = false;
  {
    core::Phase phase(environment_.progress, "scan", *facts.edges, "edges");
    read_ =
        prepare::ingest(lanes, facts.name, declared, phase, [&](unsigned thread, const EdgeBatch<Id>& batch) {
          std::vector<Id>& here = found[thread];
          for (const Edge<Id>& edge : batch) {
            const bool from_root = edge.source == root;
            if (!from_root && !(both_ && edge.target == root)) continue;
            if (here.size() == most) {
              // Parallel edges may be most of them.
              std::ranges::sort(here);
              here.erase(std::unique(here.begin(), here.end()), here.end());
              if (here.size() > most / 2) too_many = true;
            }
            if (too_many) return;
            here.push_back(from_root ? edge.target : edge.source);
          }
        });
  }
  lanes.clear();
  source_.rewind();
  nodes_ = read_.nodes(declared);
  check_roots(options_, nodes_);
  if (too_many) return false;
  root_ = static_cast<Id>(root);
  open_next_level();
  for (const std::vector<Id>& some : found) {
    for (const Id node : some) {
      if (node != root_) next_->set(node);
    }
  }
  return true;
}

template <class Id>
[[gnu::cold]] void NearLevels<Id>::open_next_level() {
  next_.emplace(environment_.memory, nodes_, "one bit per node of a level");
}

template <class Id>
void NearLevels<Id>::close_level() {
  std::uint64_t count = 0;
  const std::span<const std::uint64_t> found = std::as_const(*next_).words();
  const std::span<std::uint64_t> visited = visited_.words();
  for (std::size_t word = 0; word < found.size(); ++word) {
    visited[word] |= found[word];
    count += static_cast<std::uint64_t>(std::popcount(found[word]));
  }
  nodes_per_level_.push_back(count);
  levels_.push_back(std::move(*next_));
  next_.reset();
}

template <class Id>
[[gnu::cold]] void NearLevels<Id>::find_level() {
  {
    prepare::Lanes<Id> lanes = prepare::open_lanes(environment_, source_);
    core::Phase phase(environment_.progress, "scan", read_.edges, "edges");
    const prepare::IngestFacts again = prepare::ingest(
        lanes, source_.facts().name, nodes_, phase, [&](unsigned, const EdgeBatch<Id>& batch) {
          for (std::size_t i = 0; i < batch.size(); ++i) {
            prefetch(batch[std::min(i + edges_ahead, batch.size() - 1)]);
            take(batch[i].source, batch[i].target);
          }
        });
    if (again.edges != read_.edges) prepare::refuse_changed(source_.facts().name);
  }
  source_.rewind();
}

template <class Id>
double NearLevels<Id>::seen_share(std::span<const Edge<Id>> edges) const {
  std::size_t seen = 0;
  for (const Edge<Id>& edge : edges) {
    // A file that is being changed may have other ids now.
    if (std::max(edge.source, edge.target) >= nodes_) prepare::refuse_changed(source_.facts().name);
    seen += edge.source == edge.target || visited_.test(edge.source) || visited_.test(edge.target);
  }
  return edges.empty() ? 0 : static_cast<double>(seen) / static_cast<double>(edges.size());
}

template <class Id>
bool NearLevels<Id>::take(Id source, Id target) {
  const bool from_source = visited_.test(source);
  const bool from_target = visited_.test(target);
  if (from_source && !from_target) reach(target, source);
  if (from_target && !from_source && both_) reach(source, target);
  // A directed edge to a visited node finds nothing.
  return !from_source && !from_target;
}

/// `parent` is on the last level: the neighbours of nodes on earlier ones have been visited.
template <class Id>
void NearLevels<Id>::reach(Id node, Id parent) {
  next_->set(node);
  if (parents_.size() == 0) return;
  const std::atomic_ref<Id> place(parents_[static_cast<std::size_t>(node)]);
  Id known = place.load(std::memory_order_relaxed);
  while (parent < known && !place.compare_exchange_weak(known, parent, std::memory_order_relaxed)) {
  }
}

/// Filters the batches of an inner lane while they are in the cache.
template <class Id>
class NearLevels<Id>::FarSource final : public prepare::ChangedSource {
 public:
  [[gnu::cold]] FarSource(core::Environment& environment, std::shared_ptr<RecordSource> inner,
                          const EdgeFacts& facts, NearLevels& near)
      : ChangedSource(environment, std::move(inner), plain(facts)), near_(near) {
    open_lanes(environment.threads, batch_bytes);
  }
  bool quick_to_reread() const override { return true; }
  [[gnu::cold]] std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override {
    std::vector<std::byte> edges = inner_->sample(shape, count);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < edges.size(); at += shape.row_bytes) {
      const Edge<Id> edge = edge_at(edges.data() + at);
      if (std::max(edge.source, edge.target) >= near_.nodes_) prepare::refuse_changed(facts_.name);
      if (near_.visited_.test(edge.source) || near_.visited_.test(edge.target)) continue;
      std::memmove(edges.data() + kept, edges.data() + at, shape.row_bytes);
      kept += shape.row_bytes;
    }
    edges.resize(kept);
    return edges;
  }

 private:
  class Lane final : public ChangedSource::Lane {
   public:
    Lane(const FarSource& source, core::MemoryBudget& memory, const core::PairShape& shape)
        : ChangedSource::Lane(source, memory, shape, "edges of the levels to come"), source_(source) {}

    RecordBatch next() override {
      if (source_.near_.ended_) return {};
      if (began_again()) done_ = batch_.count;
      std::size_t kept = 0;
      while (kept == 0) {
        if (done_ == batch_.count) {
          batch_ = inner_->next();
          done_ = 0;
          if (batch_.count == 0) return {};
          check(EdgeBatch<Id>(batch_.records, batch_.count, from_.row_bytes));
        }
        first_edge_ = inner_->first_edge() + done_;
        const std::size_t end = std::min(batch_.count, done_ + most_records_);
        for (; done_ < end; ++done_) {
          source_.near_.prefetch(edge_at(record(std::min(done_ + edges_ahead, batch_.count - 1))));
          const Edge<Id> edge = edge_at(record(done_));
          std::memcpy(records_.data() + kept * to_.row_bytes, &edge, sizeof(edge));
          kept += source_.near_.take(edge.source, edge.target) ? 1 : 0;
        }
      }
      return {records_.data(), kept};
    }

   private:
    void check(const EdgeBatch<Id>& batch) const {
      if (prepare::largest_id(batch) >= source_.near_.nodes_) prepare::refuse_changed(source_.facts_.name);
    }
    const FarSource& source_;
  };

  /// The inner source checks what its facts declare.
  static EdgeFacts plain(const EdgeFacts& facts) {
    EdgeFacts result;
    result.layout.id_bytes = facts.layout.id_bytes;
    result.name = facts.name;
    return result;
  }
  static Edge<Id> edge_at(const std::byte* record) {
    Edge<Id> edge;
    std::memcpy(&edge, record, sizeof(edge));
    return edge;
  }
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override {
    return std::make_unique<Lane>(*this, environment_.memory, shape);
  }
  core::PairShape inner_shape(const core::PairShape& shape) const override { return shape; }

  NearLevels& near_;
};

template <class Id>
[[gnu::cold]] EdgeSource<Id> NearLevels<Id>::far_edges() {
  EdgeFacts facts = source_.facts();
  facts.edges = std::nullopt;
  facts.most_edges = read_.edges;
  facts.nodes = nodes_;
  return EdgeSource<Id>(std::make_shared<FarSource>(environment_, source_.records(), facts, *this), facts, 0);
}

template class NearLevels<std::uint32_t>;

}  // namespace emgraph::graph::bfs
