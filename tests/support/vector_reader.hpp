// SPDX-License-Identifier: MIT
// Reads node values from a vector, in place of a file or pipe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::tests {

/// Returns small batches. Overwrites each batch in the next call, as the contract allows.
class VectorReader final : public graph::format::NodeReader {
 public:
  /// `counted`: the number of values is known before the end. `floating`: the values are bits of doubles.
  explicit VectorReader(std::vector<std::uint64_t> values, bool counted = true, bool floating = false)
      : values_(std::move(values)), counted_(counted), floating_(floating) {}
  std::span<const std::uint64_t> next() override {
    const std::size_t count = std::min<std::size_t>(7, values_.size() - at_);
    batch_.assign(values_.begin() + static_cast<std::ptrdiff_t>(at_),
                  values_.begin() + static_cast<std::ptrdiff_t>(at_ + count));
    at_ += count;
    return batch_;
  }
  std::optional<std::uint64_t> count() const override {
    return counted_ ? std::optional<std::uint64_t>(values_.size()) : std::nullopt;
  }
  std::size_t value_bytes() const override { return 8; }
  bool floating() const override { return floating_; }

 private:
  const std::vector<std::uint64_t> values_;
  const bool counted_;
  const bool floating_;
  std::vector<std::uint64_t> batch_;
  std::size_t at_ = 0;
};

}  // namespace emgraph::tests
