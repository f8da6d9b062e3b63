// SPDX-License-Identifier: MIT
// What formats ask of an input that is read in several places and whose head says its size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// Throws UsageError for a pipe. `demand`: what the format asks that a pipe does not give, to follow its
/// name.
void check_regular_file(const core::InputFile& input, std::string_view format, std::string_view demand);

/// Of a file of `found` bytes where `expected` ones hold what its head says, `content`.
core::DataError wrong_size(const std::string& file, std::uint64_t found, std::uint64_t expected,
                           std::string_view content);

}  // namespace emgraph::graph::format
