// SPDX-License-Identifier: MIT
// The checksum of everything emgraph writes with one: XXH3, 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace emgraph::core {

/// XXH3-64 (seed 0) of the bytes.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// The same over pieces that arrive one after another.
class ChecksumStream {
 public:
  ChecksumStream();
  ~ChecksumStream();
  ChecksumStream(const ChecksumStream&) = delete;
  void append(std::span<const std::byte> bytes);
  /// Of all bytes so far.
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emgraph::core
