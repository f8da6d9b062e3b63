// SPDX-License-Identifier: MIT
// Runs code for which the kernel refuses one kind of system call.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <fcntl.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <thread>

namespace emgraph::tests {

/// A call whose argument number `argument` has all of `bits` fails with `error`.
struct RefusedCall {
  unsigned number = 0;
  unsigned argument = 0;
  std::uint32_t bits = 0;
  unsigned error = EOPNOTSUPP;
};

/// File systems such as NFS and vfat have no files without a name.
inline RefusedCall unnamed_files() {
  return {.number = SYS_openat, .argument = 2, .bits = O_TMPFILE, .error = EOPNOTSUPP};
}

/// Calls `body` on a thread of its own, for which and for whose children the call fails. Returns false if the
/// system has no seccomp filters. Catch2 allows its assertions in `body` as long
/// as this is the only thread that makes any.
template <class Body>
bool with_refused_call(const RefusedCall& call, Body&& body) {
  bool filtered = false;
  std::exception_ptr failed;
  std::thread thread([&] {
    const auto load = [](std::uint32_t offset) {
      return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
    };
    const auto argument = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * call.argument);
    std::array<sock_filter, 7> filter = {
        load(offsetof(seccomp_data, nr)),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0, 4),
        load(argument),
        sock_filter BPF_STMT(BPF_ALU | BPF_AND | BPF_K, call.bits),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.bits, 0, 1),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | call.error),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{.len = filter.size(), .filter = filter.data()};
    filtered = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    if (!filtered) return;
    try {
      body();
    } catch (...) {
      failed = std::current_exception();
    }
  });
  thread.join();
  if (failed) std::rethrow_exception(failed);
  return filtered;
}

}  // namespace emgraph::tests
