// SPDX-License-Identifier: MIT
// Integers of 128 bits for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/integers.hpp"

namespace emgraph::apps {

__extension__ using int128 = __int128;

std::string digits(core::uint128 value);
std::string digits(int128 value);

/// A number where JSON has one for it (64 bits), else its digits as text.
nlohmann::ordered_json number_or_digits(core::uint128 value);
nlohmann::ordered_json number_or_digits(int128 value);

}  // namespace emgraph::apps
