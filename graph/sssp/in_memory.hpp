// SPDX-License-Identifier: MIT
// Searches on rows in memory: the choice of a queue, full searches, queries.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/environment.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/rows.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The rows of a graph: short ones where offsets and lengths fit 4 bytes.
template <class Id>
struct AnyRows;
template <>
struct AnyRows<std::uint32_t> {
  using Short = Rows<std::uint32_t, std::uint32_t, std::uint32_t>;
  using Long = Rows<std::uint32_t, std::uint64_t, std::uint32_t>;
  using Wide = Rows<std::uint32_t, std::uint64_t, std::uint64_t>;
  std::variant<std::unique_ptr<Short>, std::unique_ptr<Long>, std::unique_ptr<Wide>> rows;
};
template <>
struct AnyRows<std::uint64_t> {
  using Wide = Rows<std::uint64_t, std::uint64_t, std::uint64_t>;
  using Short = Wide;
  using Long = Wide;
  std::variant<std::unique_ptr<Wide>> rows;
};

struct QueuePlan {
  Queue queue = Queue::heap;
  double width = 1;     ///< of a bucket of delta-stepping
  LengthFacts lengths;  ///< of the arcs
  std::string reason;
};

/// The queue for full searches, and the width of delta-stepping's buckets. Throws UsageError if the requested
/// queue cannot serve: dial needs integers below 2^24.
QueuePlan choose_queue(const Options& options, const LengthFacts& facts, unsigned threads);

/// Fills `distances`, an entry per node. Returns how it was done. I/O: none. Memory: the queue; if it does
/// not fit, two bits per node (row_search.hpp). Threads: delta-stepping all, else one; all without a queue.
/// Throws: MemoryLimitError.
template <class Distances, class RowsType>
std::string search_rows(core::Environment& environment, const RowsType& rows, const QueuePlan& plan,
                        std::uint64_t root, std::span<std::uint64_t> distances);

/// Sets the answers, in the order of the queries, and the use of the file of landmarks. Queries and answers
/// name rows. `back`: the reversed rows, or the same if undirected. `names`: as of PathTrace. Threads:
/// all, or as many as memory allows, a query each. Queries whose queues do not fit are answered by searches
/// of all nodes. Throws: MemoryLimitError, and as read_landmarks and write_landmarks.
template <class Distances, class RowsType>
void answer_queries(core::Environment& environment, const RowsType& rows, const RowsType& back,
                    const typename RowsType::Id* names, const QueuePlan& plan, const Options& options,
                    Result& result);

}  // namespace emgraph::graph::sssp
