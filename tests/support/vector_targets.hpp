// SPDX-License-Identifier: MIT
// Vector kernels on every instruction set that this machine has.
#pragma once

#include <hwy/highway.h>

#include <catch2/catch.hpp>

namespace emgraph::tests {

/// Runs `body` once for each instruction set that was compiled and that this machine has.
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
