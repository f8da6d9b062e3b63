// SPDX-License-Identifier: MIT
// What an exception says.
#pragma once

#include <string>

namespace emgraph::tests {

/// The message of the exception of type E that `f` throws, "" if it throws none; other exceptions pass.
template <class E, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace emgraph::tests
