// SPDX-License-Identifier: MIT
// Writes BVGraphs, slowly and with random choices, so that every way to code a list occurs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::tests {

/// Bits, the most significant of a byte first.
class BitString {
 public:
  void bits(std::uint64_t value, unsigned count) {
    for (unsigned i = count; i > 0; --i) text_ += (value >> (i - 1) & 1) != 0 ? '1' : '0';
  }
  void unary(std::uint64_t value) { text_.append(value, '0').append("1"); }
  void gamma(std::uint64_t value) {
    const unsigned width = log2(value + 1);
    unary(width);
    bits((value + 1) - (std::uint64_t{1} << width), width);
  }
  void delta(std::uint64_t value) {
    const unsigned width = log2(value + 1);
    gamma(width);
    bits((value + 1) - (std::uint64_t{1} << width), width);
  }
  /// Minimal binary code of the offset within [2^hk, 2^(h+1)k).
  void zeta(std::uint64_t value, unsigned k) {
    const std::uint64_t number = value + 1;
    const unsigned h = log2(number) / k;
    unary(h);
    const std::uint64_t least = std::uint64_t{1} << (h * k);
    const std::uint64_t interval = (least << k) - least;
    const std::uint64_t offset = number - least;
    const unsigned width = h * k + k;  // of the longer code words
    const std::uint64_t short_words = (std::uint64_t{1} << width) - interval;
    if (offset < short_words) {
      bits(offset, width - 1);
    } else {
      bits(offset + short_words, width);
    }
  }
  void nibble(std::uint64_t value) {
    unsigned groups = 1;
    while (value >> (3 * groups) != 0) ++groups;
    for (unsigned group = groups; group > 0; --group) {
      bits(group == 1 ? 1 : 0, 1);
      bits(value >> (3 * (group - 1)) & 7, 3);
    }
  }
  void number(graph::format::BitCode code, std::uint64_t value, unsigned k) {
    using graph::format::BitCode;
    switch (code) {
      case BitCode::gamma:
        return gamma(value);
      case BitCode::delta:
        return delta(value);
      case BitCode::zeta:
        return zeta(value, k);
      case BitCode::unary:
        return unary(value);
      case BitCode::nibble:
        return nibble(value);
    }
  }
  const std::string& text() const { return text_; }
  std::string bytes() const {
    std::string padded = text_;
    padded.append((8 - padded.size() % 8) % 8, '0');
    std::string bytes;
    for (std::size_t i = 0; i < padded.size(); i += 8) {
      bytes += static_cast<char>(std::stoi(padded.substr(i, 8), nullptr, 2));
    }
    return bytes;
  }

 private:
  static unsigned log2(std::uint64_t value) {
    unsigned result = 0;
    while (value >>= 1) ++result;
    return result;
  }
  std::string text_;
};

using SuccessorLists = std::vector<std::vector<std::uint64_t>>;

/// Ids near the node and far, runs of successive ones, parts of lists before.
inline SuccessorLists web_like_lists(std::uint64_t nodes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  SuccessorLists lists(nodes);
  for (std::uint64_t node = 0; node < nodes; ++node) {
    auto& list = lists[node];
    if (random() % 5 == 0) continue;
    if (node > 0 && random() % 2 == 0) {
      for (const std::uint64_t id : lists[node - 1 - random() % std::min<std::uint64_t>(node, 9)]) {
        if (random() % 8 != 0) list.push_back(id);
      }
    }
    for (std::uint64_t runs = random() % 3; runs > 0; --runs) {
      const std::uint64_t first = random() % nodes;
      for (std::uint64_t id = first; id < std::min(nodes, first + random() % 20); ++id) list.push_back(id);
    }
    for (std::uint64_t single = random() % 6; single > 0; --single) {
      const std::uint64_t near = node + random() % 50;
      list.push_back(random() % 2 == 0 ? random() % nodes
                                       : std::min(nodes - 1, near - std::min<std::uint64_t>(near, 25)));
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

inline std::uint64_t to_natural(std::int64_t number) {
  return number >= 0 ? 2 * static_cast<std::uint64_t>(number) : 2 * static_cast<std::uint64_t>(-number) - 1;
}

/// What follows the outdegree of a list that is not empty.
inline void encode_list(BitString& out, const SuccessorLists& lists, std::uint64_t node, std::uint64_t back,
                        const graph::format::WebgraphProperties& code) {
  const auto& list = lists[node];
  std::vector<std::uint64_t> extra;
  if (code.window_size > 0) out.number(code.references, back, code.zeta_k);
  if (back > 0) {
    const auto& from = lists[node - back];
    const auto has = [](const auto& ids, std::uint64_t id) {
      return std::binary_search(ids.begin(), ids.end(), id);
    };
    std::vector<std::uint64_t> blocks;
    bool copies = true;
    std::uint64_t length = 0;
    for (const std::uint64_t id : from) {
      if (has(list, id) != copies) {
        blocks.push_back(length);
        length = 0;
        copies = !copies;
      }
      ++length;
    }
    // The last block extends to the end of the list implicitly, but a copying block must be explicit.
    if (!copies) blocks.push_back(length);
    if (!copies && blocks.size() % 2 == 1) blocks.pop_back();
    out.number(code.block_counts, blocks.size(), code.zeta_k);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      out.number(code.blocks, blocks[i] - (i == 0 ? 0 : 1), code.zeta_k);
    }
    for (const std::uint64_t id : list) {
      if (!has(from, id)) extra.push_back(id);
    }
  } else {
    extra = list;
  }
  if (extra.empty()) return;
  std::vector<std::uint64_t> residuals;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals;
  for (std::size_t i = 0; i < extra.size();) {
    std::size_t end = i + 1;
    while (end < extra.size() && extra[end] == extra[end - 1] + 1) ++end;
    if (code.least_interval > 0 && end - i >= code.least_interval) {
      intervals.emplace_back(extra[i], end - i);
    } else {
      residuals.insert(residuals.end(), extra.begin() + static_cast<std::ptrdiff_t>(i),
                       extra.begin() + static_cast<std::ptrdiff_t>(end));
    }
    i = end;
  }
  const auto relative = [&](std::uint64_t id) {
    return to_natural(static_cast<std::int64_t>(id) - static_cast<std::int64_t>(node));
  };
  if (code.least_interval > 0) {
    out.gamma(intervals.size());
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const auto [left, length] = intervals[i];
      out.gamma(i == 0 ? relative(left) : left - end - 1);
      out.gamma(length - code.least_interval);
      end = left + length;
    }
  }
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    out.number(code.residuals, i == 0 ? relative(residuals[i]) : residuals[i] - residuals[i - 1] - 1,
               code.zeta_k);
  }
}

inline std::string encode_webgraph(const SuccessorLists& lists, const graph::format::WebgraphProperties& code,
                                   std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  BitString out;
  for (std::uint64_t node = 0; node < lists.size(); ++node) {
    out.number(code.outdegrees, lists[node].size(), code.zeta_k);
    if (lists[node].empty()) continue;
    encode_list(out, lists, node, random() % (std::min(code.window_size, node) + 1), code);
  }
  return out.bytes();
}

inline std::string webgraph_properties(const SuccessorLists& lists,
                                       const graph::format::WebgraphProperties& code) {
  std::uint64_t arcs = 0;
  for (const auto& list : lists) arcs += list.size();
  return "#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\nnodes=" +
         std::to_string(lists.size()) + "\narcs=" + std::to_string(arcs) +
         "\nwindowsize=" + std::to_string(code.window_size) +
         "\nminintervallength=" + std::to_string(code.least_interval) +
         "\nzetak=" + std::to_string(code.zeta_k) + "\ncompressionflags=" + code.flags + "\n";
}

}  // namespace emgraph::tests
