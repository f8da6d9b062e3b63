// SPDX-License-Identifier: MIT
// Recomputes the checksums of damaged containers and adjacency files.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace emgraph::fuzz {

/// Changes checksums, and the file length in the footer. Files of other formats are not changed.
void mend_checksums(std::string_view format, std::span<std::byte> file);

}  // namespace emgraph::fuzz
