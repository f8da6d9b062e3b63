// SPDX-License-Identifier: MIT
// Splitters: every key falls into the bucket whose range holds it.
#include "core/sort/classifier.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/core/sort/key_shapes.hpp"

namespace emgraph::tests {
namespace {

using core::Classifier;
using core::KeyRange;
using core::uint128;

template <class Key>
void check_ranges(const Classifier<Key>& classifier, KeyRange<Key> range) {
  REQUIRE(classifier.buckets() >= 1);
  REQUIRE((classifier.range(0).first == range.first));
  REQUIRE((classifier.range(classifier.buckets() - 1).last == range.last));
  for (std::size_t b = 0; b < classifier.buckets(); ++b) {
    const KeyRange<Key> here = classifier.range(b);
    REQUIRE((here.first <= here.last));
    REQUIRE(classifier.bucket(here.first) == b);
    REQUIRE(classifier.bucket(here.last) == b);
    if (b > 0) REQUIRE((classifier.range(b - 1).last + 1 == here.first));
  }
}

TEST_CASE("classifier covers its range without gaps whatever the sample") {
  for (const std::uint64_t limit : {std::uint64_t{1000}, std::uint64_t{1} << 42, ~std::uint64_t{0}}) {
    for (KeyShape& shape : key_shapes(5000, limit)) {
      for (const std::size_t buckets : {std::size_t{1}, std::size_t{2}, std::size_t{16}, std::size_t{300}}) {
        CAPTURE(shape.name, limit, buckets);
        const KeyRange<std::uint64_t> range{0, limit - 1};
        std::vector<std::uint64_t> sample = shape.keys;
        const Classifier<std::uint64_t> classifier(range, sample, buckets);
        CHECK(classifier.buckets() <= buckets + 3);
        check_ranges(classifier, range);
        for (const std::uint64_t key : shape.keys) {
          const KeyRange<std::uint64_t> here = classifier.range(classifier.bucket(key));
          REQUIRE(here.first <= key);
          REQUIRE(key <= here.last);
        }
      }
    }
  }
}

TEST_CASE("classifier takes no notice of what a sample has outside the range") {
  const KeyRange<std::uint64_t> range{100, 100 + (1 << 20) - 1};
  std::vector<std::uint64_t> inside(1000);
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = 100 + 1000 * i;
  std::vector<std::uint64_t> sample = inside;
  sample.insert(sample.end(), {0, 99, range.last + 1, std::uint64_t{1} << 50, ~std::uint64_t{0}});
  const Classifier<std::uint64_t> classifier(range, sample, 8);
  check_ranges<std::uint64_t>(classifier, range);
  const Classifier<std::uint64_t> right(range, inside, 8);
  REQUIRE(classifier.buckets() == right.buckets());
  for (std::size_t b = 0; b < right.buckets(); ++b) CHECK(classifier.range(b).first == right.range(b).first);
  std::vector<std::uint64_t> nothing = {7, ~std::uint64_t{0}};
  check_ranges<std::uint64_t>(Classifier<std::uint64_t>(range, nothing, 8), range);
}

TEST_CASE("classifier without a sample cuts the range evenly") {
  const Classifier<std::uint64_t> classifier({100, 100 + (1 << 20) - 1}, {}, 8);
  check_ranges<std::uint64_t>(classifier, {100, 100 + (1 << 20) - 1});
  CHECK(classifier.buckets() == 8);
}

TEST_CASE("classifier balances a uniform sample") {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> sample(64 * 1024);
  for (auto& key : sample) key = random() % (std::uint64_t{1} << 50);
  const Classifier<std::uint64_t> classifier({0, (std::uint64_t{1} << 50) - 1}, sample, 100);
  std::vector<int> count(classifier.buckets());
  for (int i = 0; i < 1000000; ++i) ++count[classifier.bucket(random() % (std::uint64_t{1} << 50))];
  CHECK(classifier.buckets() >= 95);
  CHECK(*std::max_element(count.begin(), count.end()) < 14000);
}

TEST_CASE("classifier takes keys of 128 bits") {
  std::vector<uint128> sample;
  for (std::uint64_t i = 0; i < 1000; ++i) sample.push_back(static_cast<uint128>(i * 77) << 64 | i);
  const KeyRange<uint128> range{0, ~uint128{0}};
  const Classifier<uint128> classifier(range, sample, 32);
  check_ranges(classifier, range);
}

}  // namespace
}  // namespace emgraph::tests
