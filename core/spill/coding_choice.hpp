// SPDX-License-Identifier: MIT
// Decides whether to code blocks before they are written to disk.
#pragma once

#include <cstddef>

#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// Bytes of the code of a full block whose keys are evenly distributed over their range.
double expected_code_bytes(const BlockLayout& layout, std::size_t block_bytes);

/// The speed of all disks together, bytes per second, below which coding full blocks saves time. Threads and
/// disks work at the same time, so a sort takes as long as the slower of them. Coding saves time if `threads`
/// threads handle a coded block, out and in, in less time than the disks need for the uncoded block. 0:
/// coding never saves time, because it saves too few bytes of keys that are evenly distributed over their
/// range. Measured (2 virtual EPYC cores, other work on them, November 2026, one to three runs, commands in
/// coding_choice.cpp; the formula was fitted to these figures), uncoded and coded: 8-byte edges, 6 bytes in
/// blocks, result 923 MB/s: disk limited to 400M 3.5 and 2.3 s, to 800M 1.80 and 1.87 s, no limit 1.3 and 1.8
/// s. With 8 bytes attached, result 1217 MB/s: 400M 8.5 and 7.3 s, 800M 4.3 and 3.7 s, no limit 2.5 and 3.6
/// s.
double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, unsigned threads);

/// A measured speed must be lower by this factor, because the disk has other work during the measurement,
/// such as reading the input. A declared speed needs no margin. Measured: kron24 from file to file in 448
/// MiB; the speed of a disk of at least 1.4 GB/s was measured as 350 to 390 MB/s: 3.24 s uncoded, 3.95 s
/// coded (medians of 3, in turn, cold, 512 MiB cgroup).
inline constexpr double seen_speed_margin = 3;

}  // namespace emgraph::core
