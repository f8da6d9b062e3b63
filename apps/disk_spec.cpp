// SPDX-License-Identifier: MIT
// Parses disk specifications.
#include "apps/disk_spec.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <fstream>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

core::DiskBackend backend(const std::string& value) {
  if (value == "auto") return core::DiskBackend::automatic;
  if (value == "uring") return core::DiskBackend::uring;
  if (value == "pread") return core::DiskBackend::pread;
  if (value == "memory") return core::DiskBackend::memory;
  throw UsageError(fmt::format("io={} is not one of uring, pread, memory", value));
}

core::DirectIo direct(const std::string& value) {
  if (value == "auto") return core::DirectIo::automatic;
  if (value == "on") return core::DirectIo::on;
  if (value == "off") return core::DirectIo::off;
  throw UsageError(fmt::format("direct={} is not one of auto, on, off", value));
}

void set(core::DiskSpec& spec, const std::string& part) {
  const std::size_t equals = part.find('=');
  const std::string key = part.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
  if (equals == std::string::npos) throw UsageError(fmt::format("'{}' is not of the form key=value", part));
  if (key == "size") {
    spec.capacity_bytes = core::parse_size(value);
  } else if (key == "io") {
    spec.backend = backend(value);
  } else if (key == "direct") {
    spec.direct = direct(value);
  } else {
    throw UsageError(fmt::format("unknown key '{}'; there are size, io, direct", key));
  }
}

}  // namespace

core::DiskSpec parse_disk_spec(const std::string& text) {
  core::DiskSpec spec;
  std::size_t begin = text.find(',');
  spec.directory = text.substr(0, begin);
  try {
    if (spec.directory.empty()) throw UsageError("the path is empty");
    while (begin != std::string::npos) {
      const std::size_t end = text.find(',', begin + 1);
      set(spec, text.substr(begin + 1, end == std::string::npos ? end : end - begin - 1));
      begin = end;
    }
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--disk {}: {}", text, error.what()));
  }
  return spec;
}

std::vector<core::DiskSpec> read_disk_specs(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw core::EnvironmentError::system(path, "cannot open", errno);
  std::vector<core::DiskSpec> specs;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    try {
      specs.push_back(parse_disk_spec(line));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: line {}: {}", path, number, error.what()));
    }
  }
  if (file.bad()) throw core::EnvironmentError::system(path, "cannot read", errno);
  return specs;
}

}  // namespace emgraph::apps
