// SPDX-License-Identifier: MIT
// A preloaded library in which system calls fail on request: libfault_shim.so.
//
// EMGRAPH_FAULT=KIND:K:ERROR[:COUNT[:PATH]]. Call number K (0 = the first) of the kind and the COUNT - 1
// calls after it fail (1 unless given; -1: for ever). ERROR is the name of an error number. Only calls on
// files whose path contains PATH count, if it is given; temporary files without a name have "(deleted)" in
// theirs. Kinds: open read pread write pwrite fsync fdatasync rename link fallocate ftruncate mmap malloc
// thread submit wait close. `pread:K:flip` changes a bit in the middle of what the call has read,
// `pread:K:zero` lets it read zeros, as after a lost write. `submit:K:cancel`: the kernel takes a transfer,
// and cancels it. EMGRAPH_FAULT_COUNT=FILE: the number of matching calls is written to FILE at the end of the
// process.
#include <dlfcn.h>
#include <fcntl.h>
#if __has_include(<liburing.h>)
#include <liburing.h>
#endif
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Damage { error, flip, zero, cancel };

struct Fault {
  char kind[16] = "";
  long first = 0;
  long count = 1;
  int error_number = EIO;
  Damage damage = Damage::error;
  char path[128] = "";
  bool known = false;
};

Fault fault;
std::atomic<long> calls{0};
// Nothing fails before main() begins: the calls of the loader and of static initialisers are not counted.
std::atomic<bool> active{false};
thread_local bool inside = false;

struct ErrorName {
  const char* name;
  int number;
};
constexpr std::array error_names = {
    ErrorName{"EIO", EIO},       ErrorName{"ENOSPC", ENOSPC}, ErrorName{"ENOMEM", ENOMEM},
    ErrorName{"EAGAIN", EAGAIN}, ErrorName{"EINTR", EINTR},   ErrorName{"EMFILE", EMFILE},
    ErrorName{"EACCES", EACCES}, ErrorName{"EDQUOT", EDQUOT}, ErrorName{"EBUSY", EBUSY},
};

void read_fault() {
  const char* text = std::getenv("EMGRAPH_FAULT");
  if (text == nullptr) return;
  char error[16] = "";
  if (std::sscanf(text, "%15[^:]:%ld:%15[^:]:%ld:%127s", fault.kind, &fault.first, error, &fault.count,
                  fault.path) < 3) {
    return;
  }
  if (std::strcmp(error, "flip") == 0) fault.damage = Damage::flip;
  if (std::strcmp(error, "zero") == 0) fault.damage = Damage::zero;
  if (std::strcmp(error, "cancel") == 0) fault.damage = Damage::cancel;
  for (const ErrorName& each : error_names) {
    if (std::strcmp(error, each.name) == 0) fault.error_number = each.number;
  }
  fault.known = true;
}

bool path_matches(int descriptor) {
  if (fault.path[0] == '\0') return true;
  char link[32];
  char path[512];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length < 0) return false;
  path[length] = '\0';
  return std::strstr(path, fault.path) != nullptr;
}

/// Counts a call; true if it is one to fail, and errno is set.
bool fails(const char* kind, int descriptor = -1) {
  if (!active || inside || !fault.known || std::strcmp(kind, fault.kind) != 0) return false;
  inside = true;
  const bool counts = descriptor < 0 || path_matches(descriptor);
  inside = false;
  if (!counts) return false;
  const long number = calls++;
  if (number < fault.first || (fault.count >= 0 && number - fault.first >= fault.count)) return false;
  errno = fault.error_number;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The result of a read that is to be damaged.
ssize_t damaged(const iovec* buffers, int count, ssize_t bytes) {
  if (bytes <= 0) return bytes;
  auto left = static_cast<std::size_t>(bytes);
  std::size_t target = left / 2;
  for (int i = 0; i < count && left > 0; ++i) {
    auto* const data = static_cast<unsigned char*>(buffers[i].iov_base);
    const std::size_t here = buffers[i].iov_len < left ? buffers[i].iov_len : left;
    if (fault.damage == Damage::zero) std::memset(data, 0, here);
    if (fault.damage == Damage::flip && target < here) {
      data[target] ^= 16;
      return bytes;
    }
    target -= target < here ? target : here;
    left -= here;
  }
  return bytes;
}

template <class Call>
ssize_t read_with(const char* kind, int descriptor, const iovec* buffers, int count, Call&& call) {
  const bool chosen = fails(kind, descriptor);
  if (chosen && fault.damage == Damage::error) return -1;
  const ssize_t bytes = call();
  return chosen ? damaged(buffers, count, bytes) : bytes;
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int watched_main(int argc, char** argv, char** environment) {
  read_fault();
  active = true;
  return real_main(argc, argv, environment);
}

__attribute__((destructor)) void end() {
  active = false;
  const char* const path = std::getenv("EMGRAPH_FAULT_COUNT");
  if (path == nullptr) return;
  if (std::FILE* const file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  static const auto real = next<decltype(__libc_start_main)>("__libc_start_main");
  real_main = main;
  return real(watched_main, argc, argv, init, fini, loader_fini, stack_end);
}

#define EMGRAPH_REAL(name) static const auto real = next<decltype(name)>(#name)

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  EMGRAPH_REAL(open);
  return fails("open") ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  EMGRAPH_REAL(open64);
  return fails("open") ? -1 : real(path, flags, mode);
}
int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  EMGRAPH_REAL(openat);
  return fails("open") ? -1 : real(directory, path, flags, mode);
}
int close(int descriptor) {
  EMGRAPH_REAL(close);
  const bool chosen = fails("close", descriptor);
  const int result = real(descriptor);  // the descriptor is gone even if close() fails
  if (!chosen) return result;
  errno = fault.error_number;
  return -1;
}
ssize_t read(int descriptor, void* data, std::size_t bytes) {
  EMGRAPH_REAL(read);
  const iovec buffer{data, bytes};
  return read_with("read", descriptor, &buffer, 1, [&] { return real(descriptor, data, bytes); });
}
ssize_t pread(int descriptor, void* data, std::size_t bytes, off_t offset) {
  EMGRAPH_REAL(pread);
  const iovec buffer{data, bytes};
  return read_with("pread", descriptor, &buffer, 1, [&] { return real(descriptor, data, bytes, offset); });
}
ssize_t pread64(int descriptor, void* data, std::size_t bytes, off64_t offset) {
  EMGRAPH_REAL(pread64);
  const iovec buffer{data, bytes};
  return read_with("pread", descriptor, &buffer, 1, [&] { return real(descriptor, data, bytes, offset); });
}
ssize_t preadv(int descriptor, const iovec* buffers, int count, off_t offset) {
  EMGRAPH_REAL(preadv);
  return read_with("pread", descriptor, buffers, count,
                   [&] { return real(descriptor, buffers, count, offset); });
}
ssize_t preadv64(int descriptor, const iovec* buffers, int count, off64_t offset) {
  EMGRAPH_REAL(preadv64);
  return read_with("pread", descriptor, buffers, count,
                   [&] { return real(descriptor, buffers, count, offset); });
}
ssize_t write(int descriptor, const void* data, std::size_t bytes) {
  EMGRAPH_REAL(write);
  return fails("write", descriptor) ? -1 : real(descriptor, data, bytes);
}
ssize_t pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset) {
  EMGRAPH_REAL(pwrite);
  return fails("pwrite", descriptor) ? -1 : real(descriptor, data, bytes, offset);
}
ssize_t pwrite64(int descriptor, const void* data, std::size_t bytes, off64_t offset) {
  EMGRAPH_REAL(pwrite64);
  return fails("pwrite", descriptor) ? -1 : real(descriptor, data, bytes, offset);
}
ssize_t pwritev(int descriptor, const iovec* buffers, int count, off_t offset) {
  EMGRAPH_REAL(pwritev);
  return fails("pwrite", descriptor) ? -1 : real(descriptor, buffers, count, offset);
}
ssize_t pwritev64(int descriptor, const iovec* buffers, int count, off64_t offset) {
  EMGRAPH_REAL(pwritev64);
  return fails("pwrite", descriptor) ? -1 : real(descriptor, buffers, count, offset);
}
int fsync(int descriptor) {
  EMGRAPH_REAL(fsync);
  return fails("fsync", descriptor) ? -1 : real(descriptor);
}
int fdatasync(int descriptor) {
  EMGRAPH_REAL(fdatasync);
  return fails("fdatasync", descriptor) ? -1 : real(descriptor);
}
int rename(const char* from, const char* to) noexcept {
  EMGRAPH_REAL(rename);
  return fails("rename") ? -1 : real(from, to);
}
int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  EMGRAPH_REAL(renameat2);
  return fails("rename") ? -1 : real(from_directory, from, to_directory, to, flags);
}
int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  EMGRAPH_REAL(linkat);
  return fails("link") ? -1 : real(from_directory, from, to_directory, to, flags);
}
int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  EMGRAPH_REAL(fallocate);
  return fails("fallocate", descriptor) ? -1 : real(descriptor, mode, offset, bytes);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t bytes) {
  EMGRAPH_REAL(fallocate64);
  return fails("fallocate", descriptor) ? -1 : real(descriptor, mode, offset, bytes);
}
int posix_fallocate(int descriptor, off_t offset, off_t bytes) {
  EMGRAPH_REAL(posix_fallocate);
  return fails("fallocate", descriptor) ? fault.error_number : real(descriptor, offset, bytes);
}
int ftruncate(int descriptor, off_t bytes) noexcept {
  EMGRAPH_REAL(ftruncate);
  return fails("ftruncate", descriptor) ? -1 : real(descriptor, bytes);
}
int ftruncate64(int descriptor, off64_t bytes) noexcept {
  EMGRAPH_REAL(ftruncate64);
  return fails("ftruncate", descriptor) ? -1 : real(descriptor, bytes);
}
void* mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor,
           off_t offset) noexcept {
  EMGRAPH_REAL(mmap);
  return fails("mmap") ? MAP_FAILED : real(address, bytes, protection, flags, descriptor, offset);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  EMGRAPH_REAL(pthread_create);
  return fails("thread") ? fault.error_number : real(thread, attributes, start, argument);
}

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void* malloc(std::size_t bytes) noexcept {
  return fails("malloc") ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return fails("malloc") ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  return fails("malloc") ? nullptr : __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return fails("malloc") ? nullptr : __libc_memalign(alignment, bytes);
}

#if __has_include(<liburing.h>)
/// Replaces the last entry, if it is a transfer, by a message to the ring that it was cancelled.
void cancel(io_uring* ring) {
  io_uring_sqe& entry = ring->sq.sqes[(ring->sq.sqe_tail - 1) & *ring->sq.kring_mask];
  if (entry.opcode != IORING_OP_READV && entry.opcode != IORING_OP_WRITEV) return;
  const std::uint64_t data = entry.user_data;
  io_uring_prep_rw(IORING_OP_MSG_RING, &entry, ring->ring_fd, nullptr, -ECANCELED, data);
  entry.flags = IOSQE_CQE_SKIP_SUCCESS;
  entry.user_data = data;
}
int io_uring_submit(io_uring* ring) {
  EMGRAPH_REAL(io_uring_submit);
  if (!fails("submit")) return real(ring);
  if (fault.damage != Damage::cancel) return -fault.error_number;
  cancel(ring);
  return real(ring);
}
/// What io_uring_wait_cqe calls when no completion is there.
int __io_uring_get_cqe(io_uring* ring, io_uring_cqe** completion, unsigned submit, unsigned least,
                       sigset_t* mask) {
  EMGRAPH_REAL(__io_uring_get_cqe);
  return fails("wait") ? -fault.error_number : real(ring, completion, submit, least, mask);
}
#endif

}  // extern "C"
