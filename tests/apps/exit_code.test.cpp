// SPDX-License-Identifier: MIT
// Each class of exception has its exit code and its message.
#include "apps/run/exit_code.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>
#include <variant>

#include "core/base/error.hpp"

using namespace emgraph;
using apps::ExitCode;

namespace {

template <class Thrown>
apps::Failure described(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return apps::describe_current_exception();
  }
}

void check(const apps::Failure& failure, ExitCode code, const std::string& message) {
  CHECK(failure.code == code);
  CHECK(failure.message == message);
}

}  // namespace

TEST_CASE("errors raised on purpose have the exit codes of their classes", "[exit]") {
  check(described(core::UsageError("--by: no")), ExitCode::usage, "--by: no");
  check(described(std::invalid_argument("gen:kron has no --nodes")), ExitCode::usage,
        "gen:kron has no --nodes");
  check(described(core::DataError("a.bin: damaged")), ExitCode::data, "a.bin: damaged");
  check(described(core::EnvironmentError("disk full")), ExitCode::environment, "disk full");
  check(described(core::MemoryLimitError("at least 20M")), ExitCode::environment, "at least 20M");
}

TEST_CASE("a reader that has left is no error", "[exit]") {
  check(described(core::BrokenPipe("standard output")), ExitCode::done, "");
  check(described(std::system_error(std::make_error_code(std::errc::broken_pipe))), ExitCode::done, "");
}

TEST_CASE("what the machine refuses is the environment's fault", "[exit]") {
  CHECK(described(std::bad_alloc()).code == ExitCode::environment);
  CHECK(described(std::bad_array_new_length()).code == ExitCode::environment);
  CHECK(described(std::bad_alloc()).message.find("-M") != std::string::npos);
  const auto no_thread = std::make_error_code(std::errc::resource_unavailable_try_again);
  CHECK(described(std::system_error(no_thread, "thread")).code == ExitCode::environment);
  CHECK(described(std::filesystem::filesystem_error("no", no_thread)).code == ExitCode::environment);
}

TEST_CASE("a fault of emgraph has exit code 70 and asks for a report", "[exit]") {
  const auto check_report = [](const apps::Failure& failure, const std::string& what) {
    CHECK(static_cast<int>(failure.code) == 70);
    CHECK(failure.message.find(what) != std::string::npos);
    CHECK(failure.message.find("report it") != std::string::npos);
  };
  check_report(described(std::logic_error("no buffer left")), "no buffer left");
  check_report(described(std::out_of_range("at")), "at");
  check_report(described(std::bad_variant_access()), "internal error");
  check_report(described(42), "internal error");
}
