// SPDX-License-Identifier: MIT
// A state in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/io/state_stream.hpp"

namespace emgraph::tests {

class StateBytes final : public core::StateWriter, public core::StateReader {
 public:
  void put(std::span<const std::byte> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void get(std::span<std::byte> bytes) override {
    if (bytes.size() > bytes_.size() - at_) throw std::out_of_range("fewer bytes were saved");
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes.size(), bytes.begin());
    at_ += bytes.size();
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace emgraph::tests
