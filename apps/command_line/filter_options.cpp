// SPDX-License-Identifier: MIT
// Declares and reads --min-weight, --max-weight, --nodes-in, --largest-component and --sample.
#include "apps/command_line/filter_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "apps/command_line/options.hpp"
#include "core/base/error.hpp"
#include "core/base/integers.hpp"

namespace emgraph::apps {

namespace {

/// Sets the integer and the fraction of a bound from the digits, because a double has 53 bits. Requires:
/// `text` is a finite number, such as 30, -2.5 or 1e6, and bound.number its value.
void set_integer(std::string_view text, WeightBound& bound) {
  if (bound.number == 0) bound.integer = 0;
  if (bound.number == 0 || std::abs(bound.number) > 1e19) return;
  const bool negative = text.starts_with('-');
  const std::string_view mantissa = text.substr(0, text.find_first_of("eE")).substr(negative ? 1 : 0);
  std::string digits(mantissa.substr(0, mantissa.find('.')));
  auto whole_digits = static_cast<std::int64_t>(digits.size());
  if (digits.size() < mantissa.size()) digits += mantissa.substr(digits.size() + 1);
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    const char* const exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::int64_t shift = 0;
    std::from_chars(exponent, text.data() + text.size(), shift);
    whole_digits += shift;
  }
  const auto before_point = static_cast<std::size_t>(std::max<std::int64_t>(whole_digits, 0));
  if (digits.size() < before_point) digits.resize(before_point, '0');
  core::int128 whole = 0;
  for (std::size_t i = 0; i < before_point; ++i) whole = 10 * whole + (digits[i] - '0');
  bound.fraction = digits.find_first_not_of('0', before_point) != std::string::npos;
  if (negative) whole = -whole - (bound.fraction ? 1 : 0);
  const auto integer = static_cast<std::int64_t>(whole);
  if (integer == whole) bound.integer = integer;
}

WeightBound weight_bound(const char* option, const std::string& text) {
  if (const auto number = real_number(text)) {
    WeightBound bound;
    bound.number = *number;
    set_integer(text, bound);
    return bound;
  }
  throw core::UsageError(fmt::format("{}: '{}' is not a number, such as 30, -2 or 0.5", option, text));
}

/// True if no weight lies between them.
bool exclude_each_other(const WeightBound& least, const WeightBound& largest) {
  if (!least.integer || !largest.integer) return least.number > largest.number;
  if (*least.integer != *largest.integer) return *least.integer > *largest.integer;
  return least.fraction && !largest.fraction;
}

/// 0.01, or 1%.
double sample_part(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = real_number(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)));
  const double part = number.value_or(0) / (percent ? 100 : 1);
  if (part > 0 && part <= 1) return part;
  throw core::UsageError(
      fmt::format("--sample: '{}' is not a part above 0 and at most 1, such as 0.01 or 1%", text));
}

/// FILE, or FILE=VALUE unless there is a file of that name. A VALUE may have '=' if there is a file FILE.
void split_list(const std::string& text, FilterOptions& options) {
  options.nodes_in = text;
  std::error_code ignored;
  std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || std::filesystem::exists(text, ignored)) return;
  for (std::size_t at = equals; at != std::string::npos && at > 0; at = text.rfind('=', at - 1)) {
    if (!std::filesystem::exists(text.substr(0, at), ignored)) continue;
    equals = at;
    break;
  }
  options.nodes_in = text.substr(0, equals);
  options.nodes_value = text.substr(equals + 1);
  if (options.nodes_in.empty() || options.nodes_value->empty()) {
    throw core::UsageError(fmt::format("--nodes-in: '{}' is not FILE=VALUE", text));
  }
}

}  // namespace

void declare_own_filter_options(OptionSet& options, TypedFilterOptions& typed) {
  options.flag("--largest-component", typed.largest_component,
               "keep only the edges of the largest connected component of the graph that the other options "
               "leave");
  options.value("--sample", typed.sample, "P",
                "keep this part of the edges, chosen by --seed and the ends of the edge, such as 0.01 or 1%");
}

void declare_filter_options(OptionSet& options, TypedFilterOptions& typed) {
  options.common_group("Filter of edges");
  options.value("--min-weight", typed.min_weight, "X",
                "use only edges with a weight of X or more; all nodes stay");
  options.value("--max-weight", typed.max_weight, "X",
                "use only edges with a weight of X or less; all nodes stay");
  options.value(
      "--nodes-in", typed.nodes_in, "FILE",
      "use only edges with both ends in this list of nodes (.npy, .tsv, .csv or .bin, as mis writes it, or "
      "text with a node on each line), or with FILE=VALUE among the nodes that have this value in FILE "
      "(as cc and kcore write it); all nodes stay");
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
  if (!typed.nodes_in.empty()) split_list(typed.nodes_in, options);
  options.largest_component = typed.largest_component;
  if (!typed.sample.empty()) options.sample = sample_part(typed.sample);
  if (options.nodes_in == "-") throw core::UsageError("--nodes-in: name a file, not standard input");
  return options;
}

}  // namespace emgraph::apps
