// SPDX-License-Identifier: MIT
// Several outputs appear together or not at all, with names, without, and on file systems that can do less.
#include "core/io/output_set.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "core/io/output_place.hpp"
#include "tests/support/refused_call.hpp"
#include "tests/support/skip.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using tests::RefusedCall;
using tests::TemporaryDirectory;
using tests::with_refused_call;

struct Outputs {
  TemporaryDirectory directory;
  MemoryBudget budget{MiB};
  IoStatistics statistics;
  TemporaryNames names;
  OutputSet set{names, OutputSet::Publish::together};

  void write(const std::string& name, const std::string& content, Overwrite overwrite) {
    OutputFile output(directory.file(name), overwrite, budget, statistics, set);
    output.append(std::as_bytes(std::span(content)));
    output.finish();
  }
};

/// Each way in which a file system may give names: all, no unnamed files, no exchange of names.
std::vector<RefusedCall> kinds_of_file_system() {
  return {{.number = ~0U}, tests::unnamed_files(), {.number = SYS_renameat2, .error = EINVAL}};
}

TEST_CASE("outputs of a set appear when it is published", "[outputs]") {
  for (const RefusedCall& call : kinds_of_file_system()) {
    Outputs o;
    std::vector<std::string> seen;
    o.directory.write("b", "old");
    const bool ran = with_refused_call(call, [&] {
      o.write("a", "new a", Overwrite::refuse);
      o.write("b", "new b", Overwrite::force);
      o.write("c", "new c", Overwrite::force);
      seen = {o.directory.read("a"), o.directory.read("b"), o.directory.read("c")};
      o.set.publish();
    });
    if (!ran) {
      tests::skip("the system has no seccomp filters");
      return;
    }
    CHECK(seen == std::vector<std::string>{"", "old", ""});
    CHECK(o.directory.read("a") == "new a");
    CHECK(o.directory.read("b") == "new b");
    CHECK(o.directory.read("c") == "new c");
    CHECK(o.directory.entries() == 3);
    CHECK(o.names.written());
    CHECK(o.set.not_durable().empty());
  }
}

TEST_CASE("if one output of a set cannot get its name, all old files are there again", "[outputs]") {
  for (const RefusedCall& call : kinds_of_file_system()) {
    Outputs o;
    o.directory.write("a", "old a");
    bool refused = false;
    const bool ran = with_refused_call(call, [&] {
      o.write("a", "new a", Overwrite::force);
      o.write("b", "new b", Overwrite::force);
      o.write("c", "new c", Overwrite::refuse);
      o.directory.write("c", "theirs");
      try {
        o.set.publish();
      } catch (const UsageError&) {
        refused = true;
      }
    });
    if (!ran) return;
    CHECK(refused);
    CHECK(o.directory.read("a") == "old a");
    CHECK(o.directory.read("c") == "theirs");
    CHECK(o.directory.entries() == 2);
    CHECK_FALSE(o.names.written());
    CHECK_FALSE(o.names.publishing());
  }
}

TEST_CASE("old files come back where names can neither be exchanged nor linked", "[outputs]") {
  Outputs o;
  o.directory.write("a", "old a");
  const auto publish = [&] {
    o.write("a", "new a", Overwrite::force);
    o.write("c", "new c", Overwrite::refuse);
    o.directory.write("c", "theirs");
    CHECK_THROWS_AS(o.set.publish(), UsageError);
  };
  const bool ran = with_refused_call({.number = SYS_renameat2, .error = EINVAL}, [&] {
    with_refused_call({.number = SYS_link, .error = EPERM},
                      [&] { with_refused_call(tests::unnamed_files(), publish); });
  });
  if (!ran) return;
  CHECK(o.directory.read("a") == "old a");
  CHECK(o.directory.read("c") == "theirs");
  CHECK(o.directory.entries() == 2);
}

TEST_CASE("nothing is left of a set that is not published", "[outputs]") {
  for (const RefusedCall& call : kinds_of_file_system()) {
    TemporaryDirectory directory;
    const bool ran = with_refused_call(call, [&] {
      Outputs o;
      MemoryBudget budget(MiB);
      OutputFile output(directory.file("a"), Overwrite::refuse, budget, o.statistics, o.set);
      output.finish();
    });
    if (!ran) return;
    CHECK(directory.entries() == 0);
  }
}

TEST_CASE("an output that is written again takes the place of the first", "[outputs]") {
  Outputs o;
  o.write("a", "first", Overwrite::refuse);
  o.write("a", "second", Overwrite::refuse);
  o.set.publish();
  CHECK(o.directory.read("a") == "second");
  CHECK(o.directory.entries() == 1);
}

TEST_CASE("a directory that cannot be synchronised is told apart from a failure", "[outputs]") {
  Outputs o;
  const bool ran = with_refused_call({.number = SYS_fsync, .error = EIO}, [&] {
    o.write("a", "content", Overwrite::refuse);
    o.set.publish();
  });
  if (!ran) return;
  CHECK(o.directory.read("a") == "content");
  CHECK(o.set.not_durable() == std::vector<std::string>{o.directory.path()});
}

TEST_CASE("a file that replaces another has its mode from the start", "[outputs]") {
  for (const RefusedCall& call : kinds_of_file_system()) {
    Outputs o;
    const std::string path = o.directory.write("a", "old");
    for (const mode_t mode : {0600U, 0640U, 0400U, 0755U}) {
      chmod(path.c_str(), mode);
      if (!with_refused_call(call, [&] {
            o.write("a", "new", Overwrite::force);
            o.set.publish();
          })) {
        return;
      }
      struct stat status {};
      REQUIRE(stat(path.c_str(), &status) == 0);
      CHECK((status.st_mode & 07777) == mode);
    }
  }
}

TEST_CASE("leftovers of dead processes are removed, those of others are not", "[outputs]") {
  TemporaryDirectory directory;
  const std::string path = directory.file("out");
  const std::string name = temporary_name(path);  // of this process: nobody has locked it
  const std::string stem = name.substr(0, name.rfind(std::to_string(getpid())));
  const std::string host = name.substr(name.rfind('@'));
  const auto base = [&](const std::string& full) { return full.substr(directory.path().size() + 1); };
  constexpr const char* no_process = "4194999";  // above the largest that Linux gives
  directory.write(base(name), "x");
  directory.write(base(stem + no_process + host), "x");
  directory.write(base(stem + no_process + host + ".12"), "x");
  const std::vector<std::string> kept = {base(stem + "1" + host),                     // alive
                                         base(stem + no_process + "@elsewhere.far"),  // perhaps alive
                                         base(stem + no_process + host + ".x"),
                                         "out.tmp." + std::string(no_process),
                                         base(stem) + "x" + host,
                                         "other" + base(stem + no_process + host).substr(3)};
  for (const std::string& other : kept) directory.write(other, "x");
  const std::string locked = stem + no_process + host + ".77";
  const int holder = open(directory.write(base(locked), "x").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(flock(holder, LOCK_EX) == 0);
  remove_leftovers(path);
  CHECK(std::filesystem::exists(locked));
  CHECK(directory.entries() == kept.size() + 1);
  close(holder);
  remove_leftovers(path);
  CHECK_FALSE(std::filesystem::exists(locked));
  for (const std::string& other : kept) CHECK(std::filesystem::exists(directory.file(other)));
}

TEST_CASE("long names have temporary names that fit, too", "[outputs]") {
  for (const RefusedCall& call : kinds_of_file_system()) {
    Outputs o;
    const std::string name(250, 'n');
    o.directory.write(name, "old");
    const bool ran = with_refused_call(call, [&] {
      o.write(name, "new", Overwrite::force);
      o.set.publish();
    });
    if (!ran) return;
    CHECK(o.directory.read(name) == "new");
    CHECK(o.directory.entries() == 1);
  }
}

TEST_CASE("an output that is larger than its disk is refused beforehand", "[outputs]") {
  Outputs o;
  OutputFile output(o.directory.file("a"), Overwrite::refuse, o.budget, o.statistics, o.set);
  output.require_space(4096, "");
  CHECK_THROWS_WITH(
      output.require_space(std::uint64_t{1} << 60, "; do this"),
      Catch::Contains("needs 1.00 EiB") && Catch::Contains("are free") && Catch::Contains("; do this"));
}

}  // namespace
}  // namespace emgraph::core
