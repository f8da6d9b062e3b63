// SPDX-License-Identifier: MIT
// Searches the places that can name disks, from the most specific to the most general.
#include "apps/command_line/disk_config.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/command_line/disk_spec.hpp"
#include "apps/run/words.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// A file that neither the caller nor root owns, or that others may write, must not choose a device to
/// overwrite.
bool trusted(const struct stat& file) {
  return (file.st_uid == geteuid() || file.st_uid == 0) && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The directory of settings: $XDG_CONFIG_HOME if it is absolute, as the XDG base directory specification
/// asks; else ~/.config, unless $HOME belongs to somebody else (sudo may keep the caller's).
std::string settings_directory() {
  const std::string given = variable("XDG_CONFIG_HOME");
  if (given.starts_with('/')) return given;
  const std::string home = variable("HOME");
  struct stat status {};
  if (!home.starts_with('/') || stat(home.c_str(), &status) != 0) return "";
  return status.st_uid == geteuid() || status.st_uid == 0 ? home + "/.config" : "";
}

std::vector<core::DiskSpec> specs_in_variable(const std::string& value) {
  if (is_file(value)) return read_disk_specs(value);
  std::vector<core::DiskSpec> specs;
  for (const std::string& part : parts_of(value, ';')) {
    const std::string spec = trimmed(part);
    if (spec.empty()) continue;
    specs.push_back(parse_disk_spec(spec, "$EMGRAPH_DISKS"));
    if (specs.back().raw) {
      throw UsageError(
          fmt::format("$EMGRAPH_DISKS: {}: raw counts only in --disk and in files, not in a variable", spec));
    }
  }
  return specs;
}

}  // namespace

std::vector<core::DiskSpec> read_disk_specs(const std::string& path) {
  std::ifstream file(path);
  struct stat status {};
  if (!file || stat(path.c_str(), &status) != 0) {
    throw core::EnvironmentError::system(path, "cannot open", errno);
  }
  std::vector<core::DiskSpec> specs;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    specs.push_back(parse_disk_spec(line, fmt::format("{}: line {}", path, number)));
    if (specs.back().raw && !trusted(status)) {
      throw UsageError(
          fmt::format("{}: line {}: {}: raw counts only in a file that you or root own and nobody "
                      "else can write",
                      path, number, line));
    }
  }
  if (file.bad()) throw core::EnvironmentError::system(path, "cannot read", errno);
  return specs;
}

ConfiguredDisks configured_disks(const std::vector<core::DiskSpec>& named) {
  if (!named.empty()) return {.disks = named, .source = ""};
  ConfiguredDisks found{.disks = specs_in_variable(variable("EMGRAPH_DISKS")), .source = "$EMGRAPH_DISKS"};
  if (!found.disks.empty()) return found;
  for (const std::string& directory : {settings_directory(), std::string("/etc")}) {
    if (directory.empty()) continue;
    found.source = directory + "/emgraph/disks";
    if (is_file(found.source)) found.disks = read_disk_specs(found.source);
    if (!found.disks.empty()) return found;
  }
  const std::string directory = variable("TMPDIR");
  if (directory.empty()) return {.disks = {{.path = "/tmp"}}, .source = "the default"};
  return {.disks = {{.path = directory}}, .source = "$TMPDIR"};
}

}  // namespace emgraph::apps
