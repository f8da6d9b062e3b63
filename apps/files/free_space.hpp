// SPDX-License-Identifier: MIT
// The free space of the file system of a directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace emgraph::apps {

/// Bytes that this user may still write there; nullopt: not known.
std::optional<std::uint64_t> free_bytes_at(const std::string& directory);

}  // namespace emgraph::apps
