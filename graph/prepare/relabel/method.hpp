// SPDX-License-Identifier: MIT
// The methods of relabel().
#pragma once

#include <string_view>

namespace emgraph::graph::relabel {

/// marked: a bit per possible id, set in one reading of the input. sorted: an array of the distinct ids, made
/// in one reading and a sort of the ends. joined: for ids that do not fit into memory; two sorts of the ends.
enum class Method { marked, sorted, joined };

constexpr std::string_view name(Method method) {
  switch (method) {
    case Method::marked:
      return "marked";
    case Method::sorted:
      return "sorted";
    case Method::joined:
      return "joined";
  }
  return "";
}

}  // namespace emgraph::graph::relabel
