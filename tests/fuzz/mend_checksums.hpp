// SPDX-License-Identifier: MIT
// Makes the checksums of damaged containers and adjacency files right again.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace emgraph::fuzz {

/// Changes sums, and the length of the file that its footer tells; files of other formats stay as they are.
void mend_checksums(std::string_view format, std::span<std::byte> file);

}  // namespace emgraph::fuzz
