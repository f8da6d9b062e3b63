// SPDX-License-Identifier: MIT
// The names of the headerless formats and what their records hold.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

struct RawFormat {
  std::string_view name;  ///< also the file extension
  EdgeLayout layout;
};

/// Little-endian: source, target, weight, then payload if the caller says so.
inline constexpr std::array<RawFormat, 6> raw_formats = {{
    {"u32", {4, WeightType::none, 0}},
    {"u64", {8, WeightType::none, 0}},
    {"u32w", {4, WeightType::u32, 0}},
    {"u64w", {8, WeightType::i64, 0}},
    {"f32w", {4, WeightType::f32, 0}},
    {"f64w", {8, WeightType::f64, 0}},
}};

inline std::optional<EdgeLayout> raw_layout(std::string_view name) {
  for (const RawFormat& format : raw_formats) {
    if (format.name == name) return format.layout;
  }
  return std::nullopt;
}

}  // namespace emgraph::graph::format
