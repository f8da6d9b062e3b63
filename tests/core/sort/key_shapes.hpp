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

inline constexpr std::size_t key_shape_count = 10;

/// Shape `number` of `count` keys below `limit`, which is at least 1000.
inline KeyShape key_shape(std::size_t number, std::size_t count, std::uint64_t limit,
                          std::uint64_t seed = 1) {
  std::mt19937_64 random(seed + number);
  const auto make = [&](const char* name, auto&& key) {
    KeyShape shape{name, std::vector<std::uint64_t>(count)};
    for (std::size_t i = 0; i < count; ++i) shape.keys[i] = key(i);
    return shape;
  };
  switch (number) {
    case 0:
      return make("random", [&](std::size_t) { return random() % limit; });
    case 1:
      return make("all equal", [&](std::size_t) { return limit / 3; });
    case 2:
      return make("all zero", [&](std::size_t) { return std::uint64_t{0}; });
    case 3:
      return make("all largest", [&](std::size_t) { return limit - 1; });
    case 4:
      return make("ascending", [&](std::size_t i) { return limit / count * i; });
    case 5:
      return make("descending", [&](std::size_t i) { return limit - 1 - limit / count * i; });
    case 6:
      return make("hub", [&](std::size_t i) { return i % 10 < 8 ? limit / 2 : random() % limit; });
    case 7:
      return make("two values", [&](std::size_t i) { return i % 3 == 0 ? std::uint64_t{7} : limit - 2; });
    case 8:
      return make("dense then far",
                  [&](std::size_t i) { return i < count - 3 ? i % 1000 : limit - 1 - i % 3; });
    default:
      return make("geometric", [&](std::size_t) { return (limit - 1) >> (random() % 40); });
  }
}

/// All of them.
inline std::vector<KeyShape> key_shapes(std::size_t count, std::uint64_t limit, std::uint64_t seed = 1) {
  std::vector<KeyShape> shapes;
  for (std::size_t i = 0; i < key_shape_count; ++i) shapes.push_back(key_shape(i, count, limit, seed));
  return shapes;
}

}  // namespace emgraph::tests
