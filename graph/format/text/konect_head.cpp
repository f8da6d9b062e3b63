// SPDX-License-Identifier: MIT
// Words and numbers between blanks.
#include "graph/format/text/konect_head.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "graph/format/text/text_line.hpp"

namespace emgraph::graph::format {
namespace {

/// The words of a comment line after its %, and `text` moves to the next line. None if it is no comment.
std::vector<std::string_view> comment_words(std::string_view& text) {
  const auto end =
      static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_line_break) - text.begin());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  if (text.starts_with("\r\n")) text.remove_prefix(1);
  if (!text.empty()) text.remove_prefix(1);
  std::vector<std::string_view> words;
  if (!line.starts_with('%')) return words;
  line.remove_prefix(1);
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
}

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

/// False: not a word of KONECT's.
bool set_weights(std::string_view word, KonectHead& head) {
  head.multiplicities = word == "positive";
  if (word == "unweighted" || word == "dynamic") return true;
  if (word == "positive") {
    head.weight = WeightType::i64;
    return true;
  }
  for (const char* known :
       {"posweighted", "signed", "multisigned", "weighted", "multiweighted", "multiposweighted"}) {
    if (word != known) continue;
    head.weight = WeightType::f64;
    return true;
  }
  return false;
}

}  // namespace

std::string parse_konect_head(std::string_view text, KonectHead& head) {
  const auto first = comment_words(text);
  if (first.empty() || (first[0] != "sym" && first[0] != "asym" && first[0] != "bip")) {
    return "found no KONECT head, expected % sym, % asym or % bip";
  }
  head.directed = first[0] == "asym";
  head.bipartite = first[0] == "bip";
  if (first.size() < 2 || !set_weights(first[1], head)) {
    return "found '" + std::string(first.size() < 2 ? "" : first[1]) +
           "' as the kind of weights, expected unweighted, positive, posweighted, signed, weighted, ...";
  }
  const auto second = comment_words(text);
  std::vector<std::uint64_t> counts;
  for (const std::string_view word : second) {
    const auto count = number(word);
    if (!count) break;  // a comment
    counts.push_back(*count);
  }
  if (counts.size() >= 2 && counts.size() == second.size()) {
    head.edges = counts[0];
    head.left_nodes = counts[1];
    if (counts.size() >= 3) head.right_nodes = counts[2];
  }
  return "";
}

}  // namespace emgraph::graph::format
