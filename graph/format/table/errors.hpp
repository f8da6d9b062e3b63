// SPDX-License-Identifier: MIT
// Errors of edge files that a caller may want to tell apart.
#pragma once

#include "core/base/error.hpp"

namespace emgraph::graph::format {

/// An id needs 8 bytes where the caller asked for 4: open again with OpenOptions::id_bytes = 8.
class IdTooWide : public core::DataError {
 public:
  explicit IdTooWide(const core::DataError& error) : core::DataError(error) {}
};

}  // namespace emgraph::graph::format
