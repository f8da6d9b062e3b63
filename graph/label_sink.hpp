// SPDX-License-Identifier: MIT
// Where labels go, in the order of their numbers.
#pragma once

#include <string_view>

namespace emgraph::graph {

class LabelSink {
 public:
  virtual ~LabelSink() = default;
  /// The label of the next number. Throws on I/O errors.
  virtual void append(std::string_view label) = 0;
};

}  // namespace emgraph::graph
