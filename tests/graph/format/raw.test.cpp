// SPDX-License-Identifier: MIT
// Raw little-endian pairs.
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::raw {

namespace {

template <class R>
void round_trip(const std::string& format, WeightType weight, std::size_t payload) {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const EdgeLayout layout{sizeof(typename R::id_type), weight, payload};
  const auto records = random_records<R>(70000, 5000, layout.attachment_bytes(), false);
  const std::string path = directory.file("edges." + format);
  write_edges(test.environment, path, facts_of(layout), {}, records);
  REQUIRE(whole_file(path).size() == records.size() * layout.record_bytes());
  for (const unsigned lanes : {1U, 2U}) {
    CHECK(same_records(read_edges<R>(test.environment, path, {.payload_bytes = payload}, lanes), records));
    const Pipe pipe(directory, whole_file(path));
    CHECK(same_records(
        read_edges<R>(test.environment, pipe.path(), {.format = format, .payload_bytes = payload}, lanes),
        records));
  }
  const auto source = typed_source<R>(*open_edges(test.environment, path, {.payload_bytes = payload}));
  CHECK(source->facts().edges == records.size());
  CHECK(source->facts().layout == layout);
  CHECK(drain(*source, 1).size() == records.size());
  source->rewind();
  CHECK(same_records(drain(*source, 1), records));
  const auto sample = source->sample(500);
  CHECK(sample.size() >= 250);
  CHECK(sample.size() <= 1000);
}

}  // namespace

TEST_CASE("raw: round trips") {
  round_trip<Record<std::uint32_t, 0>>("u32", WeightType::none, 0);
  round_trip<Record<std::uint64_t, 0>>("u64", WeightType::none, 0);
  round_trip<Record<std::uint32_t, 4>>("u32w", WeightType::u32, 0);
  round_trip<Record<std::uint64_t, 8>>("u64w", WeightType::i64, 0);
  round_trip<Record<std::uint32_t, 4>>("f32w", WeightType::f32, 0);
  round_trip<Record<std::uint64_t, 16>>("f64w", WeightType::f64, 8);
  round_trip<Record<std::uint32_t, 16>>("u32w", WeightType::u32, 5);
  round_trip<Record<std::uint32_t, 8>>("u32", WeightType::none, 8);
}

TEST_CASE("raw: weights are dropped for a format without, ids widened and narrowed") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  using Weighted = Record<std::uint32_t, 4>;
  const auto records = random_records<Weighted>(100, 50, 4, false);
  const EdgeFacts facts = facts_of({4, WeightType::u32, 0});
  write_edges(test.environment, directory.file("a.u32"), facts, {}, records);
  write_edges(test.environment, directory.file("a.u64"), facts, {}, records);
  const auto narrow = read_edges<Record<std::uint32_t, 0>>(test.environment, directory.file("a.u32"));
  const auto wide = read_edges<Record<std::uint64_t, 0>>(test.environment, directory.file("a.u64"));
  REQUIRE(narrow.size() == 100);
  REQUIRE(wide.size() == 100);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK((narrow[i].source == wide[i].source && wide[i].target == records[i].target));
  CHECK_THROWS_AS(write_edges(test.environment, directory.file("a.f32w"), facts, {}, records),
                  core::UsageError);
  CHECK_THROWS_AS(
      (write_edges<Record<std::uint64_t, 0>>(test.environment, directory.file("b.u32"), facts_of({8}), {},
                                             {{1, 2}, {1, std::uint64_t{1} << 32}})),
      IdTooWide);
  const auto input = open_edges(test.environment, directory.file("a.u64"), {});
  CHECK_THROWS_AS(input->source<std::uint32_t>(), std::logic_error);
}

TEST_CASE("raw: a size that is no multiple of the record") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.u32", std::string(8 * 5 + 3, 'x'));
  using R = Record<std::uint32_t, 0>;
  const std::string of_file = message_of<core::DataError>([&] { read_edges<R>(test.environment, path); });
  CHECK_THAT(of_file, Catch::Contains("a.u32: offset 40: 3 bytes are left over") &&
                          Catch::Contains("8 bytes of a record"));
  const Pipe pipe(directory, whole_file(path));
  const std::string of_pipe =
      message_of<core::DataError>([&] { read_edges<R>(test.environment, pipe.path(), {.format = "u32"}); });
  CHECK_THAT(of_pipe, Catch::Contains("offset 40: 3 bytes are left over"));
}

TEST_CASE("raw: empty graphs") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  write_edges<R>(test.environment, directory.file("a.u32"), {}, {}, {});
  CHECK(read_edges<R>(test.environment, directory.file("a.u32"), {}, 2).empty());
  CHECK(typed_source<R>(*open_edges(test.environment, directory.file("a.u32"), {}))->sample(5).empty());
}

TEST_CASE("raw: u32 weights become i64, f32 become f64, with their payload; nothing else is converted") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using Narrow = Record<std::uint32_t, 8>;
  using Wide = Record<std::uint64_t, 16>;
  const auto write = [&](const std::string& name, WeightType weight, const std::vector<Narrow>& records) {
    write_edges(test.environment, directory.file(name), facts_of({4, weight, 3}),
                {.overwrite = core::Overwrite::force}, records, 20000);
    return read_edges<Wide>(test.environment, directory.file(name), {.payload_bytes = 3});
  };
  auto records = random_records<Narrow>(20000, 1000, 0, false);
  const auto check = [&]<class From, class To>(const std::string& name, WeightType weight, From first, To) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      const From value = static_cast<From>(first - static_cast<From>(i));
      std::memcpy(records[i].attachment.data(), &value, sizeof(value));
      records[i].attachment[6] = std::byte(i);
    }
    const auto wide = write(name, weight, records);
    REQUIRE(wide.size() == records.size());
    bool good = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
      To value;
      std::memcpy(&value, wide[i].attachment.data(), sizeof(value));
      good &= wide[i].source == records[i].source && wide[i].target == records[i].target &&
              value == static_cast<To>(static_cast<From>(first - static_cast<From>(i))) &&
              wide[i].attachment[10] == std::byte(i) && wide[i].attachment[11] == std::byte(0);
    }
    CHECK(good);
  };
  check("a.u64w", WeightType::u32, ~std::uint32_t{0}, std::int64_t{});
  check("a.f64w", WeightType::f32, 0.1F, double{});
  const auto refused = [&](const std::string& name, WeightType weight) {
    return message_of<core::UsageError>([&] {
      create_edges(test.environment, directory.file(name), facts_of({4, weight, 0}), {});
    });
  };
  CHECK_THAT(refused("x.u32w", WeightType::i64), Catch::Contains("i64 weights; write them as u64w"));
  CHECK_THAT(refused("x.f32w", WeightType::u32), Catch::Contains("write them as u32w or u64w"));
  CHECK_THAT(refused("x.f64w", WeightType::u32), Catch::Contains("write them as u32w or u64w"));
  CHECK_THAT(refused("x.u64w", WeightType::f32), Catch::Contains("write them as f32w or f64w"));
  CHECK_THAT(refused("x.u32w", WeightType::none), Catch::Contains("no weights; write them as u32 or u64"));
  CHECK(directory.entries() == 2);
}

}  // namespace emgraph::tests::edge_formats::raw
