// SPDX-License-Identifier: MIT
// The words of --weights.
#include "apps/solve/weights_option.hpp"

#include <fmt/core.h>

#include "apps/command_line/options.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

using graph::Weighting;
using graph::WeightRule;

void declare_weighting(OptionSet& options, std::string& typed) {
  options
      .value("--weights", typed, "RULE",
             "weights made up in place of those of the edges: hash[:W] (from 1 to W by the ids of both ends; "
             "W is 1000 if not given) or unit (all 1)")
      .suggest({"hash", "unit"})
      .otherwise("the edges' own");
}

Weighting parse_weighting(const std::string& typed) {
  if (typed.empty()) return {};
  if (typed == "unit") return {.rule = WeightRule::unit};
  if (typed == "hash") return {.rule = WeightRule::hash};
  if (typed.starts_with("hash:")) {
    const std::uint64_t modulus = count_option("--weights hash", typed.substr(5));
    if (modulus >= 1 && modulus <= 0xffffffffU) return {.rule = WeightRule::hash, .modulus = modulus};
    throw core::UsageError(fmt::format("--weights: W is between 1 and 4294967295, not {}", typed.substr(5)));
  }
  throw core::UsageError(fmt::format("--weights: '{}' is not one of hash, hash:W, unit", typed));
}

namespace {

std::string without_weights(const std::string& input) {
  return input +
         " has no weights: --cols 1,2,3 takes those in column 3 of text (with --weight-type f64 fractions), "
         "an --input-format may have weights";
}

}  // namespace

Carry carried(const Weighting& weighting) {
  return weighting.rule == WeightRule::stored ? Carry::weights : Carry::nothing;
}

void require_weights(const graph::EdgeFacts& facts, const Weighting& weighting) {
  if (weighting.rule != WeightRule::stored || facts.layout.weight != graph::WeightType::none) return;
  throw core::UsageError(without_weights(facts.name) +
                         ", --weights hash[:W] makes them up from the ids, and --weights unit makes all 1");
}

void require_stored_weights(const graph::EdgeFacts& facts) {
  if (facts.layout.weight != graph::WeightType::none) return;
  throw core::UsageError(without_weights(facts.name));
}

}  // namespace emgraph::apps
