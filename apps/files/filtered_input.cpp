// SPDX-License-Identifier: MIT
// Converts the options of the filter to an EdgeFilter.
#include "apps/files/filtered_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/prepare/filtered_source.hpp"
#include "graph/prepare/relabel/row_run.hpp"

namespace emgraph::apps {

namespace {

using graph::WeightType;

/// The smallest integer not below a bound, or the largest not above it.
std::int64_t integer_bound(const WeightBound& bound, bool least) {
  if (bound.integer) return *bound.integer;
  constexpr double limit = 9223372036854775808.0;  // 2^63
  const double whole = least ? std::ceil(bound.number) : std::floor(bound.number);
  if (whole >= limit) return std::numeric_limits<std::int64_t>::max();
  if (whole < -limit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(whole);
}

graph::prepare::WeightInterval interval(const FilterOptions& options) {
  graph::prepare::WeightInterval weights;
  if (options.min_weight) {
    weights.least_integer = integer_bound(*options.min_weight, true);
    weights.least = options.min_weight->number;
  }
  if (options.max_weight) {
    weights.largest_integer = integer_bound(*options.max_weight, false);
    weights.largest = options.max_weight->number;
  }
  return weights;
}

/// Calls `take(node)` for every node of the list.
template <class Take>
void for_listed(Session& session, const graph::EdgeFacts& facts, Take&& take) {
  const auto reader = graph::format::open_node_reader(
      session.environment(), session.options().filter.nodes_in, {.bin_value_bytes = facts.layout.id_bytes});
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    for (const std::uint64_t node : batch) take(node);
  }
}

graph::NodeBits listed_nodes(Session& session, const graph::EdgeFacts& facts) {
  const std::string& list = session.options().filter.nodes_in;
  core::Phase phase(session.environment().progress, "read list of nodes", 0, "nodes");
  std::uint64_t size = 0;
  for_listed(session, facts, [&](std::uint64_t node) {
    if (facts.nodes && node >= *facts.nodes) {
      throw core::DataError::in_file(
          list, fmt::format("node {} found, expected nodes below {}, the number of nodes of {}", node,
                            *facts.nodes, facts.name));
    }
    if (node == ~std::uint64_t{0}) throw core::DataError::in_file(list, "node 2^64 - 1 found");
    size = std::max(size, node + 1);
  });
  core::MemoryBudget& memory = session.environment().memory;
  const std::uint64_t need = size / 8;
  if (need > memory.available()) {
    const std::uint64_t least = core::size_sum(need, memory.used(), 16 * core::MiB);
    throw core::MemoryLimitError(fmt::format(
        "--nodes-in {}: a bit for each of {} nodes needs {}, the limit is {}; {} is the least that "
        "would do",
        list, core::format_count(size), core::format_size(least), core::format_size(memory.limit()),
        core::memory_option(least)));
  }
  graph::NodeBits nodes(memory, size, "a bit per node of --nodes-in");
  for_listed(session, facts, [&](std::uint64_t node) { nodes.set(node); });
  return nodes;
}

/// True unless the list is NumPy or raw binary.
bool is_text(const std::string& list) {
  if (graph::format::extension_of(list) == "bin") return false;
  std::ifstream file(list, std::ios::binary);
  std::string start(sizeof graph::format::npy_magic, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return !graph::format::is_npy(std::as_bytes(std::span(start)));
}

/// The nodes of a list of labels or original ids, a line each. Names that no node has are left out.
graph::NodeBits named_nodes(Session& session, std::uint64_t count) {
  const std::string& list = session.options().filter.nodes_in;
  core::MemoryBudget& memory = session.environment().memory;
  core::Phase phase(session.environment().progress, "read list of nodes", count, "nodes");
  std::ifstream file(list, std::ios::binary);
  if (!file) throw core::EnvironmentError::system(list, "cannot open", errno);
  core::Reservation held = memory.reserve(0, "names of --nodes-in");
  std::size_t bytes = 0;
  std::unordered_set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || !names.insert(line).second) continue;
    constexpr std::size_t bytes_per_name =
        96;  // a node of the set, its place, and a copy while the set grows
    bytes += line.size() + bytes_per_name;
    if (bytes > held.bytes()) held.resize(2 * bytes, "names of --nodes-in");
  }
  if (file.bad()) throw core::EnvironmentError::system(list, "cannot read", errno);
  graph::NodeBits nodes(memory, count, "a bit per node of --nodes-in");
  const auto map = session.names()->open();
  constexpr std::uint64_t nodes_at_a_time = 4096;
  std::uint64_t found = 0;
  std::vector<std::uint64_t> batch;
  for (std::uint64_t first = 0; first < count; first += batch.size()) {
    batch.resize(static_cast<std::size_t>(std::min(nodes_at_a_time, count - first)));
    std::iota(batch.begin(), batch.end(), first);
    std::uint64_t node = first;
    map->fetch(batch, [&](std::string_view name) {
      if (names.contains(std::string(name))) {
        nodes.set(node);
        ++found;
      }
      ++node;
      return true;
    });
    phase.advance(batch.size());
  }
  if (found < names.size()) {
    session.warn(fmt::format("--nodes-in {}: {} of {} names are in no edge", list,
                             core::format_count(names.size() - found), core::format_count(names.size())));
  }
  return nodes;
}

}  // namespace

void filter_input(Session& session, graph::format::EdgeInput& edges) {
  const FilterOptions& options = session.options().filter;
  if (!options.given()) return;
  core::Environment& environment = session.environment();
  graph::EdgeFacts facts = edges.facts();
  if (options.by_weight() && facts.layout.weight == WeightType::none) {
    throw core::UsageError(
        fmt::format("{} has no weights for --min-weight and --max-weight; if it is text with weights, say "
                    "where: --cols 1,2,3",
                    facts.name));
  }
  auto source = edges.release();
  if (!facts.nodes) {
    if (!source->rewindable()) {
      source = graph::relabel::spool(environment, *source, facts, environment.threads);
    }
    facts.nodes = graph::prepare::count_nodes(environment, *source, environment.threads);
  }
  auto filter = std::make_shared<graph::prepare::EdgeFilter>();
  filter->by_weight = options.by_weight();
  filter->weights = interval(options);
  if (!options.nodes_in.empty()) {
    filter->by_nodes = true;
    const bool by_name = session.names() != nullptr && is_text(options.nodes_in);
    filter->nodes = by_name ? named_nodes(session, *facts.nodes) : listed_nodes(session, facts);
  }
  edges.replace(std::make_shared<graph::prepare::FilteredSource>(environment, std::move(source), facts,
                                                                 std::move(filter), session.filter_counts(),
                                                                 environment.threads));
}

}  // namespace emgraph::apps
