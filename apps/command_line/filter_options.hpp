// SPDX-License-Identifier: MIT
// The filter before every command that reads edges: --min-weight, --max-weight, --nodes-in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/command_line/option_set.hpp"

namespace emgraph::apps {

/// As parsed; text is not checked yet.
struct TypedFilterOptions {
  std::string min_weight;
  std::string max_weight;
  std::string nodes_in;
  bool largest_component = false;
  std::string sample;
};

/// A bound for weights: exact for integer weights, rounded for others.
struct WeightBound {
  std::optional<std::int64_t> integer;  ///< the largest integer not above it; nullopt: beyond 64 bits
  bool fraction = false;                ///< it is above `integer`
  double number = 0;
};

struct FilterOptions {
  std::optional<WeightBound> min_weight;
  std::optional<WeightBound> max_weight;
  std::string nodes_in;                    ///< a file; empty: not given
  std::optional<std::string> nodes_value;  ///< of FILE=VALUE
  bool largest_component = false;          ///< of the edges that pass all else
  std::optional<double> sample;            ///< part of the edges, above 0, at most 1
  bool streams = false;         ///< the command needs no n before the edges: it is in FilterCounts after them
  bool before_relabel = false;  ///< nodes of the list and of the sample are ids as the input has them

  bool by_weight() const { return min_weight || max_weight; }
  bool given() const { return by_weight() || !nodes_in.empty() || largest_component || sample; }
};

/// `options` keeps pointers into `typed`.
void declare_filter_options(OptionSet& options, TypedFilterOptions& typed);
/// Those that only the command filter has.
void declare_own_filter_options(OptionSet& options, TypedFilterOptions& typed);

/// Throws UsageError with the name of the option.
FilterOptions filter_options(const TypedFilterOptions& typed);

}  // namespace emgraph::apps
