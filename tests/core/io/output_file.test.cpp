// SPDX-License-Identifier: MIT
// Outputs appear under their name when complete, or not at all.
#include "core/io/output_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/refused_call.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::pattern_string;
using tests::TemporaryDirectory;

struct Fixture {
  explicit Fixture(const std::string& parent = "/tmp", std::size_t memory_bytes = MiB)
      : directory(parent), budget(memory_bytes) {}
  std::unique_ptr<OutputFile> open(const std::string& path, Overwrite overwrite = Overwrite::refuse) {
    return std::make_unique<OutputFile>(path, overwrite, budget, statistics, outputs);
  }
  TemporaryDirectory directory;
  MemoryBudget budget;
  IoStatistics statistics;
  TemporaryNames names;
  OutputSet outputs{names};
};

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST_CASE("appended bytes are in the file, for all sizes", "[output]") {
  for (const char* parent : {"/tmp", "/dev/shm"}) {
    for (const std::size_t memory : {MiB, 64 * MiB}) {
      for (const std::size_t bytes :
           {std::size_t{0}, std::size_t{1}, std::size_t{4096}, 64 * KiB, 128 * KiB + 1, 9 * MiB + 4097}) {
        Fixture f(parent, memory);
        const std::string content = pattern_string(bytes);
        const std::string path = f.directory.file("out");
        const auto output = f.open(path);
        std::size_t piece = 1;
        for (std::size_t at = 0; at < bytes; piece = piece * 5 % 300'007) {
          const std::size_t step = std::min(piece, bytes - at);
          output->append(bytes_of(content).subspan(at, step));
          at += step;
          REQUIRE(output->size() == at);
        }
        CHECK_FALSE(std::filesystem::exists(path));
        output->finish();
        output->finish();
        CHECK(output->size() == bytes);
        CHECK(f.directory.entries() == 1);
        CHECK(f.directory.read("out") == content);
        CHECK(f.budget.peak() <= memory / 2);
      }
    }
  }
}

TEST_CASE("the window is always large enough and takes what is committed", "[output]") {
  Fixture f;
  const auto output = f.open(f.directory.file("out"));
  std::string expected;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::span<std::byte> window = output->window();
    REQUIRE(window.size() >= 64 * KiB);
    const std::size_t bytes = i % 3 == 0 ? window.size() : i * 331 % window.size();
    tests::fill_pattern(window.first(bytes), expected.size());
    const auto* text = reinterpret_cast<const char*>(window.data());
    expected.append(text, bytes);
    output->commit(bytes);
  }
  output->finish();
  CHECK(f.directory.read("out") == expected);
}

TEST_CASE("an output that exists is refused, or replaced at the end", "[output]") {
  Fixture f;
  const std::string path = f.directory.write("out", "old");
  CHECK_THROWS_WITH(f.open(path), Catch::Contains(path) && Catch::Contains("exists"));
  CHECK_THROWS_AS(f.open(path), UsageError);
  {
    const auto output = f.open(path, Overwrite::force);
    output->append(bytes_of("new"));
    CHECK(f.directory.read("out") == "old");
    output->finish();
  }
  CHECK(f.directory.read("out") == "new");
  CHECK(f.directory.entries() == 1);
}

TEST_CASE("a file that appears meanwhile is not lost", "[output]") {
  Fixture f;
  const std::string path = f.directory.file("out");
  auto output = f.open(path);
  output->append(bytes_of("ours"));
  f.directory.write("out", "theirs");
  CHECK_THROWS_AS(output->finish(), UsageError);
  output.reset();
  CHECK(f.directory.read("out") == "theirs");
  CHECK(f.directory.entries() == 1);
}

TEST_CASE("nothing is left of an output that is not finished", "[output]") {
  for (const std::size_t bytes : {std::size_t{10}, 3 * MiB}) {
    Fixture f;
    const std::string old = f.directory.write("out", "old");
    {
      const auto output = f.open(old, Overwrite::force);
      output->append(bytes_of(pattern_string(bytes)));
    }
    CHECK(f.directory.entries() == 1);
    CHECK(f.directory.read("out") == "old");
    CHECK(f.budget.used() == 0);
  }
}

TEST_CASE("an interrupt removes the unfinished output", "[output]") {
  Fixture f;
  std::size_t before = 0;
  std::size_t after = 1;
  const bool ran = tests::with_refused_call(tests::unnamed_files(), [&] {
    const auto output = f.open(f.directory.file("out"));
    output->append(bytes_of("x"));
    before = f.directory.entries();
    f.names.unlink_all();
    after = f.directory.entries();
  });
  if (!ran) return;
  CHECK(before == 1);
  CHECK(after == 0);
}

TEST_CASE("two outputs of one name do not share a temporary file", "[output]") {
  Fixture f;
  const std::string path = f.directory.file("out");
  const auto first = f.open(path);
  const auto second = f.open(path, Overwrite::force);
  first->append(bytes_of("first"));
  second->append(bytes_of("second"));
  first->finish();
  CHECK(f.directory.read("out") == "first");
  second->finish();
  CHECK(f.directory.read("out") == "second");
  CHECK(f.directory.entries() == 1);
}

TEST_CASE("the start can be rewritten before and after it has gone to the disk", "[output]") {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{4096}, 3 * MiB + 7}) {
    Fixture f;
    std::string content = pattern_string(bytes);
    const auto output = f.open(f.directory.file("out"));
    CHECK(output->rewritable());
    output->append(bytes_of(content));
    output->rewrite_start(bytes_of("header"));
    output->rewrite_start(bytes_of("HEAD"));
    output->rewrite_start({});
    CHECK_THROWS_AS(output->rewrite_start(bytes_of(std::string(4097, 'x'))), std::logic_error);
    if (bytes < 4096)
      CHECK_THROWS_AS(output->rewrite_start(bytes_of(std::string(101, 'x'))), std::logic_error);
    output->append(bytes_of("tail"));
    output->finish();
    content.replace(0, 6, "HEADer");
    CHECK(f.directory.read("out") == content + "tail");
  }
}

TEST_CASE("places that cannot hold an output", "[output]") {
  Fixture f;
  CHECK_THROWS_WITH(f.open(f.directory.file("none/out")),
                    Catch::Contains("none") && Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(f.open(f.directory.path()), Catch::Contains("is a directory"));
  CHECK_THROWS_AS(f.open(f.directory.file("none/out")), EnvironmentError);
  CHECK_THROWS_AS(f.open("/proc/emgraph-output"), EnvironmentError);
  CHECK(f.budget.used() == 0);
}

TEST_CASE("a link is written through, a link to nothing is a name", "[output]") {
  Fixture f;
  f.directory.write("target", "old");
  std::filesystem::create_symlink("target", f.directory.file("link"));
  CHECK_THROWS_AS(f.open(f.directory.file("link")), UsageError);
  const auto output = f.open(f.directory.file("link"), Overwrite::force);
  output->append(bytes_of("new"));
  output->finish();
  CHECK(std::filesystem::is_symlink(f.directory.file("link")));
  CHECK(f.directory.read("target") == "new");
  std::filesystem::create_symlink("nothing", f.directory.file("dangling"));
  CHECK_THROWS_AS(f.open(f.directory.file("dangling")), UsageError);
}

TEST_CASE("without memory there is no output and no file", "[output]") {
  for (std::uint64_t k = 0; k < 3; ++k) {
    Fixture f;
    f.budget.fail_reservation(k);
    CHECK_THROWS_AS(f.open(f.directory.file("out")), MemoryLimitError);
    CHECK(f.directory.entries() == 0);
    CHECK(f.budget.used() == 0);
  }
}

}  // namespace
}  // namespace emgraph::core
