// SPDX-License-Identifier: MIT
// The stream concept: data moves in batches.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <utility>

namespace emgraph::core {

/// `next()` yields the next batch, empty at the end (and ever after). A batch is valid until the next call.
template <class S, class T>
concept StreamOf = requires(S stream) {
  { stream.next() } -> std::convertible_to<std::span<const T>>;
};

/// A stream behind one virtual call per batch, where the choice is made at run time.
template <class T>
class AnyStream {
 public:
  virtual ~AnyStream() = default;
  virtual std::span<const T> next() = 0;
};

/// Owns a stream of static type behind AnyStream.
template <class T, StreamOf<T> S>
class ErasedStream final : public AnyStream<T> {
 public:
  explicit ErasedStream(S stream) : stream_(std::move(stream)) {}
  std::span<const T> next() override { return stream_.next(); }

 private:
  S stream_;
};

template <class T, StreamOf<T> S>
std::unique_ptr<AnyStream<T>> erase(S stream) {
  return std::make_unique<ErasedStream<T, S>>(std::move(stream));
}

}  // namespace emgraph::core
