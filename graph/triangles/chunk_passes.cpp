// SPDX-License-Identifier: MIT
// Massive triangulation: chunks of the oriented lists in memory, the rest streamed past them.
//
// Problem: all triangles u > v > w of oriented lists that may not fit in memory. Method: sources are taken in
// chunks first … end - 1 that do fit. A triangle is found in the pass whose chunk has the list of v. The list
// of u is in the same chunk or behind it. So a pass intersects the lists of its chunk with each other and
// with the stream of the lists behind it (intersect_kernel.cpp). When all lists fit, there is one chunk and
// no stream. Source: Hu, Tao, Chung 2013, doi 10.1145/2463676.2463704 (MGT).
//
// I/O: for E edges and chunks of M, E + E²/2M words in. Memory: all that is free, at least what the longest
// list, a segment and a few blocks take. Threads: all; triangles are counted exactly whatever the schedule.
// Throws: MemoryLimitError, EnvironmentError.
#include "graph/triangles/chunk_passes.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "graph/triangles/intersect_kernel.hpp"

namespace emgraph::graph::triangles {
namespace {

// Lists that a thread takes at a time. Few, because the lists of the hubs' neighbours are long.
constexpr std::size_t lists_at_a_time = 256;
constexpr std::size_t most_batch_words = 128 * 1024;

/// Number of ranks with rows of bits: the candidates whose rows fit into an eighth of the memory.
Rank choose_hubs(std::size_t memory_bytes, std::uint64_t candidates) {
  auto hubs = static_cast<Rank>(std::min(candidates, most_hubs));
  while (hubs > 0 && HubRows::bytes_for(hubs) > memory_bytes / 8) hubs -= (hubs + 7) / 8;
  return hubs;
}

std::size_t bits_bytes(std::uint64_t marked) {
  return core::round_up(core::round_up(marked + 1, HubRows::line_bits) / 8, core::page_bytes);
}

/// The threads with their scratch space.
class Team {
 public:
  Team(core::Environment& environment, unsigned threads, std::uint64_t marked, std::size_t longest_list,
       TriangleSink* sink)
      : sink_(sink) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      Member& member = members_.emplace_back();
      member.bits = core::Buffer(environment.memory, bits_bytes(marked), "one bit per node and thread");
      if (sink != nullptr) {
        member.thirds =
            core::Array<Rank>(environment.memory, longest_list + list_slack, "triangles of an edge");
      }
      member.scratch = {.bits = reinterpret_cast<std::uint64_t*>(member.bits.data()),
                        .marked = static_cast<Rank>(marked),
                        .thirds = member.thirds.data()};
    }
  }
  static std::size_t bytes_for(unsigned threads, std::uint64_t marked, std::size_t longest_list) {
    return threads * (bits_bytes(marked) + (longest_list + list_slack) * sizeof(Rank) + core::page_bytes);
  }

  unsigned threads() const { return static_cast<unsigned>(members_.size()); }
  void find(unsigned thread, const ChunkView& chunk, const ListBatch& batch) {
    Member& member = members_[thread];
    member.triangles += sink_ == nullptr ? count_triangles(chunk, batch, member.scratch)
                                         : collect_triangles(chunk, batch, member.scratch, *sink_, thread);
  }
  std::uint64_t triangles() const {
    std::uint64_t all = 0;
    for (const Member& member : members_) all += member.triangles;
    return all;
  }

 private:
  struct Member {
    core::Buffer bits;
    core::Array<Rank> thirds;
    IntersectScratch scratch;
    std::uint64_t triangles = 0;
  };
  TriangleSink* sink_;
  std::vector<Member> members_;
};

/// Calls `work(thread, begin, end)` for all parts of first … count - 1 on all threads, first parts first.
/// Returns `count`, or what is done when `kept` is due; it may be null.
template <class Work>
std::size_t in_parts(unsigned threads, std::size_t first, std::size_t count, const KeptPasses* kept,
                     Work&& work) {
  std::atomic<std::size_t> next{first};
  core::run_on_threads(threads, [&](unsigned thread) {
    try {
      do {  // at least one part, so that there is progress however short the period is
        const std::size_t begin = next.fetch_add(lists_at_a_time);
        if (begin >= count) break;
        work(thread, begin, std::min(begin + lists_at_a_time, count));
      } while (kept == nullptr || !kept->checkpoint.due());
    } catch (...) {
      next.store(count);
      throw;
    }
  });
  return std::min(next.load(), count);
}

/// Seals the position of the passes. All threads pause.
void seal(const Team& team, const PassPosition& at, KeptPasses& kept) {
  PassPosition position = at;
  position.triangles = kept.position.triangles + team.triangles();
  kept.seal(position);
}

void fill_hubs(const HubRows& hubs, const ListChunk& lists, unsigned threads) {
  const std::size_t rows = std::min(hubs.size(), lists.end()) - std::min(hubs.size(), lists.first());
  in_parts(threads, 0, rows, nullptr, [&](unsigned, std::size_t begin, std::size_t end) {
    const ListBatch batch = lists.batch(begin, end);
    for (std::size_t k = 0; k < batch.lists; ++k) {
      for (const Rank w : batch.list(k)) hubs.set(batch.source(k), w);
    }
  });
}

/// Intersects pairs of lists of the chunk, from at.lists on.
void find_within(Team& team, const ListChunk& lists, const HubRows& hubs, core::Phase& phase,
                 PassPosition& at, KeptPasses* kept) {
  const ChunkView view = lists.view(hubs);
  phase.advance(at.lists);
  while (at.lists < lists.lists()) {
    at.lists = in_parts(team.threads(), static_cast<std::size_t>(at.lists), lists.lists(), kept,
                        [&](unsigned thread, std::size_t begin, std::size_t end) {
                          team.find(thread, view, lists.batch(begin, end));
                          phase.advance(end - begin);
                        });
    if (at.lists < lists.lists()) seal(team, at, *kept);
  }
}

/// The lists of a batch whose source is not below `source`.
ListBatch from_source(ListBatch batch, std::uint64_t source) {
  const auto skip = static_cast<std::size_t>(
      std::lower_bound(batch.sources, batch.sources + batch.lists, source) - batch.sources);
  batch.sources += skip;
  batch.begins += skip;
  batch.ends += skip;
  batch.lists -= skip;
  return batch;
}

/// Intersects the lists after the chunk with those of the chunk, from source at.behind on.
void find_behind(Team& team, const ListChunk& lists, const HubRows& hubs, ListStream& stream,
                 std::vector<ListBuffer>& buffers, core::Phase& phase, PassPosition& at, KeptPasses* kept) {
  const ChunkView view = lists.view(hubs);
  const std::uint64_t from = at.behind;
  std::mutex mutex;
  bool ended = false;
  while (!ended) {
    core::run_on_threads(team.threads(), [&](unsigned thread) {
      ListBuffer& buffer = buffers[thread];
      try {
        do {
          ListBatch batch;
          {
            const std::lock_guard lock(mutex);
            if (ended || !stream.next(buffer)) {
              ended = true;
              break;
            }
            batch = buffer.batch();
            at.behind = std::uint64_t{batch.source(batch.lists - 1)} + 1;
          }
          batch = from_source(batch, from);
          team.find(thread, view, batch);
          phase.advance(batch.lists);
        } while (kept == nullptr || !kept->checkpoint.due());
      } catch (...) {
        const std::lock_guard lock(mutex);
        ended = true;
        throw;
      }
    });
    if (!ended) seal(team, at, *kept);
  }
}

/// Loads segments from `begin` on up to `known_end`, or as many as fit if that is `begin`; returns the first
/// segment that does not fit.
std::size_t load_chunk(core::Environment& environment, const ListSegments& lists, std::size_t begin,
                       std::size_t known_end, std::size_t memory_bytes, ListChunk& chunk,
                       ListBuffer& buffer) {
  const auto& segments = lists.segments;
  std::uint64_t edges = 0;
  std::size_t end = begin;
  for (; known_end > begin ? end < known_end : end < segments.size(); ++end) {
    const std::uint64_t sources = segments[end].end - segments[begin].first;
    if (end > begin && known_end == begin &&
        (ListChunk::bytes_for(edges + segments[end].edges, sources) > memory_bytes ||
         edges + segments[end].edges > most_ranks)) {
      break;
    }
    edges += segments[end].edges;
  }
  chunk = {};
  chunk = ListChunk(environment.memory, edges, segments[end - 1].end - segments[begin].first);
  chunk.restart(segments[begin].first);
  ListStream stream(environment, lists, begin, end);
  while (stream.next(buffer)) {
    const ListBatch batch = buffer.batch();
    for (std::size_t k = 0; k < batch.lists; ++k) chunk.add_list(batch.source(k), batch.list(k));
  }
  chunk.finish();
  return end;
}

}  // namespace

PassResult find_in_memory(core::Environment& environment, const ListChunk& lists, const RankFacts& facts,
                          TriangleSink* sink, KeptPasses* kept) {
  std::size_t longest_list = 0;
  const ListBatch all = lists.batch(0, lists.lists());
  for (std::size_t k = 0; k < all.lists; ++k) longest_list = std::max(longest_list, all.list(k).size());
  core::Phase phase(environment.progress, "intersect", lists.lists(), "nodes");
  const unsigned threads = environment.threads;
  const std::size_t free = environment.memory.available();
  const bool mark_all = Team::bytes_for(threads, lists.end(), longest_list) <= free / 2;
  HubRows hubs;
  const Rank size = std::min(choose_hubs(free, facts.hub_candidates), lists.end());
  if (size > 0) hubs = HubRows(environment.memory, size);
  fill_hubs(hubs, lists, threads);
  Team team(environment, threads, mark_all ? lists.end() : size, longest_list, sink);
  PassPosition at = kept != nullptr ? kept->position : PassPosition{};
  at.chunks = 1;
  find_within(team, lists, hubs, phase, at, kept);
  return {.triangles = (kept != nullptr ? kept->position.triangles : 0) + team.triangles()};
}

PassResult find_in_chunks(core::Environment& environment, const ListSegments& lists, const RankFacts& facts,
                          TriangleSink* sink, KeptPasses* kept) {
  PassPosition at = kept != nullptr ? kept->position : PassPosition{};
  PassResult result{.triangles = 0, .chunks = at.chunks};
  if (lists.segments.empty()) return result;
  const unsigned threads = environment.threads;
  const std::size_t free = environment.memory.available();
  const std::uint64_t ranks = lists.segments.back().end;
  const bool mark_all = Team::bytes_for(threads, ranks, lists.longest_list) <= free / 4;
  const auto hub_size =
      static_cast<Rank>(std::min<std::uint64_t>(choose_hubs(free, facts.hub_candidates), ranks));
  Team team(environment, threads, mark_all ? ranks : hub_size, lists.longest_list, sink);
  const std::size_t batch_words =
      std::max(std::min(free / 64 / threads / sizeof(Rank), most_batch_words), lists.longest_list + 2);
  std::vector<ListBuffer> buffers;
  for (unsigned thread = 0; thread < threads; ++thread) buffers.emplace_back(environment.memory, batch_words);

  HubRows hubs;
  if (hub_size > 0 && at.chunks <= 1) hubs = HubRows(environment.memory, hub_size);
  ListChunk chunk;
  bool resumed = at.chunks > 0;
  if (resumed && (at.begin >= at.end || at.end > lists.segments.size())) {
    throw core::EnvironmentError("the checkpoint describes other lists than those of this input");
  }
  for (std::size_t begin = resumed ? static_cast<std::size_t>(at.begin) : 0; begin < lists.segments.size();) {
    const std::size_t known_end = resumed ? static_cast<std::size_t>(at.end) : begin;
    if (!std::exchange(resumed, false)) at = {.chunks = ++result.chunks, .begin = begin};
    const std::string suffix = begin == 0 ? "" : ", chunk " + std::to_string(result.chunks);
    const std::size_t stream_bytes = 2 * core::RunReader<std::uint32_t>::memory_bytes(
                                             lists.segments[0].words.block_bytes(), SegmentPlan::depth);
    chunk = {};
    const std::size_t left = environment.memory.available();
    const std::size_t others = left / 32;
    const std::size_t chunk_bytes = left - std::min(left, stream_bytes + others);
    core::Phase phase(environment.progress, "intersect" + suffix, ranks - lists.segments[begin].first,
                      "nodes");
    begin = load_chunk(environment, lists, begin, known_end, chunk_bytes, chunk, buffers[0]);
    at.end = begin;
    if (hubs.size() > 0) fill_hubs(hubs, chunk, threads);
    std::size_t behind = begin;
    while (behind < lists.segments.size() && lists.segments[behind].end <= at.behind) ++behind;
    ListStream stream(environment, lists, behind, lists.segments.size(), chunk.first(), chunk.end());
    find_within(team, chunk, hubs, phase, at, kept);
    find_behind(team, chunk, hubs, stream, buffers, phase, at, kept);
    hubs = {};
  }
  result.triangles = (kept != nullptr ? kept->position.triangles : 0) + team.triangles();
  return result;
}

}  // namespace emgraph::graph::triangles
