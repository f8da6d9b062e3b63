// SPDX-License-Identifier: MIT
// The directory of a checkpoint: states written and read again, damage, locks, and runs that are not the
// same.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/error.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/io/output_place.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/whole_file.hpp"

namespace emgraph::tests {
namespace {

namespace fs = std::filesystem;

core::CheckpointOptions options_in(const TemporaryDirectory& place, bool resume) {
  return {.directory = place.file("kept"),
          .resume = resume,
          .period_seconds = 0,
          .command = "sort",
          .identity = {{"INPUT", "edges.bin, 10 bytes"}, {"--unique", "given"}},
          .output = place.file("sorted.bin")};
}

void seal_number(core::Checkpoint& checkpoint, std::uint64_t number) {
  checkpoint.seal("some work", [&](core::StateWriter& to) { to.value(number); });
}

}  // namespace

TEST_CASE("a state that was sealed is there after the process has gone") {
  const TemporaryDirectory place;
  {
    core::Checkpoint first(options_in(place, false));
    CHECK(!first.has_state());
    CHECK(first.due());
    seal_number(first, 41);
    seal_number(first, 42);
  }
  const auto head = core::Checkpoint::look(place.file("kept"));
  REQUIRE(head);
  CHECK(head->done == "some work");
  {
    core::Checkpoint second(options_in(place, true));
    const auto state = second.take_state();
    REQUIRE(state != nullptr);
    CHECK(state->value<std::uint64_t>() == 42);
    CHECK_THROWS_AS(state->value<std::uint64_t>(), core::EnvironmentError);
    CHECK_THROWS_AS(core::Checkpoint(options_in(place, true)), core::UsageError);  // it is locked
    second.finish();
  }
  CHECK(!fs::exists(place.file("kept")));
}

TEST_CASE("a run that fails before its first seal leaves nothing") {
  const TemporaryDirectory place;
  { const core::Checkpoint failed(options_in(place, false)); }
  CHECK(fs::is_empty(place.path()));
  CHECK_THROWS_AS(core::Checkpoint(options_in(place, true)), core::UsageError);
  CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a run that is stopped before its first seal begins again, if it is the same one") {
  const TemporaryDirectory place;
  const std::atomic<bool> stop = true;
  {
    core::CheckpointOptions options = options_in(place, false);
    options.stop = &stop;
    core::Checkpoint first(options);
    std::ofstream(first.file("emgraph.data")) << "of no use";
    CHECK_THROWS_AS(first.stop_if_asked(), core::Stopped);
  }
  const std::string begun = place.file("kept/emgraph.begun");
  CHECK(!fs::exists(place.file("kept/emgraph.data")));
  CHECK(!fs::exists(place.file("kept/emgraph.journal")));
  CHECK(core::Checkpoint::look(place.file("kept"))->command == "sort");
  core::CheckpointOptions other = options_in(place, true);
  other.command = "dedup";
  CHECK_THROWS_AS(core::Checkpoint(other), core::UsageError);
  SECTION("it leaves the result so far of another checkpoint alone") {
    core::CheckpointOptions beside = options_in(place, false);
    beside.directory = place.file("beside");
    std::string part;
    {
      core::Checkpoint third(beside);
      part = third.part();
      std::ofstream(part) << "of the other run";
      seal_number(third, 3);
    }
    CHECK_THROWS_AS(core::Checkpoint(options_in(place, true)), core::UsageError);
    CHECK(whole_file(part) == "of the other run");
    CHECK(fs::exists(begun));
    beside.resume = true;
    core::Checkpoint third(beside);
    CHECK(third.take_state()->value<std::uint64_t>() == 3);
    third.finish();
    fs::remove(part);
    core::Checkpoint(options_in(place, true)).finish();
  }
  SECTION("after a power cut what it is may be lost") {
    std::ofstream(begun) << "";
    core::Checkpoint second(options_in(place, true));
    CHECK(!second.has_state());
    second.finish();
  }
  SECTION("the first seal takes its place") {
    core::Checkpoint second(options_in(place, true));
    CHECK(!second.has_state());
    seal_number(second, 1);
    CHECK(!fs::exists(begun));
    second.finish();
  }
  CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a state file stays until a state is sealed that does not name it") {
  const TemporaryDirectory place;
  core::StateFile file;
  {
    core::Checkpoint first(options_in(place, false));
    file = first.write_state_file([](core::StateWriter& to) { to.value(std::uint64_t{77}); });
    first.seal("one", [&](core::StateWriter& to) { to.value(file); });
    first.drop(file);
    first.write_state_file([](core::StateWriter& to) { to.value(std::uint64_t{78}); });
  }
  CHECK(fs::exists(place.file("kept/emgraph.state-1")));
  {
    core::Checkpoint second(options_in(place, true));
    CHECK(!fs::exists(place.file("kept/emgraph.state-2")));  // no state names it
    const auto named = second.take_state()->value<core::StateFile>();
    CHECK(named == file);
    CHECK(second.read_state_file(named)->value<std::uint64_t>() == 77);
    CHECK_THROWS_AS(second.read_state_file({named.number, named.checksum + 1}), core::EnvironmentError);
    second.drop(named);
    CHECK(fs::exists(place.file("kept/emgraph.state-1")));
    seal_number(second, 2);
    CHECK(!fs::exists(place.file("kept/emgraph.state-1")));
    second.write_state_file([](core::StateWriter& to) { to.value(std::uint64_t{79}); });
    second.finish();
  }
  CHECK(!fs::exists(place.file("kept")));
}

TEST_CASE("a request to stop is obeyed after the state is sealed") {
  const TemporaryDirectory place;
  const std::atomic<bool> stop{true};
  auto options = options_in(place, false);
  options.stop = &stop;
  options.period_seconds = 1000;
  {
    core::Checkpoint checkpoint(options);
    CHECK(checkpoint.due());
    CHECK_THROWS_AS(seal_number(checkpoint, 7), core::Stopped);
  }
  core::Checkpoint again(options_in(place, true));
  CHECK(again.take_state()->value<std::uint64_t>() == 7);
}

TEST_CASE("another run is refused with what differs") {
  const TemporaryDirectory place;
  {
    core::Checkpoint checkpoint(options_in(place, false));
    seal_number(checkpoint, 1);
  }
  auto other = options_in(place, true);
  SECTION("without resume") {
    other.resume = false;
  }
  SECTION("the command") {
    other.command = "dedup";
  }
  SECTION("the output") {
    other.output += "2";
  }
  SECTION("an input") {
    other.identity[0].second = "edges.bin, 11 bytes";
  }
  SECTION("an option less") {
    other.identity.pop_back();
  }
  SECTION("an option more") {
    other.identity.emplace_back("--no-loops", "given");
  }
  CHECK_THROWS_AS(core::Checkpoint(other), core::UsageError);
  core::Checkpoint same(options_in(place, true));
  CHECK(same.has_state());
}

TEST_CASE("a journal with any damaged byte is refused") {
  const TemporaryDirectory place;
  {
    core::Checkpoint checkpoint(options_in(place, false));
    seal_number(checkpoint, 1);
  }
  const fs::path journal = place.file("kept/emgraph.journal");
  const std::string whole = whole_file(journal);
  REQUIRE(whole.size() > 100);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(journal, std::ios::binary) << damaged;
    CHECK_THROWS_AS(core::Checkpoint(options_in(place, true)), core::EnvironmentError);
    std::ofstream(journal, std::ios::binary) << whole.substr(0, at);
    CHECK_THROWS_AS(core::Checkpoint(options_in(place, true)), core::EnvironmentError);
  }
  std::ofstream(journal, std::ios::binary) << whole;
  CHECK(core::Checkpoint(options_in(place, true)).has_state());
}

TEST_CASE("a checkpoint whose removal was interrupted lets a run begin again") {
  const TemporaryDirectory place;
  {
    core::Checkpoint checkpoint(options_in(place, false));
    seal_number(checkpoint, 1);
  }
  fs::copy(place.file("kept"), place.file("before"));
  core::Checkpoint(options_in(place, true)).finish();
  CHECK(!fs::exists(place.file("kept")));
  // The journal is the first to go, and the lock the last.
  fs::copy(place.file("before"), place.file("kept"));
  fs::remove(place.file("kept/emgraph.journal"));
  CHECK_FALSE(core::Checkpoint(options_in(place, true)).has_state());
}

TEST_CASE("a checkpoint whose result has its name already is removed") {
  const TemporaryDirectory place;
  const std::string directory = place.file("kept");
  {
    core::Checkpoint checkpoint(options_in(place, false));
    std::ofstream(checkpoint.part()) << "result";
    seal_number(checkpoint, 1);
    // Another output has its name already, and one that was noted is not the file of that name.
    std::ofstream(place.file("parents.npy")) << "parents";
    std::ofstream(place.file("of_somebody.npy")) << "other";
    std::ofstream(place.file("reused.npy")) << "";
    checkpoint.note_publication({{place.file("parents.npy"), core::file_identity(place.file("parents.npy"))},
                                 {place.file("of_somebody.npy"), core::file_identity(directory)},
                                 {place.file("reused.npy"), core::file_identity(place.file("reused.npy"))}});
    CHECK(!core::Checkpoint::look(place.file("nowhere")));
  }
  const std::string note = directory + "/emgraph.published";
  fs::copy_file(note, place.file("note"));
  // The file system gave the inode to a file of somebody else after the run had been killed.
  std::ofstream(place.file("reused.npy")) << "precious";
  CHECK(!core::Checkpoint::finish_published(directory, "sort"));  // it has no name yet
  CHECK(!fs::exists(place.file("parents.npy")));
  CHECK(fs::exists(place.file("of_somebody.npy")));
  CHECK(fs::exists(place.file("reused.npy")));
  CHECK(!fs::exists(note));
  fs::copy_file(place.file("note"), note);
  fs::rename(place.file("sorted.bin.emgraph-part"), place.file("sorted.bin"));
  SECTION("") {}
  SECTION("a power cut while it is removed: its last file has both its names") {
    fs::create_hard_link(directory + "/emgraph.published", directory + ".emgraph.published");
  }
  CHECK_THROWS_AS(core::Checkpoint::finish_published(directory, "dedup"), core::UsageError);
  CHECK(core::Checkpoint::finish_published(directory, "sort") == place.file("sorted.bin"));
  CHECK(!fs::exists(directory));
  CHECK(!fs::exists(directory + ".emgraph.published"));
}

}  // namespace emgraph::tests
