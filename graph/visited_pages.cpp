// SPDX-License-Identifier: MIT
// Reads and writes pages of bits.
#include "graph/visited_pages.hpp"

#include <cstring>

#include "graph/node_space.hpp"

namespace emgraph::graph {

VisitedPages::VisitedPages(core::Environment& environment, std::uint64_t nodes, std::size_t memory_bytes)
    : environment_(environment), blocks_(environment, page_bytes) {
  const std::uint64_t pages = pages_for(nodes);
  const std::size_t places = places_for(nodes, memory_bytes);
  if (places < pages) require_node_space(environment, nodes, core::size_product(pages, page_bytes));
  places_.resize(places);
  written_.resize(static_cast<std::size_t>(pages));
  memory_ = core::Buffer(environment.memory, places_.size() * page_bytes, "pages of bits");
  if (places < pages) {
    for (std::uint64_t page = 0; page < pages; ++page) blocks_.add(page_bytes);
  }
}

std::uint64_t* VisitedPages::load(std::uint64_t page) {
  const auto slot = static_cast<std::size_t>(page % places_.size());
  const std::span<std::byte> bytes = memory_.bytes().subspan(slot * page_bytes, page_bytes);
  Place& place = places_[slot];
  if (place.page != page) {
    if (place.changed) {
      blocks_.write(static_cast<std::size_t>(place.page), bytes)->wait();
      written_[static_cast<std::size_t>(place.page)] = true;
    }
    place = {page, false};
    if (written_[static_cast<std::size_t>(page)]) {
      blocks_.read(static_cast<std::size_t>(page), bytes)->wait();
    } else {
      std::memset(bytes.data(), 0, page_bytes);
    }
  }
  return reinterpret_cast<std::uint64_t*>(bytes.data());
}

bool VisitedPages::test(std::uint64_t node) {
  return (load(node / page_nodes)[node % page_nodes / 64] >> (node % 64) & 1) != 0;
}

bool VisitedPages::visit(std::uint64_t node) {
  std::uint64_t* const words = load(node / page_nodes);
  std::uint64_t& word = words[node % page_nodes / 64];
  const std::uint64_t bit = std::uint64_t{1} << (node % 64);
  if ((word & bit) != 0) return false;
  word |= bit;
  places_[static_cast<std::size_t>(node / page_nodes % places_.size())].changed = true;
  return true;
}

}  // namespace emgraph::graph
