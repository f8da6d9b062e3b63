// SPDX-License-Identifier: MIT
// The limit counts for the first thread, and is the default size for the others.
#include "apps/run/stack.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>

namespace emgraph::apps {

namespace {

constexpr std::size_t least_stack_bytes = std::size_t{1} << 20;

extern "C" void* call_body(void* body) {
  (*static_cast<const core::FunctionRef<void()>*>(body))();
  return nullptr;
}

}  // namespace

void run_with_stack(core::FunctionRef<void()> body) {
  struct rlimit limit {};
  const bool small = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < least_stack_bytes;
  if (!small) return body();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, least_stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_t thread{};
  const int failed = pthread_create(&thread, &attributes, call_body, &body);
  pthread_attr_destroy(&attributes);
  if (failed != 0) return body();  // no thread to be had: the small stack has to do
  pthread_join(thread, nullptr);
}

}  // namespace emgraph::apps
