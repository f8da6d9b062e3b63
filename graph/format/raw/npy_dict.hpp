// SPDX-License-Identifier: MIT
// Values in the dict of a NumPy header.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace emgraph::graph::format {

/// The text after `'key':` in the dict, without leading spaces.
std::optional<std::string_view> npy_value(std::string_view dict, std::string_view key);

/// The numbers of a tuple; nullopt if it is none.
std::optional<std::vector<std::uint64_t>> npy_shape(std::string_view text);

}  // namespace emgraph::graph::format
