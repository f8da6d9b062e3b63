// SPDX-License-Identifier: MIT
// Reads the files of all corpora without libFuzzer, so that repaired findings stay repaired.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/finding.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/whole_file.hpp"

namespace {

using emgraph::fuzz::Accepted;
using emgraph::fuzz::finding;

/// The name of a file determines its expected result (README.md).
void check_name(const std::string& name, Accepted accepted) {
  if (name.starts_with("good") && accepted != Accepted(true)) finding(name + " is not read");
  if (name.starts_with("broken") && accepted != Accepted(false)) finding(name + " is not refused");
}

std::vector<std::filesystem::path> entries(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

void replay(const emgraph::fuzz::Target& target, const std::filesystem::path& directory) {
  if (!std::filesystem::is_directory(directory)) finding("no corpus in " + directory.string());
  const auto files = entries(directory);
  if (files.empty()) finding("no files in " + directory.string());
  for (const auto& path : files) {
    const std::string bytes = emgraph::tests::whole_file(path);
    std::fprintf(stderr, "%s\n", path.c_str());
    check_name(path.filename().string(), target.run(std::as_bytes(std::span(bytes))));
  }
  std::printf("%s: %zu files\n", target.name.c_str(), files.size());
}

}  // namespace

/// replay_corpus CORPUS: the files of CORPUS/FORMAT for every target, and no others.
int main(int argc, char** argv) {
  try {
    if (argc != 2) finding("usage: replay_corpus CORPUS");
    const auto targets = emgraph::fuzz::targets();
    for (const auto& directory : entries(argv[1])) {
      const bool known = std::any_of(targets.begin(), targets.end(),
                                     [&](const auto& target) { return target.name == directory.filename(); });
      if (!known) finding(directory.string() + " is the corpus of no format");
    }
    for (const emgraph::fuzz::Target& target : targets) {
      replay(target, std::filesystem::path(argv[1]) / target.name);
    }
    return 0;
  } catch (const std::exception& error) {
    finding(error.what());
  }
}
