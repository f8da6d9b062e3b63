// SPDX-License-Identifier: MIT
// The test programs' own pthread_create(), which all libraries of the process call.
#include "tests/support/refused_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <limits>

namespace emgraph::tests {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constinit std::atomic<std::uint64_t> limit{unlimited};
constinit std::atomic<std::uint64_t> asked{0};

bool grants_thread() {
  return limit == unlimited || asked++ < limit;
}

}  // namespace

RefusedThreads::RefusedThreads(std::uint64_t granted) {
  asked = 0;
  limit = granted;
}

RefusedThreads::~RefusedThreads() {
  limit = unlimited;
}

std::uint64_t RefusedThreads::refused() const {
  return asked > limit ? asked - limit : 0;
}

}  // namespace emgraph::tests

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return emgraph::tests::grants_thread() ? create(thread, attributes, start, argument) : EAGAIN;
}
