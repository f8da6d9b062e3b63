// SPDX-License-Identifier: MIT
// Parses the head; the parser of edge lists reads the edges.
#include "graph/format/text/konect.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/text/edge_list.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::graph::format {
namespace {

/// Line 1: "% sym|asym|bip WEIGHTS"; line 2, which may be missing: "% m n1 [n2]". Source: J. Kunegis,
/// "KONECT: the Koblenz network collection", WWW 2013 companion, doi:10.1145/2487788.2488173, and the
/// handbook's chapter on the TSV format.
struct KonectHead {
  bool directed = false;
  bool bipartite = false;
  WeightType weight = WeightType::none;
  bool multiplicities = false;               ///< the weight is the multiplicity of the edge
  std::optional<std::uint64_t> edges;        ///< m
  std::optional<std::uint64_t> left_nodes;   ///< n1
  std::optional<std::uint64_t> right_nodes;  ///< n2
};

/// Returns the words of a comment line after its %, and moves `text` to the next line. Empty if it is not a
/// comment.
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

/// Sets the kind of weights. False: the word is not one of KONECT's.
bool set_weights(std::string_view word, KonectHead& head) {
  head.multiplicities = word == "positive";
  if (word == "unweighted") return true;
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

/// Parses the head in the first bytes of a file. Returns "" or the error.
std::string parse_konect_head(std::string_view text, KonectHead& head) {
  const auto first = comment_words(text);
  if (first.empty() || (first[0] != "sym" && first[0] != "asym" && first[0] != "bip")) {
    return "found no KONECT head, expected % sym, % asym or % bip";
  }
  head.directed = first[0] == "asym";
  head.bipartite = first[0] == "bip";
  if (first.size() >= 2 && first[1] == "dynamic") {
    return "found a dynamic network, whose edges come and go, expected a graph (--input-format text "
           "--id-base 1 --cols 1,2,3 takes all lines as edges, with the change as weight)";
  }
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

}  // namespace

bool is_konect(const FileStart& start) {
  for (const char* word : {"% sym", "% asym", "% bip"}) {
    if (!start.starts_with(word)) continue;
    const std::string_view rest = as_text(start.bytes).substr(std::strlen(word));
    if (rest.starts_with(' ') || rest.starts_with('\t') || rest.starts_with('\n') || rest.starts_with('\r'))
      return true;
  }
  return false;
}

Opened open_konect(core::Environment& environment, core::InputFile input, const Format& /*format*/,
                   const OpenOptions& options) {
  constexpr std::size_t head_bytes = 4096;
  std::vector<std::byte> unpacked;
  std::span<const std::byte> start = input.peek(head_bytes);
  if (packing_of(start) != Packing::none) {
    unpacked = unpacked_start(environment, input, head_bytes);
    start = unpacked;
  }
  KonectHead head;
  const auto refuse = [&](std::uint64_t line, const std::string& what) {
    throw core::DataError::at_line(input.name(), line, what);
  };
  const std::string wrong = parse_konect_head(without_byte_order_mark(as_text(start)), head);
  if (!wrong.empty()) refuse(1, wrong);
  if (head.bipartite && !(head.left_nodes && head.right_nodes)) {
    refuse(
        2,
        "found a bipartite graph without a second line \"% edges left right\", which says how many nodes the "
        "left side has: both sides count from 1 (--input-format text reads the numbers as they stand)");
  }
  TextFormat text;
  text.weight = head.weight;
  text.weight_optional = true;
  EdgeFacts facts;
  facts.directed = head.directed;
  facts.undirected = !head.directed;
  // With multiplicities, m may be their sum, so it is not checked.
  if (!head.multiplicities) facts.edges = head.edges;
  if (head.left_nodes) {
    const std::uint64_t right = head.right_nodes.value_or(*head.left_nodes);
    const std::uint64_t nodes = head.bipartite ? *head.left_nodes + right : std::max(*head.left_nodes, right);
    if (*head.left_nodes == 0 || right == 0 || nodes < right) {
      refuse(2, "found nodes " + std::to_string(*head.left_nodes) + " and " + std::to_string(right) +
                    ", expected 1 to 2^64 - 1");
    }
    facts.nodes = nodes;
  }
  const bool wide = facts.nodes > most_above(0, 4);
  text.id_bytes = wide ? 8 : options.id_bytes.value_or(4);
  if (facts.nodes) text.nodes_from = "the file declares";
  for (TextId& id : text.ids) {
    id.base = 1;
    id.most = most_above(id.base, text.id_bytes);
  }
  if (facts.nodes) {
    for (TextId& id : text.ids) id.most = *facts.nodes - 1;
  }
  if (head.bipartite) {
    text.ids[0].most = *head.left_nodes - 1;
    text.ids[1].most = *head.right_nodes - 1;
    text.ids[1].offset = *head.left_nodes;
    facts.oriented_low = facts.no_loops = true;
  }
  auto lines =
      std::make_unique<LineInput>(environment, std::move(input), edge_line_rules(options.text.skip_lines));
  return open_edge_lines(environment, std::move(lines), text, facts, options.max_lanes);
}

}  // namespace emgraph::graph::format
