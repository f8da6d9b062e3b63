// SPDX-License-Identifier: MIT
// An output that a checkpoint keeps.
#pragma once

#include <functional>

#include "core/io/state_stream.hpp"

namespace emgraph::graph::prepare {

/// The output of a sort that can go on in another process.
struct KeptOutput {
  std::function<void(core::StateWriter&)> save;
  std::function<void(core::StateReader&)> restore;
};

}  // namespace emgraph::graph::prepare
