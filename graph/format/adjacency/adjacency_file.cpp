// SPDX-License-Identifier: MIT
// Builds and checks the fixed parts, and opens a file by its header and its footer.
#include "graph/format/adjacency/adjacency_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/io/checksum.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::adjacency {

namespace {

using core::DataError;

constexpr format::FileKind kind{"an adjacency", "adjacency", "adjacencies"};

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

bool weights_make_sense(const FileHeader& header, const FileFooter& footer) {
  const WeightType type = header.weight_type();
  if (type == WeightType::none || footer.entries == 0) {
    return footer.least_weight == 0 && footer.largest_weight == 0;
  }
  const std::uint64_t most = weight_bytes(type) == 4 ? 0xffffffffU : ~std::uint64_t{0};
  const WeightRanks ranks = weight_ranks(header, footer);
  return footer.least_weight <= most && footer.largest_weight <= most && ranks.least <= ranks.largest &&
         number_ranks(type).contains(ranks.least) && number_ranks(type).contains(ranks.largest);
}

}  // namespace

std::uint64_t index_bytes(std::uint64_t pages, std::size_t id_bytes) {
  return core::size_sum(sizeof(FileIndexHead), core::round_up(core::size_product(pages, id_bytes), 8),
                        core::round_up(core::divide_up(pages, 8), 8));
}

FileHeader make_header(std::size_t id_bytes, std::size_t page_bytes, bool directed, WeightType weight,
                       const std::string& metadata_text) {
  FileHeader header;
  const bool weighted = weight != WeightType::none;
  if (weighted) header.minor = adjacency_minor;
  header.id_bytes = static_cast<std::uint32_t>(id_bytes);
  header.page_bytes = static_cast<std::uint32_t>(page_bytes);
  header.required_flags = (directed ? flag_directed : 0) | (weighted ? flag_weighted : 0);
  header.weight = static_cast<std::uint64_t>(weight);
  format::announce_metadata(header, metadata_text, data_alignment);
  format::seal(header);
  return header;
}

FileHeader read_header(const std::string& file, std::span<const std::byte> bytes) {
  const auto refuse = [&](std::size_t offset, const std::string& what) {
    throw DataError::at_offset(file, offset, what);
  };
  const auto header = format::read_sealed_header<FileHeader>(file, bytes, kind);
  if (header.page_bytes == 0 || header.page_bytes % data_alignment != 0 ||
      header.page_bytes > most_page_bytes) {
    refuse(20, "pages of " + number(header.page_bytes) + " bytes, expected a multiple of 4096 up to 32768");
  }
  const std::uint64_t unknown = header.required_flags & ~(flag_directed | flag_weighted);
  if (unknown != 0) {
    refuse(24, "unknown required flags (value " + number(unknown) + "); a newer emgraph may read it");
  }
  const bool weighted = (header.required_flags & flag_weighted) != 0;
  if (header.weight > static_cast<std::uint64_t>(WeightType::f64) || weighted != (header.weight != 0)) {
    refuse(64, std::string(weighted ? "" : "no ") + "weights, of type " + number(header.weight) +
                   "; a newer emgraph may read it");
  }
  if (header.metadata_bytes > format::max_metadata_bytes ||
      header.data_offset != core::round_up(sizeof(header) + header.metadata_bytes, data_alignment)) {
    refuse(40, "metadata of " + number(header.metadata_bytes) + " bytes and pages from offset " +
                   number(header.data_offset) + " on do not agree");
  }
  if (!format::all_zero(header.reserved)) {
    refuse(offsetof(FileHeader, reserved),
           "reserved bytes of the header are not zero; a newer emgraph may read it");
  }
  return header;
}

WeightRanks weight_ranks(const FileHeader& header, const FileFooter& footer) {
  return {rank_of_weight(header.weight_type(), footer.least_weight),
          rank_of_weight(header.weight_type(), footer.largest_weight)};
}

FileFooter read_footer(const std::string& file, std::uint64_t offset, const FileHeader& header,
                       std::span<const std::byte> bytes) {
  const auto refuse = [&](const std::string& what) { throw DataError::at_offset(file, offset, what); };
  const auto footer = format::read_sealed_footer<FileFooter>(file, offset, header, bytes, kind);
  const bool sized = footer.pages <= offset / header.page_bytes &&
                     footer.index_offset == header.data_offset + footer.pages * header.page_bytes &&
                     offset - footer.index_offset == index_bytes(footer.pages, header.id_bytes);
  const bool counted = footer.entries / header.page_bytes <= footer.pages &&
                       (footer.entries == 0) == (footer.pages == 0) &&
                       (footer.nodes == 0 ? footer.pages == 0 : footer.largest_degree_node < footer.nodes) &&
                       (header.id_bytes == 8 || footer.nodes <= std::uint64_t{1} << 32);
  if (!sized || !counted || !format::all_zero(footer.reserved)) {
    refuse("the footer makes no sense: " + number(footer.pages) + " pages with " + number(footer.entries) +
           " entries, index at " + number(footer.index_offset));
  }
  if (!weights_make_sense(header, footer)) {
    refuse("the footer makes no sense: weights from " + number(footer.least_weight) + " to " +
           number(footer.largest_weight) + " (as bits)");
  }
  return footer;
}

FileEnds read_ends(core::InputFile& input) {
  if (!input.seekable()) {
    throw core::UsageError(input.name() +
                           ": an adjacency is read from its end and from many places; give a regular "
                           "file by its name");
  }
  FileEnds ends;
  std::array<std::byte, sizeof(FileHeader)> start;
  ends.header = read_header(input.name(), std::span(start).first(input.read_at(0, start)));
  std::vector<std::byte> metadata(ends.header.data_offset - sizeof(FileHeader));
  metadata.resize(input.read_at(sizeof(FileHeader), metadata));
  ends.metadata = format::read_metadata(input.name(), ends.header, metadata);

  std::array<std::byte, sizeof(FileFooter)> end;
  const std::uint64_t size = input.size();
  if (size < ends.header.data_offset + sizeof(FileIndexHead) + end.size()) {
    throw core::DataError::at_offset(input.name(), size, "truncated: the end of the adjacency is missing");
  }
  format::read_exactly(input, size - end.size(), end);
  ends.footer = read_footer(input.name(), size - end.size(), ends.header, end);
  return ends;
}

template <class Id>
PageIndex<Id> read_index(core::Environment& environment, core::InputFile& input, const FileEnds& ends) {
  const FileFooter& footer = ends.footer;
  const std::uint64_t pages = footer.pages;
  const std::uint64_t bits_offset =
      footer.index_offset + sizeof(FileIndexHead) + core::round_up(pages * sizeof(Id), 8);
  const auto refuse = [&](std::uint64_t offset, const std::string& what) {
    throw core::DataError::at_offset(input.name(), offset, what);
  };
  core::ChecksumStream sum;
  const auto read = [&](std::uint64_t offset, std::span<std::byte> bytes) {
    format::read_exactly(input, offset, bytes);
  };
  FileIndexHead head;
  read(footer.index_offset, std::as_writable_bytes(std::span<FileIndexHead, 1>(&head, 1)));
  sum.append(format::bytes_of(head));
  if (head.magic != FileIndexHead{}.magic || head.pages != pages) {
    refuse(footer.index_offset, "no index here, expected one of " + std::to_string(pages) + " pages");
  }
  // The first nodes and the bits of a window of pages are read together; the checksum covers first all nodes,
  // then bits.
  constexpr std::size_t window_pages = 8192;
  const core::Array<Id> first(environment.memory, window_pages, "reading the index of an adjacency");
  const core::Array<std::uint64_t> bits(environment.memory, window_pages / 64,
                                        "reading the index of an adjacency");
  PageIndex<Id> index(environment.memory);
  index.reserve(pages);
  const auto window = [&](std::uint64_t page) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(window_pages, pages - page));
  };
  for (std::uint64_t page = 0; page < pages; page += window_pages) {
    const std::size_t here = window(page);
    const std::uint64_t offset = footer.index_offset + sizeof(head) + page * sizeof(Id);
    // Includes the padding after the first nodes of all pages.
    const std::size_t bytes = static_cast<std::size_t>(core::round_up(here * sizeof(Id), 8));
    read(offset, std::as_writable_bytes(first.span()).first(bytes));
    sum.append(std::as_bytes(first.span()).first(bytes));
    read(bits_offset + page / 8, std::as_writable_bytes(bits.span()).first((here + 63) / 64 * 8));
    for (std::size_t i = 0; i < here; ++i) {
      const bool continues = (bits[i / 64] >> (i % 64) & 1) != 0;
      const std::uint64_t number = page + i;
      // A page that continues a list begins with the last node of the previous page.
      const Id before = number == 0 ? Id{0} : index.first_node(number - 1);
      const bool ordered = number == 0 ? !continues : first[i] > before || (continues && first[i] == before);
      if (!ordered || first[i] >= footer.nodes) {
        refuse(offset + i * sizeof(Id), "the index is damaged: nodes out of order");
      }
      index.add(first[i], continues);
    }
  }
  for (std::uint64_t page = 0; page < pages; page += window_pages) {
    const std::size_t bytes = (window(page) + 63) / 64 * 8;
    read(bits_offset + page / 8, std::as_writable_bytes(bits.span()).first(bytes));
    sum.append(std::as_bytes(bits.span()).first(bytes));
  }
  if (sum.value() != footer.index_checksum) {
    refuse(footer.index_offset, "the index is damaged: its checksum does not match");
  }
  return index;
}

template PageIndex<std::uint32_t> read_index(core::Environment&, core::InputFile&, const FileEnds&);
template PageIndex<std::uint64_t> read_index(core::Environment&, core::InputFile&, const FileEnds&);

template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment,
                                                   std::shared_ptr<core::InputFile> input,
                                                   const FileEnds& ends, std::size_t chunk_bytes) {
  PageIndex<Id> index = read_index<Id>(environment, *input, ends);
  const AdjacencyFacts facts{.nodes = ends.footer.nodes,
                             .entries = ends.footer.entries,
                             .directed = (ends.header.required_flags & flag_directed) != 0,
                             .largest_degree_node = ends.footer.largest_degree_node,
                             .largest_degree = ends.footer.largest_degree,
                             .weight = ends.header.weight_type(),
                             .weights = weight_ranks(ends.header, ends.footer)};
  const std::string name = input->name();
  auto store = std::make_unique<PageStore>(environment, std::move(input), ends.header.data_offset,
                                           ends.header.page_bytes, chunk_bytes, ends.footer.pages);
  return std::make_unique<PagedAdjacency<Id>>(environment, facts, name, ends.header.data_offset,
                                              std::move(index), std::move(store));
}

template std::unique_ptr<PagedAdjacency<std::uint32_t>> open_adjacency(core::Environment&,
                                                                       std::shared_ptr<core::InputFile>,
                                                                       const FileEnds&, std::size_t);
template std::unique_ptr<PagedAdjacency<std::uint64_t>> open_adjacency(core::Environment&,
                                                                       std::shared_ptr<core::InputFile>,
                                                                       const FileEnds&, std::size_t);

template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment, const std::string& path) {
  auto input = std::make_shared<core::InputFile>(path, environment.io);
  const FileEnds ends = read_ends(*input);
  if (ends.header.id_bytes != sizeof(Id)) {
    throw std::logic_error(path + ": ids of another width than asked for");
  }
  const std::size_t chunk = scan_chunk_bytes(environment.memory.available(), ends.header.page_bytes);
  return open_adjacency<Id>(environment, std::move(input), ends, chunk);
}

template std::unique_ptr<PagedAdjacency<std::uint32_t>> open_adjacency(core::Environment&,
                                                                       const std::string&);
template std::unique_ptr<PagedAdjacency<std::uint64_t>> open_adjacency(core::Environment&,
                                                                       const std::string&);

}  // namespace emgraph::graph::adjacency
