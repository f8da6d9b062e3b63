// SPDX-License-Identifier: MIT
// Converts the options of a filter to an EdgeFilter.
#include "apps/files/filtered_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "apps/files/node_list.hpp"
#include "core/base/error.hpp"
#include "graph/cc/largest_component.hpp"
#include "graph/prepare/filtered_source.hpp"
#include "graph/prepare/relabel/row_run.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::apps {

namespace {

using graph::WeightType;

constexpr std::int64_t least_weight = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest_weight = std::numeric_limits<std::int64_t>::max();

/// The integers from `least` to `largest`; nullopt if there is none.
std::optional<std::pair<std::int64_t, std::int64_t>> integers(const std::optional<WeightBound>& least,
                                                              const std::optional<WeightBound>& largest) {
  std::pair<std::int64_t, std::int64_t> range = {least_weight, largest_weight};
  if (least && !least->integer && least->number > 0) return std::nullopt;
  if (largest && !largest->integer && largest->number < 0) return std::nullopt;
  if (least && least->integer) {
    if (least->fraction && *least->integer == largest_weight) return std::nullopt;
    range.first = *least->integer + (least->fraction ? 1 : 0);
  }
  if (largest && largest->integer) range.second = *largest->integer;
  return range;
}

/// Bounds of weights in 4 bytes are rounded as the weights were: 0.1 is a weight of 0.1 or less.
graph::prepare::WeightInterval interval(const FilterOptions& options, WeightType type) {
  const auto rounded = [type](double bound) {
    return type == WeightType::f32 ? double{static_cast<float>(bound)} : bound;
  };
  graph::prepare::WeightInterval weights;
  if (options.min_weight) weights.least = rounded(options.min_weight->number);
  if (options.max_weight) weights.largest = rounded(options.max_weight->number);
  const std::pair none = {largest_weight, least_weight};
  std::tie(weights.least_integer, weights.largest_integer) =
      integers(options.min_weight, options.max_weight).value_or(none);
  return weights;
}

/// True if the input has to be counted before it is filtered.
bool counts_first(const FilterOptions& options, const graph::EdgeFacts& facts) {
  return options.largest_component || (!facts.nodes && (!options.streams || options.nodes_value));
}

/// Counts nodes and edges if n is not known; an input that comes only once is spooled first. Sets what it
/// finds in `facts`. `least_nodes`: some of several inputs declare so many.
void count_input(core::Environment& environment, const FilterOptions& options, std::uint64_t least_nodes,
                 std::shared_ptr<graph::RecordSource>& source, graph::EdgeFacts& facts) {
  if (!source->rewindable()) {
    source = graph::relabel::spool(environment, *source, facts, environment.threads);
  }
  if (facts.nodes) return;
  const auto counted = graph::prepare::count_nodes(environment, *source, environment.threads);
  // n may not fit 64 bits. Only components and values for each node need it before --relabel.
  const bool needs_nodes = !options.before_relabel || options.largest_component || options.nodes_value;
  if (needs_nodes || counted.largest_id < ~std::uint64_t{0}) {
    facts.nodes = std::max(least_nodes, counted.nodes(std::nullopt));
  }
  facts.edges = counted.edges;
}

/// The filter that the options describe. `declared`: n was known before the input was counted.
std::shared_ptr<graph::prepare::EdgeFilter> make_filter(Session& session, const graph::EdgeFacts& facts,
                                                        bool declared) {
  const FilterOptions& options = session.options().filter;
  auto filter = std::make_shared<graph::prepare::EdgeFilter>();
  filter->any_ids = options.before_relabel;
  filter->by_weight = options.by_weight();
  filter->weights = interval(options, facts.layout.weight);
  if (options.sample && *options.sample < 1) {
    filter->by_chance = true;
    filter->sample = {.seed = session.environment().seed,
                      .below = static_cast<std::uint64_t>(std::ldexp(*options.sample, 64))};
  }
  if (!options.nodes_in.empty()) {
    filter->by_nodes = true;
    filter->nodes = listed_nodes(session, facts, declared);
  }
  return filter;
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
  const bool declared = facts.nodes.has_value();
  const std::uint64_t least_nodes = edges.least_nodes().value_or(0);
  session.filter_counts()->all_edges = facts.edges;
  std::shared_ptr<graph::RecordSource> source = edges.release();
  bool sparse = false;
  if (!session.numbering() && counts_first(options, facts)) {
    count_input(environment, options, least_nodes, source, facts);
    sparse =
        facts.nodes && !facts.generated && facts.edges && graph::ids_are_sparse(*facts.nodes, *facts.edges);
  }
  auto filter = make_filter(session, facts, declared);
  const auto filtered = [&](std::shared_ptr<const graph::prepare::EdgeFilter> passing) {
    return std::make_shared<graph::prepare::FilteredSource>(environment, source, facts, std::move(passing),
                                                            session.filter_counts(), environment.threads);
  };
  if (options.largest_component && !session.options().rehearse) {
    auto component = std::make_shared<graph::prepare::EdgeFilter>();
    component->by_weight = filter->by_weight;
    component->weights = filter->weights;
    component->by_chance = filter->by_chance;
    component->sample = filter->sample;
    component->by_nodes = true;
    const graph::prepare::ListedNodes* const among = filter->by_nodes ? &filter->nodes : nullptr;
    auto whole = filtered(std::move(filter));
    const graph::EdgeFacts passed = whole->facts();
    component->nodes = graph::cc::largest_component(environment, std::move(whole), passed, sparse, among);
    source->rewind();
    filter = std::move(component);
  }
  edges.replace(filtered(std::move(filter)));
}

}  // namespace emgraph::apps
