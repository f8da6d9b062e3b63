// SPDX-License-Identifier: MIT
// The head declares all sizes except that of the padding, which follows from the size of the file.
#include "graph/format/csr/galois.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/csr/csr_source.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::uint64_t head_bytes = 32;
/// Greatest accepted count, so that sizes do not overflow.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 56;

struct GaloisHead {
  std::uint64_t version = 0;
  std::uint64_t data_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;

  std::size_t target_bytes() const { return version == 1 ? 4 : 8; }
  std::uint64_t targets_offset() const { return head_bytes + nodes * 8; }
  /// Size of the file without padding.
  std::uint64_t file_bytes() const {
    return targets_offset() + edges * (target_bytes() + std::min(data_bytes, std::uint64_t{8}));
  }
  /// Writers differ in the padding after an odd number of targets. In version 1 data need it.
  bool may_be_padding(std::uint64_t bytes) const {
    if (version == 1 && data_bytes != 0 && edges % 2 == 1) return bytes == 4;
    return bytes == 0 || (edges % 2 == 1 && (bytes == 4 || (version == 2 && bytes == 8)));
  }
  bool plausible() const {
    return (version == 1 || version == 2) && (data_bytes == 0 || data_bytes == 4 || data_bytes == 8) &&
           nodes <= most_entries && edges <= most_entries;
  }
};

GaloisHead head_of(std::span<const std::byte> bytes) {
  GaloisHead head;
  static_assert(sizeof(head) == head_bytes);
  std::memcpy(&head, bytes.data(), sizeof(head));
  return head;
}

}  // namespace

bool is_galois(const FileStart& start) {
  if (start.packed || start.size < head_bytes || start.bytes.size() < head_bytes) return false;
  const GaloisHead head = head_of(start.bytes);
  const bool version = head.version == 1 || head.version == 2;
  if (start.extension == "gr" || start.extension == "vgr" || start.extension == "galois") return version;
  // Raw pairs may look like a head, too, so a known extension decides.
  return find_format(start.extension) == nullptr && head.plausible() && start.size >= head.file_bytes() &&
         head.may_be_padding(start.size - head.file_bytes());
}

Opened open_galois(core::Environment& environment, core::InputFile input, const Format& format,
                   const OpenOptions& options) {
  check_regular_file(input, format.name, "is read in several places at once, which a pipe cannot be");
  std::array<std::byte, head_bytes> bytes{};
  if (const std::size_t found = input.read_at(0, bytes); found < bytes.size()) {
    throw core::DataError::at_offset(
        input.name(), found, "truncated within the " + std::to_string(head_bytes) + " bytes of its head");
  }
  const GaloisHead head = head_of(bytes);
  const auto refuse = [&](std::uint64_t offset, const std::string& what) {
    throw core::DataError::at_offset(input.name(), offset, what);
  };
  if (head.version != 1 && head.version != 2) {
    refuse(0, "Galois graph of version " + std::to_string(head.version) + ", expected 1 or 2");
  }
  if (head.data_bytes != 0 && head.data_bytes != 4 && head.data_bytes != 8) {
    refuse(8, std::to_string(head.data_bytes) + " bytes of data per edge, expected 0, 4 or 8");
  }
  if (!head.plausible()) {
    refuse(16, std::to_string(head.nodes) + " nodes and " + std::to_string(head.edges) + " edges");
  }
  const std::uint64_t size = input.size();
  if (size < head.file_bytes() || !head.may_be_padding(size - head.file_bytes())) {
    const bool padded = !head.may_be_padding(0);
    throw wrong_size(input.name(), size, head.file_bytes() + (padded ? 4 : 0),
                     std::to_string(head.nodes) + " nodes and " + std::to_string(head.edges) +
                         " edges with " + std::to_string(head.data_bytes) + " bytes of data each");
  }
  CsrLayout layout;
  layout.nodes = head.nodes;
  layout.entries = head.edges;
  layout.ends_offset = head_bytes;
  layout.neighbours_offset = head.targets_offset();
  layout.neighbour_bytes = layout.entry_bytes = head.target_bytes();
  layout.weight_bytes = head.data_bytes;
  if (head.data_bytes != 0) layout.weights_offset = size - head.edges * head.data_bytes;
  EdgeFacts facts;
  facts.layout.id_bytes = head.nodes <= std::uint64_t{1} << 32 ? 4 : 8;
  if (head.data_bytes != 0) {
    facts.layout.weight = head.data_bytes == 4 ? WeightType::u32 : WeightType::i64;
  }
  facts.directed = true;
  return {std::make_shared<CsrSource>(environment, std::move(input), layout, facts, options.max_lanes),
          {},
          {{"version", std::to_string(head.version)}}};
}

}  // namespace emgraph::graph::format
