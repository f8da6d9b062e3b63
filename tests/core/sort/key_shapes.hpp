// SPDX-License-Identifier: MIT
// Sequences of keys: easy, skewed and adversarial ones for a distribution sort.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace emgraph::tests {

struct KeyShape {
  std::string name;
  std::vector<std::uint64_t> keys;
};

/// `count` keys each, below `limit` (at least 1000).
inline std::vector<KeyShape> key_shapes(std::size_t count, std::uint64_t limit, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  const auto make = [&](const char* name, auto&& key) {
    KeyShape shape{name, std::vector<std::uint64_t>(count)};
    for (std::size_t i = 0; i < count; ++i) shape.keys[i] = key(i);
    return shape;
  };
  return {
      make("random", [&](std::size_t) { return random() % limit; }),
      make("all equal", [&](std::size_t) { return limit / 3; }),
      make("all zero", [&](std::size_t) { return std::uint64_t{0}; }),
      make("all largest", [&](std::size_t) { return limit - 1; }),
      make("ascending", [&](std::size_t i) { return limit / count * i; }),
      make("descending", [&](std::size_t i) { return limit - 1 - limit / count * i; }),
      make("hub", [&](std::size_t i) { return i % 10 < 8 ? limit / 2 : random() % limit; }),
      make("two values", [&](std::size_t i) { return i % 3 == 0 ? std::uint64_t{7} : limit - 2; }),
      make("dense then far", [&](std::size_t i) { return i < count - 3 ? i % 1000 : limit - 1 - i % 3; }),
      make("geometric", [&](std::size_t) { return (limit - 1) >> (random() % 40); }),
  };
}

}  // namespace emgraph::tests
