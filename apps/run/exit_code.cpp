// SPDX-License-Identifier: MIT
// Every class of errors has its exit code.
#include "apps/run/exit_code.hpp"

#include <fmt/core.h>

#include <stdio_ext.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include "apps/run/printable.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace emgraph::apps {

namespace {

constexpr std::string_view please_report =
    "This is a fault of emgraph, not of your data or machine. Please report it with the command line, this "
    "message\nand the output of `emgraph --version`.";

void complain(const std::string& command, const std::string& message) noexcept {
  try {
    fmt::print(stderr, "emgraph{}{}: {}\n", command.empty() ? "" : " ", command, printable(message));
  } catch (...) {
    // Standard error is closed; the exit code remains.
  }
}

}  // namespace

Failure describe_current_exception() {
  try {
    throw;
  } catch (const core::BrokenPipe&) {
    return {};
  } catch (const core::Stopped& stop) {
    return {ExitCode::stopped, stop.what()};
  } catch (const core::UsageError& error) {
    return {ExitCode::usage, error.what()};
  } catch (const core::DataError& error) {
    return {ExitCode::data, error.what()};
  } catch (const core::EnvironmentError& error) {
    return {ExitCode::environment, error.what()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::environment,
            "out of memory: the system refused an allocation although it is below -M; lower -M or -j"};
  } catch (const std::invalid_argument& error) {
    return {ExitCode::usage, error.what()};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) return {};
    return {ExitCode::environment, error.what()};
  } catch (const std::exception& error) {
    return {ExitCode::internal, fmt::format("internal error: {}\n{}", error.what(), please_report)};
  } catch (...) {
    return {ExitCode::internal, fmt::format("internal error\n{}", please_report)};
  }
}

ExitCode explain_current_exception(const std::string& command) {
  try {
    const Failure failure = describe_current_exception();
    if (!failure.message.empty()) complain(command, failure.message);
    return failure.code;
  } catch (...) {  // not even memory for the message
    std::fputs("emgraph: out of memory\n", stderr);
    return ExitCode::environment;
  }
}

void ignore_broken_pipe_signal() {
  std::signal(SIGPIPE, SIG_IGN);
}

ExitCode close_standard_output(ExitCode code, const std::string& command) {
  const bool pending = __fpending(stdout) > 0;
  errno = 0;
  // A print that failed has thrown, and its exception was reported. If no output is pending, standard output
  // may have been closed from the start (`>&-`), which is not an error.
  if (std::fclose(stdout) == 0 || !pending || errno == EPIPE) return code;
  if (code != ExitCode::done && code != ExitCode::violation) return code;
  complain(command, fmt::format("standard output: cannot write: {}", std::strerror(errno)));
  return ExitCode::environment;
}

}  // namespace emgraph::apps
