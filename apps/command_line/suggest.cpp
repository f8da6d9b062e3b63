// SPDX-License-Identifier: MIT
// Computes edit distances to a short list of words.
#include "apps/command_line/suggest.hpp"

#include <algorithm>
#include <cstddef>

namespace emgraph::apps {

namespace {

/// Levenshtein distance in which a swap of adjacent characters counts once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& known) {
  if (typed.size() > 40) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& word : known) {
    std::size_t distance = edit_distance(typed, word);
    if (typed.size() >= 3 && word.starts_with(typed)) distance = std::min<std::size_t>(distance, 1);
    if (distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace emgraph::apps
