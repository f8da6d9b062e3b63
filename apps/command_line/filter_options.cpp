// SPDX-License-Identifier: MIT
// Declares and reads --min-weight, --max-weight and --nodes-in.
#include "apps/command_line/filter_options.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

WeightBound weight_bound(const char* option, const std::string& text) {
  const char* const end = text.data() + text.size();
  WeightBound bound;
  std::int64_t integer = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && stop == end) {
    bound.integer = integer;
    bound.number = static_cast<double>(integer);
    return bound;
  }
  const auto [stop, error] = std::from_chars(text.data(), end, bound.number);
  if (error == std::errc() && stop == end && !std::isnan(bound.number)) return bound;
  throw core::UsageError(fmt::format("{}: '{}' is not a number, such as 30, -2 or 0.5", option, text));
}

/// True if no weight lies between them.
bool exclude_each_other(const WeightBound& least, const WeightBound& largest) {
  if (least.integer && largest.integer) return *least.integer > *largest.integer;
  return least.number > largest.number;
}

}  // namespace

void declare_filter_options(OptionSet& options, TypedFilterOptions& typed) {
  options.common_group("Filter of edges");
  options.value("--min-weight", typed.min_weight, "X",
                "use only edges with a weight of X or more; all nodes stay");
  options.value("--max-weight", typed.max_weight, "X",
                "use only edges with a weight of X or less; all nodes stay");
  options.value(
      "--nodes-in", typed.nodes_in, "FILE",
      "use only edges with both ends in this list of nodes (.npy, .tsv or .bin, as mis writes it, or "
      "text with a node on each line); all nodes stay");
}

FilterOptions filter_options(const TypedFilterOptions& typed) {
  FilterOptions options;
  if (!typed.min_weight.empty()) options.min_weight = weight_bound("--min-weight", typed.min_weight);
  if (!typed.max_weight.empty()) options.max_weight = weight_bound("--max-weight", typed.max_weight);
  if (options.min_weight && options.max_weight &&
      exclude_each_other(*options.min_weight, *options.max_weight)) {
    throw core::UsageError(fmt::format("--min-weight {} is above --max-weight {}: no edge has such a weight",
                                       typed.min_weight, typed.max_weight));
  }
  options.nodes_in = typed.nodes_in;
  if (options.nodes_in == "-") throw core::UsageError("--nodes-in: name a file, not standard input");
  return options;
}

}  // namespace emgraph::apps
