// SPDX-License-Identifier: MIT
// XXH3: the 64-bit checksum of all sealed data that emgraph writes, and a 128-bit hash to compare texts.
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

/// The same for bytes that arrive in pieces.
class ChecksumStream {
 public:
  ChecksumStream();
  ~ChecksumStream();
  ChecksumStream(const ChecksumStream&) = delete;
  void append(std::span<const std::byte> bytes);
  /// Checksum of all bytes so far.
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-128 of a text. Different texts have equal hashes with a probability of about 2^-128.
uint128 text_hash(std::string_view text, std::uint64_t seed);

}  // namespace emgraph::core
