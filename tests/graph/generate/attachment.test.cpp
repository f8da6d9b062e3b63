// SPDX-License-Identifier: MIT
// Attachments: layout, range, the same bytes whatever the ranges; whole records of each model.
#include "graph/generate/attachment.hpp"

#include <cstring>
#include <stdexcept>

#include "graph/generate/model.hpp"
#include "tests/graph/generate/checks.hpp"
#include "tests/support/record.hpp"

namespace emgraph::graph::generate {
namespace {

std::uint32_t weight_of(const std::byte* bytes) {
  std::uint32_t weight = 0;
  for (int i = 3; i >= 0; --i) weight = weight << 8 | static_cast<std::uint32_t>(bytes[i]);
  return weight;
}

template <class Id, std::size_t A>
constexpr core::PairShape shape = {
    .integer_bytes = sizeof(Id), .attachment_bytes = A, .row_bytes = sizeof(Record<Id, A>)};

template <class Id, std::size_t A>
void fill_whole(const Model& model, const AttachmentSpec& spec, std::uint64_t first,
                std::span<Record<Id, A>> records) {
  fill_records(model, spec, 9, first, shape<Id, A>, std::as_writable_bytes(records).data(), records.size());
}

template <class Id, std::size_t A>
void fill_carried(const AttachmentSpec& spec, std::uint64_t first, std::vector<Record<Id, A>>& records) {
  fill_attachments(spec, 1, first, shape<Id, A>, std::as_writable_bytes(std::span(records)).data(),
                   records.size());
}

template <class Id, std::size_t A>
void check_records(const Model& model, const AttachmentSpec& spec) {
  CAPTURE(sizeof(Id), A, facts(model).name);
  const std::size_t count = std::min<std::size_t>(facts(model).edges, 5000);
  std::vector<Edge<Id>> edges(count);
  fill<Id>(model, 0, edges);
  Record<Id, A> dirty;
  std::memset(&dirty, 0xee, sizeof dirty);
  std::vector<Record<Id, A>> whole(count, dirty);
  fill_whole<Id, A>(model, spec, 0, whole);
  std::vector<Record<Id, A>> pieces(count, dirty);
  for (std::size_t at = 0; at < count; at += 333) {
    fill_whole<Id, A>(model, spec, at, std::span(pieces).subspan(at, std::min<std::size_t>(333, count - at)));
  }
  REQUIRE(std::memcmp(whole.data(), pieces.data(), count * sizeof(Record<Id, A>)) == 0);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE((whole[i].source == edges[i].source && whole[i].target == edges[i].target));
    if constexpr (A > 0) {
      for (std::size_t b = spec.bytes(); b < A; ++b) REQUIRE(whole[i].attachment[b] == std::byte{0});
    }
  }
}

template <class Id>
void check_all_sizes(const Model& model) {
  const WeightRange weights{1, 1000};
  check_records<Id, 0>(model, {});
  check_records<Id, 4>(model, {weights, 0});
  check_records<Id, 8>(model, {std::nullopt, 5});
  check_records<Id, 16>(model, {weights, 9});
  check_records<Id, 32>(model, {weights, 28});
  check_records<Id, 64>(model, {std::nullopt, 64});
}

TEST_CASE("records carry the model's edges and the attachment's bytes, in every size") {
  const std::vector<std::uint64_t> dims = {50, 50};
  for (const Model& model : {Model(RandomModel(1000, 5000, 1)), Model(KroneckerModel(10, 8, 1)),
                             Model(GnmModel(1000, 5000, 1)), Model(GridModel(dims, true))}) {
    check_all_sizes<std::uint32_t>(model);
    check_all_sizes<std::uint64_t>(model);
  }
}

TEST_CASE("records of more than 2^32 nodes") {
  check_all_sizes<std::uint64_t>(RandomModel(std::uint64_t{1} << 40, 5000, 1));
  check_all_sizes<std::uint64_t>(KroneckerModel(40, 1, 1));
}

TEST_CASE("weights are uniform in their range and do not follow the payload") {
  std::vector<Record<std::uint32_t, 8>> records(200'000);
  fill_carried<std::uint32_t, 8>({WeightRange{10, 29}, 4}, 1'000'000, records);
  std::vector<std::uint64_t> counts(20 * 16);
  for (const auto& record : records) {
    const std::uint32_t weight = weight_of(record.attachment.data());
    REQUIRE((weight >= 10 && weight <= 29));
    ++counts[(weight - 10) * 16 + (static_cast<unsigned>(record.attachment[4]) & 15)];
  }
  REQUIRE(std::abs(uniform_deviation(counts)) < 5);
}

TEST_CASE("weights take the whole of 32 bits and a single value") {
  std::vector<Record<std::uint32_t, 4>> records(1000);
  fill_carried<std::uint32_t, 4>({WeightRange{0, 0xffffffffu}, 0}, 0, records);
  std::uint32_t seen = 0;
  for (const auto& record : records) seen |= weight_of(record.attachment.data());
  REQUIRE(seen == 0xffffffffu);
  fill_carried<std::uint32_t, 4>({WeightRange{7, 7}, 0}, 0, records);
  for (const auto& record : records) REQUIRE(weight_of(record.attachment.data()) == 7);
}

TEST_CASE("attachments that cannot be are refused") {
  std::vector<Record<std::uint32_t, 4>> records(1);
  const auto fill_with = [&](const AttachmentSpec& spec) {
    fill_carried<std::uint32_t, 4>(spec, 0, records);
  };
  REQUIRE_THROWS_AS(fill_with({WeightRange{2, 1}, 0}), std::invalid_argument);
  REQUIRE_THROWS_AS(fill_with({WeightRange{0, std::uint64_t{1} << 32}, 0}), std::invalid_argument);
  REQUIRE_THROWS_AS(fill_with({WeightRange{1, 2}, 1}), std::invalid_argument);
  REQUIRE_THROWS_AS(check_attachments({WeightRange{1, 2}, 61}), std::invalid_argument);
  REQUIRE_THROWS_AS(check_attachments({std::nullopt, ~std::size_t{0}}), std::invalid_argument);
  REQUIRE_NOTHROW(check_attachments({WeightRange{1, 2}, 60}));
}

TEST_CASE("the attachments of a seed are pinned") {
  std::vector<Record<std::uint32_t, 16>> records(1);
  fill_carried<std::uint32_t, 16>({WeightRange{1, 1'000'000}, 12}, 77, records);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (std::size_t i = 8; i-- > 0;) {
    low = low << 8 | static_cast<std::uint64_t>(records[0].attachment[i]);
    high = high << 8 | static_cast<std::uint64_t>(records[0].attachment[i + 8]);
  }
  REQUIRE(low == 11329008676029123144u);
  REQUIRE(high == 9307364370295010260u);
}

}  // namespace
}  // namespace emgraph::graph::generate
