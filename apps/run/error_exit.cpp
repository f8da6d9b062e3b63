// SPDX-License-Identifier: MIT
// One class of error, one exit code.
#include "apps/run/error_exit.hpp"

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

#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

void complain(const std::string& command, const std::string& message) noexcept {
  try {
    fmt::print(stderr, "emgraph{}{}: {}\n", command.empty() ? "" : " ", command, message);
  } catch (...) {
    // Standard error is closed; the exit code still tells.
  }
}

}  // namespace

void ignore_broken_pipe_signal() {
  std::signal(SIGPIPE, SIG_IGN);
}

ExitCode explain_current_exception(const std::string& command) {
  try {
    throw;
  } catch (const core::BrokenPipe&) {
    return ExitCode::done;
  } catch (const core::UsageError& error) {
    complain(command, error.what());
    return ExitCode::usage;
  } catch (const core::DataError& error) {
    complain(command, error.what());
    return ExitCode::data;
  } catch (const core::EnvironmentError& error) {
    complain(command, error.what());
    return ExitCode::environment;
  } catch (const std::bad_alloc&) {
    complain(command,
             "out of memory: the system refused an allocation although it is below -M; lower -M or -j");
    return ExitCode::environment;
  } catch (const std::invalid_argument& error) {
    complain(command, error.what());
    return ExitCode::usage;
  } catch (const std::system_error& error) {
    const bool pipe = error.code() == std::errc::broken_pipe;
    if (!pipe) complain(command, error.what());
    return pipe ? ExitCode::done : ExitCode::environment;
  } catch (const std::exception& error) {
    complain(command, fmt::format("internal error: {}", error.what()));
    return ExitCode::environment;
  }
}

ExitCode close_standard_output(ExitCode code, const std::string& command) {
  const bool pending = __fpending(stdout) > 0;
  errno = 0;
  // A print that failed earlier has thrown and was explained. Nothing pending: standard output may have been
  // closed from the start (`>&-`).
  if (std::fclose(stdout) == 0 || !pending || errno == EPIPE) return code;
  if (code != ExitCode::done && code != ExitCode::violation) return code;
  complain(command, fmt::format("standard output: cannot write: {}", std::strerror(errno)));
  return ExitCode::environment;
}

}  // namespace emgraph::apps
