// SPDX-License-Identifier: MIT
// The nodes that --sources names for pagerank and its check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/run/session.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::apps {

/// A list of node ids (text, .npy or .bin), or with --labels of labels, a line each. Beside --relabel and
/// --labels a binary list has numbers of the result, as another result of these options has them. Memory: 32
/// bytes for each, 160 with --relabel or --labels and their text; until it is destroyed.
class RankSources {
 public:
  /// `file`: empty if the option is not given.
  explicit RankSources(const std::string& file) : file_(file) {}

  /// Reads the file. Call it before the input is opened. Throws DataError (no list of nodes),
  /// MemoryLimitError, EnvironmentError.
  void read(Session& session);

  /// Ascending, without duplicates; none if the option is not given. Requires: the input is open. `input`:
  /// its name, for messages. Throws UsageError (no edge has this id or label), DataError (an empty list).
  std::span<const std::uint64_t> nodes(const Session& session, const std::string& input);

 private:
  void hold(Session& session, std::size_t bytes);

  std::string file_;
  std::vector<std::uint64_t> nodes_;
  bool numbers_ = false;  ///< the list has numbers of the result, beside --relabel or --labels
  core::Reservation held_;
};

}  // namespace emgraph::apps
