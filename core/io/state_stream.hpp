// SPDX-License-Identifier: MIT
// The state of a run as a sequence of bytes: what is saved is restored in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace emgraph::core {

class StateWriter {
 public:
  virtual ~StateWriter() = default;
  virtual void put(std::span<const std::byte> bytes) = 0;
  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::as_bytes(std::span(&value, 1)));
  }
  /// Elements, without their number.
  template <class T>
  void array(std::span<T> elements) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::as_bytes(elements));
  }
};

class StateReader {
 public:
  virtual ~StateReader() = default;
  /// Throws EnvironmentError if fewer bytes were saved.
  virtual void get(std::span<std::byte> bytes) = 0;
  template <class T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    get(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  /// Fills all elements.
  template <class T>
  void array(std::span<T> elements) {
    static_assert(std::is_trivially_copyable_v<T>);
    get(std::as_writable_bytes(elements));
  }
};

}  // namespace emgraph::core
