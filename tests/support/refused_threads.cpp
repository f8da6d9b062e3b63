// SPDX-License-Identifier: MIT
// The test programs' own pthread_create(), which all libraries of the process call.
#include "tests/support/refused_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <limits>
#include <memory>

namespace emgraph::tests {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constinit std::atomic<std::uint64_t> limit{unlimited};
constinit std::atomic<std::uint64_t> asked{0};

constinit std::atomic<bool> late{false};

struct Start {
  void* (*function)(void*);
  void* argument;
};
void* run_late(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  late.wait(true);
  return start->function(start->argument);
}

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

LateThreads::LateThreads() {
  late = true;
}

void LateThreads::release() {
  late = false;
  late.notify_all();
}

}  // namespace emgraph::tests

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!emgraph::tests::grants_thread()) return EAGAIN;
  if (!emgraph::tests::late) return create(thread, attributes, start, argument);
  auto held = std::make_unique<emgraph::tests::Start>(emgraph::tests::Start{start, argument});
  const int error = create(thread, attributes, emgraph::tests::run_late, held.get());
  if (error == 0) held.release();  // the new thread has it
  return error;
}
