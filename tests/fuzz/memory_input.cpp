// SPDX-License-Identifier: MIT
// Uses memfd_create and pipes; their paths in /proc/self/fd can be opened like other files.
#include "tests/fuzz/memory_input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace emgraph::fuzz {
namespace {

void check(bool good, const char* what) {
  if (!good) throw std::system_error(errno, std::generic_category(), what);
}

std::string path_of(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(memfd_create("fuzz-input", 0)) {
  check(descriptor_ >= 0, "memfd_create");
  path_ = path_of(descriptor_);
}

MemoryFile::~MemoryFile() {
  close(descriptor_);
}

void MemoryFile::write(Bytes bytes) {
  check(ftruncate(descriptor_, 0) == 0, "ftruncate");
  const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), 0);
  check(written == static_cast<ssize_t>(bytes.size()), "pwrite");
}

const std::string& MemoryFile::path_called(const std::string& name) {
  static const tests::TemporaryDirectory directory;
  const auto [at, fresh] = names_.try_emplace(name, directory.file(name));
  if (fresh) check(symlink(path_.c_str(), at->second.c_str()) == 0, "symlink");
  return at->second;
}

FullPipe::FullPipe(Bytes bytes) {
  int ends[2];
  check(pipe(ends) == 0, "pipe");
  read_end_ = ends[0];
  path_ = path_of(read_end_);
  constexpr std::size_t usual_bytes = 65536;
  if (bytes.size() > usual_bytes) check(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) >= 0, "F_SETPIPE_SZ");
  check(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "write");
  close(ends[1]);
}

FullPipe::~FullPipe() {
  close(read_end_);
}

}  // namespace emgraph::fuzz
