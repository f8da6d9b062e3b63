// SPDX-License-Identifier: MIT
// Feeds the files of a corpus to their reader, without libFuzzer: what was found once stays mended.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/finding.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

using emgraph::fuzz::Accepted;
using emgraph::fuzz::finding;

/// ctest calls the test skipped (SKIP_RETURN_CODE).
constexpr int left_out = 77;

/// A name says what must come of the file (README.md).
void check_name(const std::string& name, Accepted accepted) {
  if (name.starts_with("good") && accepted != Accepted(true)) finding(name + " is not read");
  if (name.starts_with("broken") && accepted != Accepted(false)) finding(name + " is not refused");
}

std::size_t replay(const emgraph::fuzz::Target& target, const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::fprintf(stderr, "%s\n", path.c_str());
    check_name(path.filename().string(), target.run(std::as_bytes(std::span(bytes))));
  }
  return files.size();
}

}  // namespace

/// replay_corpus CORPUS FORMAT: the files of CORPUS/FORMAT.
int main(int argc, char** argv) {
  try {
    if (argc != 3) finding("usage: replay_corpus CORPUS FORMAT");
    for (const emgraph::fuzz::Target& target : emgraph::fuzz::targets()) {
      if (target.name != argv[2]) continue;
      const std::size_t files = replay(target, std::filesystem::path(argv[1]) / target.name);
      if (files == 0) finding("no files in the corpus");
      std::printf("%zu files\n", files);
      return 0;
    }
    std::printf("%s is not in the table of formats: left out\n", argv[2]);
    return left_out;
  } catch (const std::exception& error) {
    finding(error.what());
  }
}
