// SPDX-License-Identifier: MIT
// Reads the head, which declares all sizes, and compares them with the size of the file.
#include "graph/format/csr/gapbs.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/csr/csr_source.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t offset_bytes = 8;

struct GapbsHead {
  bool directed = false;
  std::uint64_t entries = 0;
  std::uint64_t nodes = 0;

  /// Bytes of the part of one direction.
  std::uint64_t part_bytes(std::size_t entry_bytes) const {
    return (nodes + 1) * offset_bytes + entries * entry_bytes;
  }
  std::uint64_t file_bytes(std::size_t entry_bytes) const {
    return gapbs_head_bytes + (directed ? 2 : 1) * part_bytes(entry_bytes);
  }
};

GapbsHead read_head(core::InputFile& input) {
  std::array<std::byte, gapbs_head_bytes + offset_bytes> bytes{};
  const std::size_t found = input.read_at(0, bytes);
  if (found < bytes.size()) {
    throw core::DataError::at_offset(
        input.name(), found,
        "truncated within the " + std::to_string(bytes.size()) + " bytes that every .sg file starts with");
  }
  const auto integer = [&](std::size_t at) {
    std::int64_t value;
    std::memcpy(&value, &bytes[at], sizeof(value));
    return value;
  };
  const auto count = [&](std::size_t at, std::uint64_t most, const char* what) {
    const std::int64_t value = integer(at);
    if (value < 0 || static_cast<std::uint64_t>(value) > most) {
      throw core::DataError::at_offset(
          input.name(), at, std::to_string(value) + " " + what + ", expected 0 to " + std::to_string(most));
    }
    return static_cast<std::uint64_t>(value);
  };
  GapbsHead head;
  if (bytes[0] > std::byte{1}) {
    throw core::DataError::at_offset(input.name(), 0,
                                     "byte " + std::to_string(std::to_integer<int>(bytes[0])) +
                                         ", expected 0 (undirected) or 1 (directed)");
  }
  head.directed = bytes[0] == std::byte{1};
  head.entries = count(1, std::uint64_t{1} << 56, "edges");
  head.nodes = count(9, gapbs_most_nodes, "nodes");
  if (const std::int64_t first = integer(gapbs_head_bytes); first != 0) {
    throw core::DataError::at_offset(input.name(), gapbs_head_bytes,
                                     "first offset " + std::to_string(first) + ", expected 0");
  }
  return head;
}

void check_size(const core::InputFile& input, const GapbsHead& head, bool weighted) {
  const std::uint64_t size = input.size();
  const std::uint64_t expected = head.file_bytes(weighted ? 8 : 4);
  if (size == expected) return;
  if (size == head.file_bytes(weighted ? 4 : 8)) {
    throw core::DataError::in_file(input.name(),
                                   std::string("holds edges ") + (weighted ? "without" : "with") +
                                       " weights: --input-format " + (weighted ? "sg" : "wsg") + " reads it");
  }
  throw wrong_size(input.name(), size, expected,
                   std::to_string(head.nodes) + " nodes and " + std::to_string(head.entries) +
                       (weighted ? " weighted" : "") +
                       (head.directed ? " directed edges" : " edges (both directions)"));
}

}  // namespace

Opened open_gapbs(core::Environment& environment, core::InputFile input, const Format& format,
                  const OpenOptions& options) {
  check_regular_file(input, format.name, "is read in two places at once, which a pipe cannot be");
  const bool weighted = format.name.starts_with('w');
  const GapbsHead head = read_head(input);
  check_size(input, head, weighted);
  CsrLayout layout;
  layout.nodes = head.nodes;
  layout.entries = head.entries;
  layout.ends_offset = gapbs_head_bytes + offset_bytes;
  layout.neighbours_offset = gapbs_head_bytes + (head.nodes + 1) * offset_bytes;
  layout.entry_bytes = weighted ? 8 : 4;
  layout.weight_bytes = weighted ? 4 : 0;
  layout.signed_weights = weighted;
  layout.signed_ids = true;
  layout.ascending = !format.name.ends_with("-unsorted");
  EdgeFacts facts;
  facts.layout.weight = weighted ? WeightType::i64 : WeightType::none;
  facts.order = layout.ascending ? EdgeOrder::source_target : EdgeOrder::none;
  facts.directed = head.directed;
  facts.symmetric = !head.directed;
  return {std::make_shared<CsrSource>(environment, std::move(input), layout, facts, options.max_lanes)};
}

std::unique_ptr<EdgeWriter> create_gapbs(const Creation& creation, const Format& format) {
  if (format.name == "sg") return make_gapbs_writer(creation, false);
  if (creation.facts.layout.weight != WeightType::u32 && creation.facts.layout.weight != WeightType::i64) {
    throw core::UsageError(creation.path + ": this format stores integer weights, the edges have " +
                           (creation.facts.layout.weight == WeightType::none ? "none" : "others") +
                           "; write them as sg, without weights");
  }
  return make_gapbs_writer(creation, true);
}

}  // namespace emgraph::graph::format
