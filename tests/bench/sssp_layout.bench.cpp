// SPDX-License-Identifier: MIT
// Two questions of a diary of 2008 that `emgraph sssp` has no options for: do the alignment of the arrays,
// and arcs sorted by length, matter? bench_sssp_layout ARCS.u32w QUERIES.p2p [REPEATS]
//
// The arcs (source, target, length of 4 bytes each) become rows in memory. For each queue, the ten queries of
// the file and a search of all nodes from the first source are timed on one thread, with arrays at exact
// multiples of 8 to 8192 bytes, and with the arcs of each node in the given order and by length. A line of
// JSON per measurement; times are medians.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/dijkstra.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/queues.hpp"

namespace {

using namespace emgraph;
using graph::sssp::IntegerDistances;
using Id = std::uint32_t;
using Arc = graph::sssp::Arc<Id, std::uint32_t>;

struct Edge {
  Id source;
  Id target;
  std::uint32_t length;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// An array whose address is a multiple of `alignment`, and not of twice as much.
template <class T>
class AlignedArray {
 public:
  AlignedArray(core::MemoryBudget& budget, std::size_t size, std::size_t alignment)
      : buffer_(budget, size * sizeof(T) + 4 * alignment, "an array"), size_(size) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer_.data());
    const std::uintptr_t begin =
        (address + 2 * alignment - 1) / (2 * alignment) * (2 * alignment) + alignment;
    data_ = reinterpret_cast<T*>(buffer_.data() + (begin - address));
  }
  T* data() const { return data_; }
  std::span<T> span() const { return {data_, size_}; }

 private:
  core::Buffer buffer_;
  std::size_t size_;
  T* data_;
};

/// What the searches need of rows.
struct Rows {
  using Id = ::Id;
  std::uint64_t count;
  const std::uint32_t* offsets;
  const Arc* all;

  std::uint64_t nodes() const { return count; }
  std::span<const Arc> arcs(std::uint64_t node) const {
    return {all + offsets[node], all + offsets[node + 1]};
  }
  const std::uint32_t* offset_of(std::uint64_t node) const { return offsets + node; }
  const Arc* first_arc(std::uint64_t node) const { return all + offsets[node]; }
};

/// Rows from edges by counting.
struct Graph {
  std::vector<std::uint32_t> offsets;
  std::vector<Arc> arcs;
  std::uint64_t longest = 0;

  explicit Graph(const std::vector<Edge>& edges) {
    Id nodes = 0;
    for (const Edge& edge : edges) nodes = std::max({nodes, edge.source + 1, edge.target + 1});
    offsets.resize(nodes + std::size_t{1});
    arcs.resize(edges.size());
    for (const Edge& edge : edges) ++offsets[edge.source];
    std::uint32_t end = 0;
    for (std::uint32_t& offset : offsets) offset = end += offset;
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
      arcs[--offsets[edge->source]] = {edge->target, edge->length};
      longest = std::max<std::uint64_t>(longest, edge->length);
    }
  }
  void sort_by_length() {
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
      std::sort(arcs.begin() + offsets[v], arcs.begin() + offsets[v + 1], [](const Arc& a, const Arc& b) {
        return std::pair{std::uint32_t{a.length}, Id{a.target}} <
               std::pair{std::uint32_t{b.length}, Id{b.target}};
      });
    }
  }
};

/// Ends a search at its target, and remembers what it reached.
struct UntilTarget {
  const std::uint64_t* distance;
  Id target;
  std::vector<Id>& reached;
  bool goes_on(std::uint64_t key) const { return key <= distance[target]; }
  void first_reached(Id node) const { reached.push_back(node); }
  static void settled() {}
};

struct Measured {
  double queries = 0;
  double full = 0;
  std::uint64_t check = 0;  ///< of the answers
};

template <class MakeQueue>
Measured measure(const Rows& rows, std::span<std::uint64_t> distance,
                 const std::vector<std::pair<Id, Id>>& pairs, MakeQueue&& with_queue) {
  Measured measured;
  std::vector<Id> reached;
  std::fill(distance.begin(), distance.end(), IntegerDistances::unreached);
  const double begin = now();
  for (const auto& [source, target] : pairs) {
    with_queue([&](auto& queue) {
      graph::sssp::search_in_order<IntegerDistances>(rows, source, distance.data(), queue,
                                                     UntilTarget{distance.data(), target, reached});
    });
    measured.check = measured.check * 31 + distance[target];
    for (const Id node : reached) distance[node] = IntegerDistances::unreached;
    reached.clear();
  }
  const double middle = now();
  with_queue([&](auto& queue) {
    graph::sssp::search_in_order<IntegerDistances>(rows, pairs.front().first, distance.data(), queue,
                                                   graph::sssp::WholeSearch{});
  });
  measured.queries = middle - begin;
  measured.full = now() - middle;
  for (const std::uint64_t word : distance) measured.check = measured.check * 31 + word;
  return measured;
}

void measure_layout(core::MemoryBudget& budget, const Graph& graph, std::size_t alignment, const char* order,
                    const std::vector<std::pair<Id, Id>>& pairs, int repeats) {
  const AlignedArray<std::uint32_t> offsets(budget, graph.offsets.size(), alignment);
  const AlignedArray<Arc> arcs(budget, graph.arcs.size(), alignment);
  const AlignedArray<std::uint64_t> distance(budget, graph.offsets.size() - 1, alignment);
  std::copy(graph.offsets.begin(), graph.offsets.end(), offsets.data());
  std::copy(graph.arcs.begin(), graph.arcs.end(), arcs.data());
  const Rows rows{graph.offsets.size() - 1, offsets.data(), arcs.data()};
  const auto stale = [&](std::uint64_t key, Id node) { return distance.data()[node] != key; };
  const auto run = [&](const char* name, auto&& with_queue) {
    std::vector<Measured> all;
    for (int i = 0; i < repeats; ++i) all.push_back(measure(rows, distance.span(), pairs, with_queue));
    const auto median = [&](double Measured::*value) {
      std::nth_element(all.begin(), all.begin() + repeats / 2, all.end(),
                       [&](const Measured& a, const Measured& b) { return a.*value < b.*value; });
      return all[static_cast<std::size_t>(repeats / 2)].*value;
    };
    std::printf(
        "{\"queue\": \"%s\", \"alignment\": %zu, \"arcs\": \"%s\", \"queries\": %.3f, \"full\": %.3f, "
        "\"check\": %llu}\n",
        name, alignment, order, median(&Measured::queries), median(&Measured::full),
        static_cast<unsigned long long>(all.front().check));
    std::fflush(stdout);
  };
  run("dial", [&](auto&& work) {
    graph::sssp::DialQueue<Id> queue(budget, graph.longest);
    work(queue);
  });
  run("multilevel-bucket", [&](auto&& work) {
    graph::sssp::LevelQueue<Id, decltype(stale)> queue(budget, 10, stale);
    work(queue);
  });
  run("heap", [&](auto&& work) {
    graph::sssp::HeapQueue<Id> queue(budget);
    work(queue);
  });
}

std::vector<Edge> read_edges(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<Edge> edges(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())) / sizeof(Edge));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(edges.data()), static_cast<std::streamsize>(edges.size() * sizeof(Edge)));
  return edges;
}

std::vector<std::pair<Id, Id>> read_pairs(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::pair<Id, Id>> pairs;
  for (std::string word; file >> word;) {
    Id source = 0;
    Id target = 0;
    if (word == "q" && file >> source >> target) pairs.emplace_back(source - 1, target - 1);
  }
  return pairs;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: bench_sssp_layout ARCS.u32w QUERIES.p2p [REPEATS]\n");
    return 2;
  }
  const std::vector<std::pair<Id, Id>> pairs = read_pairs(words[2]);
  Graph graph(read_edges(words[1]));
  if (pairs.empty() || graph.arcs.empty()) {
    std::fprintf(stderr, "bench_sssp_layout: no arcs, or no queries\n");
    return 3;
  }
  const int repeats = count > 3 ? std::max(1, std::atoi(words[3])) : 1;
  core::MemoryBudget budget(std::size_t{1} << 40);
  for (const std::size_t alignment :
       {std::size_t{8}, std::size_t{64}, std::size_t{512}, std::size_t{4096}, std::size_t{8192}}) {
    measure_layout(budget, graph, alignment, "given", pairs, repeats);
  }
  const double begin = now();
  graph.sort_by_length();
  std::printf("{\"sort_seconds\": %.3f}\n", now() - begin);
  measure_layout(budget, graph, core::page_bytes, "by length", pairs, repeats);
  return 0;
}
