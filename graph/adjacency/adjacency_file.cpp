// SPDX-License-Identifier: MIT
// Opens an adjacency file from both its ends.
#include "graph/adjacency/adjacency_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/io/checksum.hpp"
#include "graph/adjacency/build_pages.hpp"

namespace emgraph::graph::adjacency {
FileEnds read_ends(core::InputFile& input) {
  if (!input.seekable()) {
    throw core::UsageError(input.name() +
                           ": an adjacency is read from its end and from many places; give a regular file, "
                           "not a pipe");
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
  if (input.read_at(size - end.size(), end) != end.size()) {
    throw core::DataError::at_offset(input.name(), size, "truncated while it was being read");
  }
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
    if (input.read_at(offset, bytes) != bytes.size()) refuse(offset, "truncated while it was being read");
  };
  FileIndexHead head;
  read(footer.index_offset, std::as_writable_bytes(std::span<FileIndexHead, 1>(&head, 1)));
  sum.append(format::bytes_of(head));
  if (head.magic != FileIndexHead{}.magic || head.pages != pages) {
    refuse(footer.index_offset, "no index here, expected one of " + std::to_string(pages) + " pages");
  }
  // The bits of a window of pages are read beside its first nodes; the sums are over one after the other.
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
    // With the padding at the end of all first nodes.
    const std::size_t bytes = static_cast<std::size_t>(core::round_up(here * sizeof(Id), 8));
    read(offset, std::as_writable_bytes(first.span()).first(bytes));
    sum.append(std::as_bytes(first.span()).first(bytes));
    read(bits_offset + page / 8, std::as_writable_bytes(bits.span()).first((here + 63) / 64 * 8));
    for (std::size_t i = 0; i < here; ++i) {
      const bool continues = (bits[i / 64] >> (i % 64) & 1) != 0;
      const std::uint64_t number = page + i;
      // A page that continues a list begins with the last node of the page before it.
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
                             .largest_degree = ends.footer.largest_degree};
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
