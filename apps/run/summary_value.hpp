// SPDX-License-Identifier: MIT
// A value of a summary, and its JSON text.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/integers.hpp"

namespace emgraph::apps {

using core::int128;

std::string digits(core::uint128 value);
std::string digits(int128 value);
/// "131,072,000": a number of any size with commas.
std::string grouped(core::uint128 value);

class SummaryValue;
struct SummaryField;
using SummaryList = std::vector<SummaryValue>;

/// Fields in the order in which they were set.
class SummaryObject {
 public:
  SummaryObject() = default;
  SummaryObject(std::initializer_list<SummaryField> fields);

  /// Replaces the value where the key exists. Takes time proportional to the number of fields.
  void set(std::string_view key, SummaryValue value);
  void update(SummaryObject other);
  /// The value of a key; nullptr if there is none.
  const SummaryValue* find(std::string_view key) const;
  const std::vector<SummaryField>& fields() const { return fields_; }

 private:
  std::vector<SummaryField> fields_;
};

template <class T>
concept SummaryNumber = std::integral<T> || std::floating_point<T>;

/// Null, a flag, a number, text, a list or an object.
class SummaryValue {
 public:
  using Variant = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                               SummaryList, SummaryObject>;

  SummaryValue() = default;
  template <SummaryNumber T>
  SummaryValue(T value) {
    if constexpr (std::same_as<T, bool>) {
      value_ = value;
    } else if constexpr (std::floating_point<T>) {
      value_ = double{value};
    } else if constexpr (std::unsigned_integral<T>) {
      value_ = std::uint64_t{value};
    } else {
      value_ = std::int64_t{value};
    }
  }
  /// JSON readers accept numbers of up to 64 bits; a wider one becomes a text of its digits.
  SummaryValue(core::uint128 value);
  SummaryValue(int128 value);
  SummaryValue(std::string value) : value_(std::move(value)) {}
  SummaryValue(std::string_view value) : value_(std::string(value)) {}
  SummaryValue(const char* value) : value_(std::string(value)) {}
  SummaryValue(SummaryList values) : value_(std::move(values)) {}
  SummaryValue(SummaryObject object) : value_(std::move(object)) {}
  SummaryValue(const std::vector<std::uint64_t>& values)
      : value_(SummaryList(values.begin(), values.end())) {}
  SummaryValue(const std::optional<std::uint64_t>& value) {
    if (value) value_ = *value;
  }

  const Variant& get() const { return value_; }

 private:
  Variant value_;
};

struct SummaryField {
  std::string key;
  SummaryValue value;
};

/// A number if JSON can represent it, else its name: "inf", "nan".
SummaryValue number_or_name(double value);

/// Indented by two spaces. Bytes that are not UTF-8 become U+FFFD; a double that is not finite becomes null.
std::string json_text(const SummaryObject& object);

}  // namespace emgraph::apps
