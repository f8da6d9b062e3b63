// SPDX-License-Identifier: MIT
// Parsing is exact: the decimal mantissa and the scale are combined in 128-bit integers.
#include "core/base/bytes.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/integers.hpp"

namespace emgraph::core {
namespace {

struct Suffix {
  std::string_view text;
  std::uint64_t factor;
};

constexpr std::uint64_t k = 1000;

constexpr std::array count_suffixes = {Suffix{"", 1},     Suffix{"k", k},       Suffix{"K", k},
                                       Suffix{"M", k* k}, Suffix{"G", k* k* k}, Suffix{"T", k* k* k* k}};

constexpr std::array size_suffixes = {
    Suffix{"", 1},          Suffix{"B", 1},           Suffix{"K", KiB},        Suffix{"k", KiB},
    Suffix{"M", MiB},       Suffix{"m", MiB},         Suffix{"G", GiB},        Suffix{"g", GiB},
    Suffix{"T", GiB << 10}, Suffix{"t", GiB << 10},   Suffix{"KiB", KiB},      Suffix{"MiB", MiB},
    Suffix{"GiB", GiB},     Suffix{"TiB", GiB << 10}, Suffix{"KB", k},         Suffix{"kB", k},
    Suffix{"MB", k* k},     Suffix{"GB", k* k* k},    Suffix{"TB", k* k* k* k}};

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// For the underscore at `at`: 1_000_000.
bool between_digits(std::string_view text, std::size_t at) {
  return at > 0 && is_digit(text, at - 1) && is_digit(text, at + 1);
}

/// 6 for "e6"; nullopt for other texts, and above 19, which is too large for any count.
std::optional<unsigned> decimal_exponent(std::string_view text) {
  if (text.size() < 2 || text.size() > 3 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  unsigned exponent = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (!is_digit(text, at)) return std::nullopt;
    exponent = exponent * 10 + static_cast<unsigned>(text[at] - '0');
  }
  return exponent <= 19 ? std::optional(exponent) : std::nullopt;
}

template <class Suffixes>
std::uint64_t parse(std::string_view text, const Suffixes& suffixes, const char* kind, const char* examples) {
  const auto bad = [&](const char* why) {
    return UsageError("'" + std::string(text) + "' is not a " + kind + " (" + why + "; expected e.g. " +
                      examples + ")");
  };
  using Wide = uint128;
  constexpr Wide mantissa_limit = Wide{1} << 80;
  Wide mantissa = 0;
  Wide scale = 1;
  std::size_t at = 0;
  bool point = false;
  bool digits = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c == '_' && between_digits(text, at)) {
      continue;
    } else if (c >= '0' && c <= '9') {
      digits = true;
      mantissa = mantissa * 10 + static_cast<unsigned>(c - '0');
      if (point) scale *= 10;
      if (mantissa > mantissa_limit || scale > (Wide{1} << 40)) throw bad("too many digits");
    } else {
      break;
    }
  }
  if (!digits) throw bad("no number");
  std::string_view rest = text.substr(at);
  if (const std::optional<unsigned> exponent = decimal_exponent(rest)) {
    for (unsigned i = 0; i < *exponent; ++i) {
      mantissa *= 10;
      if (mantissa > mantissa_limit * (Wide{1} << 40)) throw bad("too large");
    }
    rest = "";
  }
  for (const Suffix& suffix : suffixes) {
    if (rest != suffix.text) continue;
    const Wide scaled = mantissa * suffix.factor;
    if (scaled % scale != 0) throw bad("not a whole number");
    if (scaled / scale > UINT64_MAX) throw bad("too large");
    return static_cast<std::uint64_t>(scaled / scale);
  }
  throw bad("unknown unit");
}

}  // namespace

std::uint64_t parse_count(std::string_view number) {
  return parse(number, count_suffixes, "count", "500, 100k, 10G, 1e6");
}

std::uint64_t parse_size(std::string_view text) {
  return parse(text, size_suffixes, "size", "512M, 2GiB, 500MB");
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < KiB) return std::to_string(bytes) + " B";
  constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit]);
  return out.data();
}

std::string format_count(std::uint64_t count) {
  std::string out = std::to_string(count);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, 1, ',');
  return out;
}

std::string format_real(double value) {
  std::array<char, 32> out;
  return {out.data(), std::to_chars(out.data(), out.data() + out.size(), value).ptr};
}

std::string memory_option(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::uint64_t>::max() - MiB) return "more than any -M";
  return "-M " + std::to_string(divide_up(bytes, MiB)) + "M";
}

}  // namespace emgraph::core
