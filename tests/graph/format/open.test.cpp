// SPDX-License-Identifier: MIT
// Detection of formats, generators as inputs, and what is refused.
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::open {

using R32 = Record<std::uint32_t, 0>;

TEST_CASE("open: formats are detected by magic, name and text") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto format = [&](const std::string& name, const std::string& content) {
    return open_edges(test.environment, directory.write(name, content), {})->format();
  };
  write_edges<R32>(test.environment, directory.file("c.emg"), {}, {}, {{1, 2}});
  write_edges<R32>(test.environment, directory.file("c.npy"), {}, {}, {{1, 2}});
  const std::string container = whole_file(directory.file("c.emg"));
  CHECK(format("a", container) == "emg");
  CHECK(format("a.txt", container) == "emg");
  CHECK(format("a.dat", whole_file(directory.file("c.npy"))) == "npy");
  CHECK(format("a.u32", std::string(8, '1')) == "u32");
  CHECK(format("A.U64W", std::string(24, '1')) == "u64w");
  CHECK(format("a.txt", "1 2\n") == "text");
  CHECK(format("a.whatever", "1 2\n") == "text");
  CHECK(format("a.txt", "") == "text");
  for (const char* name : {"a", "a.mtx", "a.txt", "a.mm"}) {
    CHECK(format(name, "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n") == "mtx");
    CHECK(format(name, "%%matrixmarket matrix coordinate pattern general\n2 2 0\n") == "mtx");
  }
  for (const char* name : {"a", "a.gr", "a.col", "a.txt"}) {
    CHECK(format(name, "p sp 2 0\n") == "gr");
    CHECK(format(name, "c a comment\n\np edge 2 1\ne 1 2\n") == "gr");
    CHECK(format(name, "p 2 1\ne 1 2\n") == "gr");
  }
  std::string comments;
  while (comments.size() < 10000) comments += "c--- longer than what is looked at\n";
  CHECK(format("a.gr", comments + "p sp 2 0\n") == "gr");
  CHECK(format("a.txt", "p q weight\n1 2 3\n") == "text");
  CHECK(format("a.graph", "2 0\n\n\n") == "graph");
  CHECK(format("a.metis", "2 0\n\n\n") == "graph");
}

TEST_CASE("open: an unknown format is an error with a hint") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto error = [&](const std::string& name, const std::string& content) {
    return message_of<core::DataError>(
        [&] { open_edges(test.environment, directory.write(name, content), {}); });
  };
  CHECK_THAT(error("a.bin", std::string(16, '\1')),
             Catch::Contains("a.bin") && Catch::Contains("--input-format u32"));
  CHECK_THAT(error("a", std::string(16, '\1')), Catch::Contains("--input-format u32"));
  CHECK_THAT(error("a", ""), Catch::Contains("is empty"));
  CHECK_THAT(error("a.bin", ""), Catch::Contains("is empty"));
  CHECK_THAT(error("a.mtx", "1 2\n"),
             Catch::Contains("no mtx header") && Catch::Contains("--input-format text --id-base 1"));
  CHECK_THAT(error("a.gr", "1 2\n"), Catch::Contains("no gr header") && Catch::Contains("p sp NODES ARCS"));
  CHECK_THAT(error("a.parquet", "PAR1...."), Catch::Contains("Parquet"));
  CHECK_THAT(error("a.txt", std::string("\xff\xfe\x31\0", 4)), Catch::Contains("UTF-16"));
  CHECK_THROWS_AS(open_edges(test.environment, directory.file("none"), {}), core::EnvironmentError);
  CHECK_THROWS_AS(open_edges(test.environment, directory.path(), {}), core::EnvironmentError);
  const std::string path = directory.write("a.txt", "1 2\n");
  CHECK_THROWS_AS(open_edges(test.environment, path, {.format = "nonsense"}), core::UsageError);
  CHECK_THROWS_AS(open_edges(test.environment, path, {.format = "parquet"}), core::UsageError);
  CHECK_THAT(message_of<core::UsageError>(
                 [&] { open_edges(test.environment, directory.write("a.u32", "12345678"), {.id_base = 1}); }),
             Catch::Contains("--id-base") && Catch::Contains("'u32'"));
  CHECK_THROWS_AS(open_edges(test.environment, path, {.id_bytes = 5}), core::UsageError);
  CHECK_THROWS_AS(open_edges(test.environment, path, {.format = "u64w", .payload_bytes = 60}),
                  core::UsageError);
}

TEST_CASE("open: outputs") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto format = [&](const std::string& name, const CreateOptions& options = {}) {
    write_edges<R32>(test.environment, directory.file(name), {}, options, {{1, 2}});
    return open_edges(test.environment, directory.file(name), {})->format();
  };
  CHECK(format("a") == "emg");
  CHECK(format("a.bin") == "emg");
  CHECK(format("a.dat") == "emg");
  CHECK(format("a.u64") == "u64");
  CHECK(format("a.npy") == "npy");
  CHECK(format("a.csv") == "text");
  CHECK(format("b.txt", {.format = "emg"}) == "emg");
  CHECK_THROWS_AS(format("a"), core::UsageError);
  CHECK(format("a", {.overwrite = core::Overwrite::force}) == "emg");
  CHECK_THROWS_AS(format("a.parquet"), core::UsageError);
  const std::size_t before = directory.entries();
  { const auto writer = create_edges(test.environment, directory.file("unfinished.emg"), {}, {}); }
  CHECK(directory.entries() == before);
}

TEST_CASE("open: generators") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const std::string text = "gen:random,edges=100000,nodes=5000,seed=7,weights=1:9,payload=4";
  const auto input = open_edges(test.environment, text, {.max_lanes = 2});
  CHECK(input->format() == "gen");
  CHECK(input->facts().nodes == 5000);
  CHECK(input->facts().edges == 100000);
  CHECK(input->facts().layout == EdgeLayout{4, WeightType::u32, 4});
  using R = Record<std::uint32_t, 8>;
  const auto records = read_edges<R>(test.environment, text, {}, 1);
  CHECK(records.size() == 100000);
  CHECK(same_records(read_edges<R>(test.environment, text, {}, 2), records));
  const auto source = typed_source<R>(*input);
  drain(*source, 2);
  source->rewind();
  CHECK(same_records(drain(*source, 1), records));
  CHECK(source->sample(1000).size() >= 500);
  const auto weights = read_edges<Record<std::uint64_t, 4>>(test.environment, text, {.id_bytes = 8}, 1);
  const auto bare = read_edges<R32>(test.environment, text, {}, 1);
  REQUIRE(weights.size() == records.size());
  REQUIRE(bare.size() == records.size());
  bool good = true;
  for (std::size_t i = 0; i < records.size(); ++i) {
    good &= bare[i].source == records[i].source && weights[i].target == records[i].target;
    good &=
        std::equal(weights[i].attachment.begin(), weights[i].attachment.end(), records[i].attachment.begin());
  }
  CHECK(good);
  CHECK(open_edges(test.environment, "gen:grid,dims=10x10", {})->facts().order == EdgeOrder::source_target);
  CHECK(open_edges(test.environment, "gen:random,edges=10,nodes=5G", {})->facts().layout.id_bytes == 8);
  for (const char* bad :
       {"gen:nonsense", "gen:random,edges=x", "gen:random,edges=5,nodes=0", "gen:kron,edges=5"}) {
    CHECK_THROWS_AS(open_edges(test.environment, bad, {}), core::UsageError);
  }
  CHECK_THROWS_AS(open_edges(test.environment, "gen:random,edges=10,nodes=5G", {.id_bytes = 4}),
                  core::UsageError);
}

TEST_CASE("open: everything is given back to the budget, whichever reservation fails") {
  const TemporaryDirectory directory;
  TestEnvironment writing{.memory_bytes = 8 * MiB};
  const auto records = random_records<R32>(20000, 1000, 0, true);
  for (const char* name : {"a.emg", "a.u32", "a.npy", "a.txt"}) {
    write_edges(writing.environment, directory.file(name), {}, {.codec = {core::Codec::delta_zstd, 1}},
                records);
    for (std::uint64_t k = 0;; ++k) {
      TestEnvironment test{.memory_bytes = 8 * MiB};
      const std::size_t used = test.memory.used();
      test.memory.fail_reservation(k);
      const bool failed = !message_of<core::MemoryLimitError>([&] {
                             read_edges<R32>(test.environment, directory.file(name));
                           }).empty();
      CHECK(test.memory.used() == used);
      if (!failed) break;
    }
  }
}

TEST_CASE("open: lanes that memory has no room for are idle, more than announced are refused") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const auto records = random_records<R32>(200000, 1000, 0, false);
  for (const char* name : {"a.emg", "a.txt", "gen:random,edges=200000"}) {
    CAPTURE(name);
    const bool file = name[0] == 'a';
    const std::string path = file ? directory.file(name) : name;
    if (file) write_edges(test.environment, path, {}, {.codec = {core::Codec::delta_zstd, 1}}, records);
    const auto source = typed_source<R32>(*open_edges(test.environment, path, {.max_lanes = 30}));
    for (int round = 0; round < 2; ++round) {
      std::vector<std::unique_ptr<TypedLane<R32>>> lanes;
      for (int i = 0; i < 30; ++i) lanes.push_back(source->lane());
      CHECK_THROWS_AS(source->lane(), std::logic_error);
      std::size_t edges = 0;
      for (const auto& lane : lanes) {
        for (auto batch = lane->next(); !batch.empty(); batch = lane->next()) edges += batch.size();
      }
      CHECK(edges == records.size());
      lanes.clear();
      source->rewind();
    }
  }
}

}  // namespace emgraph::tests::edge_formats::open
