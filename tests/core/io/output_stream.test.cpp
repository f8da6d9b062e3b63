// SPDX-License-Identifier: MIT
// Outputs that are no regular files: pipes, devices, standard output.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "tests/core/io/pattern.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::pattern_string;
using tests::TemporaryDirectory;

struct StreamFixture {
  std::unique_ptr<OutputFile> open(const std::string& path) {
    return std::make_unique<OutputFile>(path, Overwrite::refuse, budget, statistics, outputs);
  }
  TemporaryDirectory directory;
  MemoryBudget budget{MiB};
  IoStatistics statistics;
  TemporaryNames names;
  OutputSet outputs{names};
};

std::span<const std::byte> stream_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string read_all(int descriptor) {
  std::string content;
  std::array<char, 5000> piece;
  for (ssize_t got = 0; (got = read(descriptor, piece.data(), piece.size())) > 0;) {
    content.append(piece.data(), static_cast<std::size_t>(got));
  }
  close(descriptor);
  return content;
}

// Puts another file in the place of descriptor 1 while it lives.
class StandardOutput {
 public:
  explicit StandardOutput(int descriptor) : saved_(dup(STDOUT_FILENO)) {
    dup2(descriptor, STDOUT_FILENO);
    close(descriptor);
  }
  ~StandardOutput() {
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST_CASE("a FIFO gets all bytes in order and its name stays", "[output]") {
  StreamFixture f;
  const std::string path = f.directory.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string content = pattern_string(MiB + 1);
  std::string received;
  std::thread reader([&] { received = read_all(open(path.c_str(), O_RDONLY | O_CLOEXEC)); });
  {
    const auto output = f.open(path);
    CHECK_FALSE(output->rewritable());
    output->append(stream_bytes(content));
    CHECK_THROWS_AS(output->rewrite_start(stream_bytes("x")), std::logic_error);
    output->finish();
  }
  reader.join();
  CHECK(received == content);
  CHECK(f.directory.entries() == 1);
  CHECK(f.statistics.snapshot().write_bytes == content.size());
}

TEST_CASE("standard output is written by descriptor and left open", "[output]") {
  for (const char* name : {"-", "/dev/stdout"}) {
    StreamFixture f;
    std::array<int, 2> ends;
    REQUIRE(pipe(ends.data()) == 0);
    // A pipe that someone else has made non-blocking.
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    std::string received;
    std::thread reader([&] { received = read_all(ends[0]); });
    const std::string content = pattern_string(500'000);
    bool still_open = false;
    {
      const StandardOutput redirected(ends[1]);
      const auto output = f.open(name);
      output->append(stream_bytes(content));
      output->finish();
      still_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    }
    reader.join();
    CHECK(still_open);
    CHECK(received == content);
  }
}

TEST_CASE("standard output in a file is appended to, not replaced", "[output]") {
  StreamFixture f;
  const std::string path = f.directory.write("out", "before ");
  {
    const StandardOutput redirected(open(path.c_str(), O_WRONLY | O_APPEND));
    const auto output = f.open("/dev/stdout");
    output->append(stream_bytes("after"));
    output->finish();
  }
  CHECK(f.directory.read("out") == "before after");
}

TEST_CASE("a reader that has gone is BrokenPipe", "[output]") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  StreamFixture f;
  std::array<int, 2> ends;
  REQUIRE(pipe(ends.data()) == 0);
  close(ends[0]);
  bool broken = false;
  {
    const StandardOutput redirected(ends[1]);
    const auto output = f.open("-");
    output->append(stream_bytes("x"));
    try {
      output->finish();
    } catch (const BrokenPipe&) {
      broken = true;
    }
  }
  CHECK(broken);
  std::signal(SIGPIPE, before);
}

TEST_CASE("a full device is an error, the null device is none", "[output]") {
  StreamFixture f;
  const auto null = f.open("/dev/null");
  null->append(stream_bytes(pattern_string(300'000)));
  null->finish();
  CHECK(null->size() == 300'000);
  const auto full = f.open("/dev/full");
  full->append(stream_bytes("small"));
  CHECK_THROWS_WITH(full->finish(), Catch::Contains("/dev/full") && Catch::Contains("No space left"));
  const auto large = f.open("/dev/full");
  CHECK_THROWS_AS(large->append(stream_bytes(pattern_string(MiB))), EnvironmentError);
}

}  // namespace
}  // namespace emgraph::core
