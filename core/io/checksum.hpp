// SPDX-License-Identifier: MIT
// The checksum of everything emgraph writes with one: XXH3, 64 bits. And a hash by which texts are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/integers.hpp"

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

/// XXH3-128 of a text: equal texts have equal hashes, others hardly ever.
uint128 text_hash(std::string_view text, std::uint64_t seed);

}  // namespace emgraph::core
