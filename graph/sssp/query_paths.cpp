// SPDX-License-Identifier: MIT
// One run for all paths, and the place of each in it.
#include "graph/sssp/query_paths.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"

namespace emgraph::graph::sssp {
namespace {

std::size_t block_bytes(const core::MemoryBudget& memory) {
  return core::small_block_bytes(memory, 256 * core::KiB);
}

}  // namespace

QueryPaths::QueryPaths(core::Environment& environment, std::size_t queries)
    : environment_(environment),
      places_(environment.memory, queries, "the places of paths"),
      writer_(std::in_place, environment, block_bytes(environment.memory)) {
  std::ranges::fill(places_.span(), Place{});
}

std::uint64_t QueryPaths::memory_bytes(const core::MemoryBudget& memory, std::uint64_t queries) {
  return core::size_sum(2 * block_bytes(memory), core::size_product(queries, sizeof(Place)));
}

std::uint64_t QueryPaths::disk_bytes(const core::MemoryBudget& memory, std::uint64_t queries,
                                     std::uint64_t nodes) {
  const std::uint64_t words = core::size_product(queries, nodes);
  return core::size_sum(core::size_product(words, sizeof(std::uint64_t)), block_bytes(memory));
}

void QueryPaths::add(std::size_t query, core::FunctionRef<void(Writer& writer)> write) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t first = writer_->records();
  write(*writer_);
  places_[query] = {first, writer_->records() - first};
}

void QueryPaths::hand_to(PathSink* sink) {
  run_ = writer_->finish();
  writer_.reset();
  if (sink == nullptr) return;
  if (run_.records > 0) block_ = core::Buffer(environment_.memory, run_.block_bytes(), "a part of a path");
  for (const Place& path : places_.span()) {
    hand_to(*sink, path);
    sink->end_path();
  }
}

/// From the end of the path to its start, and in each block likewise.
void QueryPaths::hand_to(PathSink& sink, const Place& path) {
  const std::uint64_t in_block = core::Run<std::uint64_t>::records_per_block(run_.block_bytes());
  for (std::uint64_t end = path.first + path.nodes; end > path.first;) {
    const std::uint64_t block = (end - 1) / in_block;
    const std::uint64_t begin = std::max(path.first, block * in_block);
    const auto part = load(static_cast<std::size_t>(block))
                          .subspan(static_cast<std::size_t>(begin - block * in_block),
                                   static_cast<std::size_t>(end - begin));
    std::ranges::reverse(part);  // no other path has these nodes
    sink.append(part);
    end = begin;
  }
}

std::span<std::uint64_t> QueryPaths::load(std::size_t block) {
  const std::span<std::byte> bytes = block_.bytes().first(run_.blocks[block].bytes);
  if (loaded_ != block) {
    loaded_.reset();
    run_.blocks.read(block, bytes)->wait();
    loaded_ = block;
  }
  return {reinterpret_cast<std::uint64_t*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
}

}  // namespace emgraph::graph::sssp
