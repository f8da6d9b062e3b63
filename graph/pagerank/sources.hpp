// SPDX-License-Identifier: MIT
// The nodes at which the rank of personalised PageRank starts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/error.hpp"

namespace emgraph::graph::pagerank {

/// `sources`: ascending; `file`: their list. Throws DataError if one is not below n.
inline void require_sources(std::span<const std::uint64_t> sources, const std::string& file,
                            std::uint64_t nodes) {
  if (sources.empty() || sources.back() < nodes) return;
  throw core::DataError::in_file(file, "source " + std::to_string(sources.back()) +
                                           " found, expected nodes of the graph, which are below " +
                                           std::to_string(nodes));
}

/// Says of ascending nodes whether they are sources: all of them, if none is given.
class SourceCursor {
 public:
  /// `sources`: ascending. `from`: no node before it is asked for.
  SourceCursor(std::span<const std::uint64_t> sources, std::uint64_t from)
      : all_(sources.empty()),
        next_(std::lower_bound(sources.begin(), sources.end(), from)),
        end_(sources.end()) {}
  bool at(std::uint64_t node) {
    if (all_) return true;
    while (next_ != end_ && *next_ < node) ++next_;
    return next_ != end_ && *next_ == node;
  }

 private:
  bool all_;
  std::span<const std::uint64_t>::iterator next_;
  std::span<const std::uint64_t>::iterator end_;
};

}  // namespace emgraph::graph::pagerank
