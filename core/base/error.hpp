// SPDX-License-Identifier: MIT
// The errors emgraph raises, one class per exit code of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace emgraph::core {

/// Base of all errors raised on purpose. `what()` is the whole message for the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request makes no sense: bad option, bad number, output exists (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The input data are corrupt, truncated, malformed or out of range (exit code 3).
class DataError : public Error {
 public:
  using Error::Error;
  /// "PATH: offset N: WHAT"; say in `what` what was found and what was expected.
  static DataError at_offset(const std::string& path, std::uint64_t offset, const std::string& what);
  /// "PATH: line N: WHAT".
  static DataError at_line(const std::string& path, std::uint64_t line, const std::string& what);
  /// "PATH: WHAT".
  static DataError in_file(const std::string& path, const std::string& what);
};

/// The machine failed us: file missing, I/O error, disk full (exit code 4).
class EnvironmentError : public Error {
 public:
  using Error::Error;
  /// "PATH: WHAT: strerror(error_number)".
  static EnvironmentError system(const std::string& path, const std::string& what, int error_number);
};

/// A reservation does not fit `-M` (exit code 4).
class MemoryLimitError : public EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

/// The reader of our output has gone away (EPIPE). Not an error for the user.
class BrokenPipe : public Error {
 public:
  using Error::Error;
};

}  // namespace emgraph::core
