// SPDX-License-Identifier: MIT
// Parses disk specifications.
#include "apps/command_line/disk_spec.hpp"

#include <fmt/core.h>

#include <functional>
#include <set>
#include <string>

#include "apps/run/words.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

using core::UsageError;

std::vector<Word<core::DiskBackend>> disk_backends() {
  return {{"auto", core::DiskBackend::automatic},
          {"uring", core::DiskBackend::uring},
          {"pread", core::DiskBackend::pread},
          {"memory", core::DiskBackend::memory}};
}

namespace {

std::uint64_t size(const std::string& key, const std::string& value) {
  const std::uint64_t bytes = core::parse_size(value);
  if (bytes == 0) throw UsageError(fmt::format("{}={} is nothing", key, value));
  return bytes;
}

void set_raw(core::DiskSpec& spec, const std::string& value) {
  if (value != "yes" && value != "no" && value != "force") {
    throw UsageError(fmt::format("raw={} is none of yes, no and force", value));
  }
  spec.raw = value != "no";
  spec.raw_force = value == "force";
}

void set(core::DiskSpec& spec, const std::string& part) {
  const std::size_t equals = part.find('=');
  const std::string key = part.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
  if (equals == std::string::npos) throw UsageError(fmt::format("'{}' is not of the form key=value", part));
  if (key == "size") {
    spec.capacity_bytes = size(key, value);
  } else if (key == "grow") {
    spec.growth_bytes = size(key, value);
  } else if (key == "io") {
    spec.backend = value_of(disk_backends(), value, part);
  } else if (key == "direct") {
    spec.direct = value_of<core::DirectIo>(
        {{"auto", core::DirectIo::automatic}, {"on", core::DirectIo::on}, {"off", core::DirectIo::off}},
        value, part);
  } else if (key == "raw") {
    set_raw(spec, value);
  } else if (key == "limit") {
    spec.limit_bytes_per_second =
        size(key, value.ends_with("/s") ? value.substr(0, value.size() - 2) : value);
  } else {
    throw UsageError(fmt::format("unknown key '{}'; there are size, grow, io, direct, raw, limit", key));
  }
}

}  // namespace

core::DiskSpec parse_disk_spec(const std::string& text, const std::string& source) {
  core::DiskSpec spec;
  std::vector<std::string> fields = parts_of(text, ',');
  std::set<std::string, std::less<>> keys;
  spec.path = fields.front();
  fields.erase(fields.begin());
  try {
    if (spec.path.empty()) throw UsageError("the path is empty");
    for (const std::string& field : fields) {
      const std::string key = field.substr(0, field.find('='));
      if (!keys.insert(key).second) throw UsageError(key + "= is given twice");
      set(spec, field);
    }
    if (spec.raw && spec.backend == core::DiskBackend::memory) throw UsageError("memory is no block device");
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}: {}", source, text, error.what()));
  }
  return spec;
}

}  // namespace emgraph::apps
