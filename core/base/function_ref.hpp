// SPDX-License-Identifier: MIT
// A callable that is borrowed for the time of a call.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace emgraph::core {

template <typename Signature>
class FunctionRef;

/// A parameter type: refers to a callable of the caller, which must outlive the reference; a lambda written
/// in the call does. Two pointers, no allocation; as std::function_ref of C++26. std::function keeps a copy
/// and its type's name: for the 600 lambdas of this project's loops these were 300 KB of the program.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable&, Arguments...>)
      FunctionRef(Callable&& callable)  // NOLINT(google-explicit-constructor): a lambda is passed as it is
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* target, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(target))(
              std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(callable_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* callable_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace emgraph::core
