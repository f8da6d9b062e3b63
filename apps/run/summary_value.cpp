// SPDX-License-Identifier: MIT
// Converts values to JSON; the only file that includes nlohmann/json.
#include "apps/run/summary_value.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace emgraph::apps {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const SummaryObject& object);

Json to_json(const SummaryValue& value) {
  const auto convert = [](const auto& held) -> Json {
    using Held = std::decay_t<decltype(held)>;
    if constexpr (std::is_same_v<Held, std::monostate>) {
      return Json();
    } else if constexpr (std::is_same_v<Held, SummaryList>) {
      Json list = Json::array();
      for (const SummaryValue& element : held) list.push_back(to_json(element));
      return list;
    } else if constexpr (std::is_same_v<Held, SummaryObject>) {
      return to_json(held);
    } else {
      return Json(held);
    }
  };
  return std::visit(convert, value.get());
}

Json to_json(const SummaryObject& object) {
  Json json = Json::object();
  for (const auto& [key, value] : object.fields()) json.push_back({key, to_json(value)});
  return json;
}

}  // namespace

SummaryValue number_or_name(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string digits(core::uint128 value) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::string grouped(core::uint128 value) {
  const std::string plain = digits(value);
  std::string text;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i > 0 && (plain.size() - i) % 3 == 0) text += ',';
    text += plain[i];
  }
  return text;
}

std::string digits(int128 value) {
  const auto plain = static_cast<core::uint128>(value);
  return std::string(value < 0 ? "-" : "") + digits(value < 0 ? -plain : plain);
}

SummaryValue::SummaryValue(core::uint128 value) {
  if (value <= std::numeric_limits<std::uint64_t>::max()) {
    value_ = static_cast<std::uint64_t>(value);
  } else {
    value_ = digits(value);
  }
}

SummaryValue::SummaryValue(int128 value) {
  if (value >= 0) {
    *this = SummaryValue(static_cast<core::uint128>(value));
  } else if (value >= std::numeric_limits<std::int64_t>::min()) {
    value_ = static_cast<std::int64_t>(value);
  } else {
    value_ = digits(value);
  }
}

SummaryObject::SummaryObject(std::initializer_list<SummaryField> fields) : fields_(fields) {}

void SummaryObject::set(std::string_view key, SummaryValue value) {
  const auto found = std::ranges::find(fields_, key, &SummaryField::key);
  if (found != fields_.end()) {
    found->value = std::move(value);
  } else {
    fields_.push_back({std::string(key), std::move(value)});
  }
}

void SummaryObject::update(SummaryObject other) {
  for (SummaryField& field : other.fields_) set(field.key, std::move(field.value));
}

const SummaryValue* SummaryObject::find(std::string_view key) const {
  const auto found = std::ranges::find(fields_, key, &SummaryField::key);
  return found == fields_.end() ? nullptr : &found->value;
}

std::string json_text(const SummaryObject& object) {
  return to_json(object).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace emgraph::apps
