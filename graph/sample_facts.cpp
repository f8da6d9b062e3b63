// SPDX-License-Identifier: MIT
// Estimates from pairs and triples of equal values.
#include "graph/sample_facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/random_word.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::graph {
namespace {

constexpr std::size_t sampled_edges = std::size_t{1} << 18;
/// A value with so many copies in the sample is counted as it is. As in Chao and Lee, Estimating the number
/// of classes via sample coverage, 1992, doi 10.1080/01621459.1992.10475194.
constexpr std::size_t frequent_copies = 10;

/// The mean of 1 / (1 + x), x negatively binomial with this mean and 1 / k = `spread`.
double mean_share(double mean, double spread) {
  if (mean <= 0) return 1;
  if (spread < 1e-6) return (1 - std::exp(-mean)) / mean;
  const double k = 1 / spread;
  const double p = k / (k + mean);
  if (std::abs(k - 1) < 1e-6) return p * -std::log(p) / (1 - p);
  return (p - std::pow(p, k)) / ((1 - p) * (k - 1));
}

/// As GapCodec.
template <class Id>
std::uint64_t code_bytes(std::uint64_t gap) {
  if constexpr (sizeof(Id) == 4) return gap < 1U << 8 ? 1 : gap < 1U << 16 ? 2 : gap < 1U << 24 ? 3 : 4;
  return gap < 1U << 8 ? 1 : gap < 1U << 16 ? 2 : gap >> 32 == 0 ? 4 : 8;
}

/// By source; few sources that come one after the other tell nothing.
template <class Id>
bool is_in_order(const std::vector<Edge<Id>>& sample) {
  std::size_t ascents = 0;
  for (std::size_t i = 1; i < sample.size(); ++i) {
    if (sample[i].source < sample[i - 1].source) return false;
    if (sample[i].source > sample[i - 1].source) ++ascents;
  }
  constexpr std::size_t edges_of_source = 1024;
  return ascents > sample.size() / edges_of_source;
}

/// A hash of a node: different ones of different nodes.
std::uint64_t hash_of_node(std::uint64_t node) {
  return hash_of_pair(node, 0);
}

/// How often each node is an end of an edge of the sample. The hashes of the nodes are evenly distributed, so
/// their first bits tell where they are in the sorted list: a search takes a step or two.
class SampledDegrees {
 public:
  /// `ends`: the hashes of the nodes, sorted; a node occurs once for each edge.
  explicit SampledDegrees(const std::vector<std::uint64_t>& ends) : ends_(ends), begins_(parts + 1) {
    std::size_t i = 0;
    for (std::size_t part = 0; part <= parts; ++part) {
      while (i < ends.size() && ends[i] >> part_shift < part) ++i;
      begins_[part] = static_cast<std::uint32_t>(i);
    }
  }

  std::size_t of(std::uint64_t hash) const {
    const std::size_t part = hash >> part_shift;
    const auto [begin, end] =
        std::equal_range(ends_.begin() + begins_[part], ends_.begin() + begins_[part + 1], hash);
    return static_cast<std::size_t>(end - begin);
  }

 private:
  static constexpr unsigned part_shift = 48;
  static constexpr std::size_t parts = std::size_t{1} << (64 - part_shift);

  const std::vector<std::uint64_t>& ends_;
  std::vector<std::uint32_t> begins_;  // of the hashes whose first bits are this number, in `ends_`
};

/// `ends`: of SampledDegrees. `distinct`: share of the edges that are left. `rate`: that of the sample. A
/// list of l entries has about rate · l in the sample, and the pairs of those are rate² of its pairs.
template <class Id>
double list_length(const std::vector<Edge<Id>>& sample, const std::vector<std::uint64_t>& ends,
                   double distinct, double rate) {
  const SampledDegrees degrees(ends);
  std::vector<std::uint64_t> owners;
  // Part of the sample will do.
  const std::size_t step = std::max<std::size_t>(1, sample.size() / 65536);
  for (std::size_t i = 0; i < sample.size(); i += step) {
    const Edge<Id>& edge = sample[i];
    if (edge.source == edge.target) continue;
    const std::pair source(degrees.of(hash_of_node(edge.source)), edge.source);
    const std::pair target(degrees.of(hash_of_node(edge.target)), edge.target);
    owners.push_back(std::min(source, target).second);
  }
  core::vector_sort(std::span(owners));
  double pairs = 0;
  for (std::size_t i = 0; i < owners.size();) {
    const std::size_t begin = i;
    while (i < owners.size() && owners[i] == owners[begin]) ++i;
    pairs += static_cast<double>(i - begin) * static_cast<double>(i - begin - 1);
  }
  if (owners.empty() || rate <= 0) return 1;
  return 1 + pairs * distinct * static_cast<double>(step) / (rate * static_cast<double>(owners.size()));
}

}  // namespace

MostFrequent most_frequent(std::vector<std::uint64_t>& values) {
  core::vector_sort(std::span(values));
  MostFrequent most;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[begin]) begin = i;
    if (i - begin + 1 > most.count) most = {values[i], i - begin + 1};
  }
  return most;
}

std::uint64_t hash_of_pair(std::uint64_t a, std::uint64_t b) {
  std::uint64_t mixed = (a + core::golden_increment) * core::mix_multiplier_1;
  mixed = ((mixed ^ mixed >> 31) + b) * core::mix_multiplier_2;
  return mixed ^ mixed >> 29;
}

double largest_component_share(double nodes, double edges) {
  const double degree = 2 * edges / std::max(nodes, 1.0);
  double share = 1;
  for (int i = 0; i < 64; ++i) share = 1 - std::exp(-share * degree);
  return share;
}

bool SampleFacts::connected(std::uint64_t nodes, std::uint64_t edges) const {
  const auto left = static_cast<double>(distinct(edges));
  auto all = static_cast<double>(nodes);
  // Fewer nodes with an edge than if the ends were random: the others do not count.
  const double random = all * (1 - std::exp(-2 * left / std::max(all, 1.0)));
  if (touched && static_cast<double>(*touched) < 0.75 * random) all = static_cast<double>(*touched);
  return largest_component_share(all, left) > 0.5;
}

double distinct_values(std::vector<std::uint64_t>& sample, double total) {
  if (sample.empty() || total <= 0) return 0;
  core::vector_sort(std::span(sample));
  const double rate = std::min(1.0, static_cast<double>(sample.size()) / total);
  double frequent = 0;  // different ones
  double rare = 0;      // different ones
  double copies_of_rare = 0;
  double pairs = 0;    // ordered, of rare ones
  double triples = 0;  // ordered, of rare ones
  for (std::size_t i = 0; i < sample.size();) {
    const std::size_t begin = i;
    while (i < sample.size() && sample[i] == sample[begin]) ++i;
    if (i - begin >= frequent_copies) {
      frequent += 1;
      continue;
    }
    const auto copies = static_cast<double>(i - begin);
    rare += 1;
    copies_of_rare += copies;
    pairs += copies * (copies - 1);
    triples += copies * (copies - 1) * (copies - 2);
  }
  if (rate >= 0.999 || rare == 0) return frequent + rare;
  const double mean = pairs / (rate * copies_of_rare);
  const double second = triples / (rate * rate * copies_of_rare);
  const double spread = mean > 0 ? std::max(0.0, second / (mean * mean) - 1) : 0;
  const double all_copies = copies_of_rare / rate;
  return frequent + std::clamp(all_copies * mean_share(mean, spread), rare, rare / rate);
}

template <class Id>
SampleFacts sample_facts(EdgeSource<Id>& source, std::uint64_t edges, bool arcs) {
  const std::vector<Edge<Id>> sample = source.sample(sampled_edges);
  SampleFacts facts;
  if (sample.empty()) return facts;
  const bool in_order = is_in_order(sample);
  std::vector<std::uint64_t> pairs;
  std::vector<std::uint64_t> ends;
  std::uint64_t gap_bytes = 0;
  pairs.reserve(sample.size());
  ends.reserve(2 * sample.size());
  for (const Edge<Id>& edge : sample) {
    if (edge.source == edge.target) continue;
    std::uint64_t a = edge.source;
    std::uint64_t b = edge.target;
    if (!arcs && a > b) std::swap(a, b);
    gap_bytes += code_bytes<Id>(2 * (a > b ? a - b : b - a));
    pairs.push_back(hash_of_pair(a, b));
    ends.push_back(hash_of_node(a));
    ends.push_back(hash_of_node(b));
  }
  const double without_loops = static_cast<double>(pairs.size()) / static_cast<double>(sample.size());
  const double left = static_cast<double>(edges) * without_loops;
  facts.distinct_share = without_loops;
  if (!pairs.empty()) facts.gap_bytes = static_cast<double>(gap_bytes) / static_cast<double>(pairs.size());
  const bool whole = sample.size() >= edges;
  if (in_order && !whole) return facts;
  facts.distinct_share = edges == 0 ? 1 : distinct_values(pairs, left) / static_cast<double>(edges);
  facts.touched = static_cast<std::uint64_t>(distinct_values(ends, 2 * left));
  facts.list_length = list_length(sample, ends, facts.distinct_share / std::max(without_loops, 1e-9),
                                  static_cast<double>(pairs.size()) / std::max(left, 1.0));
  return facts;
}

template SampleFacts sample_facts(EdgeSource<std::uint32_t>&, std::uint64_t, bool);
template SampleFacts sample_facts(EdgeSource<std::uint64_t>&, std::uint64_t, bool);

}  // namespace emgraph::graph
