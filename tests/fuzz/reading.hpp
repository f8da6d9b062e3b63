// SPDX-License-Identifier: MIT
// The allowed results of a reading, and their comparison: all ways to read the same bytes must agree.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "tests/fuzz/finding.hpp"

namespace emgraph::fuzz {

enum class Ending { complete, too_long, data_error, usage_error, memory_error };

/// The result of a reading, or its error.
template <class Item>
struct Reading {
  Ending ending = Ending::complete;
  std::string message;  ///< message of the error
  std::vector<Item> items;
};

/// Longer inputs are not read to their end: short packed input may have long content.
inline constexpr std::size_t most_items = 200000;

/// Calls read(items), which returns false if there are more than `most_items`. Documented errors end the
/// reading; all other errors are findings.
template <class Item, class Read>
Reading<Item> attempt(const std::string& way, Read&& read) {
  Reading<Item> reading;
  const auto failed = [&](Ending ending, const std::exception& error) {
    reading.ending = ending;
    reading.message = error.what();
    reading.items.clear();
  };
  try {
    if (!read(reading.items)) reading.ending = Ending::too_long;
  } catch (const core::DataError& error) {
    failed(Ending::data_error, error);
  } catch (const core::UsageError& error) {
    failed(Ending::usage_error, error);
  } catch (const core::MemoryLimitError& error) {
    failed(Ending::memory_error, error);
  } catch (const std::exception& error) {
    finding(way + ": an error that no bad input may cause: " + error.what());
  }
  return reading;
}

/// Compares two ways to read the same bytes. They may differ if one was refused for memory or for its way of
/// reading.
template <class Item>
void expect_same(const std::string& way, const Reading<Item>& a, const std::string& other_way,
                 const Reading<Item>& b) {
  const auto comparable = [](const Reading<Item>& reading) {
    return reading.ending == Ending::complete || reading.ending == Ending::data_error;
  };
  if (!comparable(a) || !comparable(b)) return;
  const auto text = [](const Reading<Item>& reading) {
    return reading.ending == Ending::complete ? std::to_string(reading.items.size()) + " items"
                                              : "'" + reading.message + "'";
  };
  if (a.ending != b.ending || a.items != b.items) {
    finding(way + ": " + text(a) + "; " + other_way + ": " + text(b));
  }
}

}  // namespace emgraph::fuzz
