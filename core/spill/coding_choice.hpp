// SPDX-License-Identifier: MIT
// Whether blocks are worth coding before they go to disk.
#pragma once

#include <cstddef>

#include "core/spill/block_coding.hpp"

namespace emgraph::core {

/// Bytes per second of all disks together below which coding full blocks pays. Threads and disks work at the
/// same time, so a sort takes as long as the slower of them: coding pays as long as `threads` threads that
/// code are done with a block, out and in, before disks that get it as it is. 0: never, for it saves too
/// little of keys spread evenly over their range.
/// Measured (2 virtual EPYC cores, other work on them, November 2026, one to three runs, commands in
/// coding_choice.cpp; the formula was fitted with these in sight): 8-byte edges, 6 bytes in blocks, 923 MB/s
/// as the result: on a disk limited to 400M 3.5 s as they are and 2.3 s coded, to 800M 1.80 and 1.87 s,
/// without a limit 1.3 and 1.8 s. With 8 bytes attached, 1217 MB/s: 400M 8.5 and 7.3 s, 800M 4.3 and 3.7 s,
/// without a limit 2.5 and 3.6 s.
double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, unsigned threads);

/// A speed that was seen, and not declared, is that of writes beside whatever else the disk does, as reading
/// the input: it must be this much lower. Measured: kron24 from file to file in 448 MiB, a disk of 1.4 GB/s
/// or more seen at 350 to 390 MB/s: 3.24 s not coded, 3.95 s coded (medians of 3, in turn, cold, 512 MiB
/// cgroup).
inline constexpr double seen_speed_margin = 3;

}  // namespace emgraph::core
