// SPDX-License-Identifier: MIT
// libFuzzer's entry points: one reader per process, chosen by --format=NAME.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/mend_checksums.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

/// Capacity of a pipe of the harness (memory_input.hpp).
constexpr std::size_t most_input_bytes = 1 << 20;

std::string format_name;
emgraph::fuzz::Target target;

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    constexpr std::string_view option = "--format=";
    const std::string_view argument = (*argv)[i];
    if (argument.starts_with(option)) format_name = argument.substr(option.size());
  }
  const bool list = format_name == "list";
  for (const emgraph::fuzz::Target& candidate : emgraph::fuzz::targets()) {
    if (list) std::puts(candidate.name.c_str());
    if (candidate.name == format_name) target = candidate;
  }
  if (list) std::exit(0);
  if (target.run == nullptr) {
    std::fprintf(stderr,
                 "fuzz_readers: --format=NAME is missing or unknown; --format=list lists the names\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= most_input_bytes) target.run(std::as_bytes(std::span(data, size)));
  return 0;
}

// The layout checks run after the checksums, so most mutants get valid checksums again.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 != 0) {
    emgraph::fuzz::mend_checksums(format_name, std::as_writable_bytes(std::span(data, mutated)));
  }
  return mutated;
}
