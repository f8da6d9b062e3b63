// SPDX-License-Identifier: MIT
// Goes from the header through the blocks or pages to the footer, as far as the damaged file allows.
#include "tests/fuzz/mend_checksums.hpp"

#include <cstdint>
#include <cstring>
#include <optional>

#include "core/io/checksum.hpp"
#include "graph/adjacency/page.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/container/container_layout.hpp"

namespace emgraph::fuzz {
namespace {

using namespace graph::format;  // NOLINT: test code
using Bytes = std::span<std::byte>;

template <class T>
void store(Bytes file, std::uint64_t offset, const T& value) {
  std::memcpy(file.data() + offset, &value, sizeof(T));
}

/// The bytes from `begin` to `end`; none if these are not ordered offsets in the file.
std::optional<Bytes> part(Bytes file, std::uint64_t begin, std::uint64_t end) {
  if (begin > end || end > file.size()) return std::nullopt;
  return file.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

template <class Header>
Header mend_header(Bytes file) {
  auto header = load<Header>(file);
  if (const auto metadata = part(file, sizeof(Header), header.data_offset)) {
    header.metadata_checksum = core::checksum(*metadata);
  }
  seal(header);
  store(file, 0, header);
  return header;
}

template <class Footer, class Header>
void mend_footer(Bytes file, const Header& header) {
  const std::uint64_t offset = file.size() - sizeof(Footer);
  auto footer = load<Footer>(file.subspan(offset));
  if (const auto index = part(file, footer.index_offset, offset)) {
    footer.index_checksum = core::checksum(*index);
  }
  footer.file_bytes = file.size();
  footer.header_checksum = header.checksum;
  seal(footer);
  store(file, offset, footer);
}

void mend_container(Bytes file) {
  if (file.size() < sizeof(ContainerHeader) + sizeof(ContainerFooter)) return;
  const auto header = mend_header<ContainerHeader>(file);
  for (std::uint64_t at = header.data_offset; part(file, at, at + sizeof(BlockHead));) {
    auto head = load<BlockHead>(file.subspan(at));
    if (head.magic != BlockHead{}.magic) break;
    const auto payload = part(file, at + sizeof(BlockHead), at + head.block_bytes);
    if (payload) head.payload_checksum = core::checksum(*payload);
    seal(head);
    store(file, at, head);
    if (!payload) break;
    at += head.block_bytes;
  }
  mend_footer<ContainerFooter>(file, header);
}

void mend_adjacency(Bytes file) {
  using namespace graph::adjacency;  // NOLINT: test code
  if (file.size() < sizeof(FileHeader) + sizeof(FileFooter)) return;
  const auto header = mend_header<FileHeader>(file);
  const auto index_offset = load<FileFooter>(file.subspan(file.size() - sizeof(FileFooter))).index_offset;
  const std::size_t page_bytes = header.page_bytes;
  for (std::uint64_t at = header.data_offset; page_bytes >= sizeof(PageFoot) && at < index_offset;
       at += page_bytes) {
    const auto page = part(file, at, at + page_bytes);
    if (!page) break;
    seal_page(page->data(), page_bytes);
  }
  mend_footer<FileFooter>(file, header);
}

}  // namespace

void mend_checksums(std::string_view format, Bytes file) {
  if (format == "emg") mend_container(file);
  if (format == "adj") mend_adjacency(file);
}

}  // namespace emgraph::fuzz
