// SPDX-License-Identifier: MIT
// Runs vector kernels on every instruction set of this machine.
#pragma once

#include <hwy/highway.h>

#include <catch2/catch.hpp>

namespace emgraph::tests {

/// Runs `body` once for each compiled instruction set that this machine supports.
template <class Body>
void for_every_target(const Body& body) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    CAPTURE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace emgraph::tests
