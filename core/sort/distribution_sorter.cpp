// SPDX-License-Identifier: MIT
// The sorters that many files use, compiled once.
#include "core/sort/distribution_sorter.hpp"

namespace emgraph::core {

template class DistributionSorter<std::uint64_t, 0>;
template class DistributionSorter<std::uint64_t, 4>;
template class DistributionSorter<std::uint64_t, 8>;
template class DistributionSorter<std::uint64_t, 16>;
template class DistributionSorter<std::uint64_t, 32>;
template class DistributionSorter<std::uint64_t, 64>;
template class DistributionSorter<uint128, 0>;
template class DistributionSorter<uint128, 4>;
template class DistributionSorter<uint128, 8>;
template class DistributionSorter<uint128, 16>;
template class DistributionSorter<uint128, 32>;
template class DistributionSorter<uint128, 64>;

}  // namespace emgraph::core
