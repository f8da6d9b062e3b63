// SPDX-License-Identifier: MIT
// Verifies and seals pages.
#include "graph/adjacency/page.hpp"

#include <span>

#include "core/io/checksum.hpp"

namespace emgraph::graph::adjacency {

std::uint64_t page_checksum(const std::byte* page, std::size_t page_bytes) {
  return core::checksum(std::span(page, page_bytes - sizeof(PageFoot::checksum)));
}

void verify_page(const PageContext& context, std::uint64_t number, const std::byte* page,
                 std::uint64_t first_node, bool continues) {
  const PageFoot foot = page_foot(page, context.page_bytes);
  if (foot.checksum != page_checksum(page, context.page_bytes)) {
    context.refuse(number, "it is damaged: its checksum does not match");
  }
  if (foot.first_node != first_node || foot.continues != (continues ? 1 : 0)) {
    context.refuse(number, "it begins with node " + std::to_string(foot.first_node) +
                               ", the index expects node " + std::to_string(first_node));
  }
  const std::size_t directory = directory_entries(foot.fragments, context.weight) * (context.id_bytes + 2);
  // An entry takes at least a byte and a quarter.
  if (foot.fragments == 0 || foot.used_bytes + directory > context.page_bytes - sizeof(PageFoot) ||
      foot.entries > context.page_bytes) {
    context.refuse(number, std::to_string(foot.fragments) + " lists of " + std::to_string(foot.entries) +
                               " neighbours in " + std::to_string(foot.used_bytes) + " bytes make no sense");
  }
}

void seal_page(std::byte* page, std::size_t page_bytes) {
  const std::uint64_t sum = page_checksum(page, page_bytes);
  std::memcpy(page + page_bytes - sizeof(sum), &sum, sizeof(sum));
}

}  // namespace emgraph::graph::adjacency
