// SPDX-License-Identifier: MIT
// Opens the sorts of edges: compiled once for each kind of ids and keys.
#include "graph/prepare/open_sort.hpp"

namespace emgraph::graph::prepare {

template OpenSort<std::uint32_t, EdgeKeys<std::uint64_t>> open_sort(
    SortInput<std::uint32_t>&, const EdgeKeys<std::uint64_t>&, const SortSpec&,
    AddKeys<std::uint32_t, EdgeKeys<std::uint64_t>>, core::FunctionRef<SortMemory(unsigned)>);
template OpenSort<std::uint64_t, EdgeKeys<std::uint64_t>> open_sort(
    SortInput<std::uint64_t>&, const EdgeKeys<std::uint64_t>&, const SortSpec&,
    AddKeys<std::uint64_t, EdgeKeys<std::uint64_t>>, core::FunctionRef<SortMemory(unsigned)>);
template OpenSort<std::uint64_t, EdgeKeys<core::uint128>> open_sort(
    SortInput<std::uint64_t>&, const EdgeKeys<core::uint128>&, const SortSpec&,
    AddKeys<std::uint64_t, EdgeKeys<core::uint128>>, core::FunctionRef<SortMemory(unsigned)>);

}  // namespace emgraph::graph::prepare
