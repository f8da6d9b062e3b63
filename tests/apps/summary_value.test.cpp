// SPDX-License-Identifier: MIT
// Values of a summary as JSON: the order of keys, the forms of numbers, text of any bytes.
#include "apps/run/summary_value.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace emgraph::apps;
using emgraph::core::uint128;

TEST_CASE("keys of a summary stay in the order in which they were set", "[summary]") {
  SummaryObject object{{"nodes", 3}, {"edges", 2}};
  object.set("model", "internal");
  object.set("nodes", 4);
  object.update({{"seconds", 0.5}, {"edges", SummaryValue()}});
  CHECK(json_text(object) ==
        "{\n  \"nodes\": 4,\n  \"edges\": null,\n  \"model\": \"internal\",\n  \"seconds\": 0.5\n}");
  REQUIRE(object.find("model") != nullptr);
  CHECK(std::get<std::string>(object.find("model")->get()) == "internal");
  CHECK(object.find("reason") == nullptr);
}

TEST_CASE("numbers of more than 64 bits become text", "[summary]") {
  const auto text = [](const SummaryValue& value) { return json_text({{"n", value}}); };
  const auto shown = [](const std::string& value) { return "{\n  \"n\": " + value + "\n}"; };
  const uint128 largest = std::numeric_limits<std::uint64_t>::max();
  CHECK(text(largest) == shown("18446744073709551615"));
  CHECK(text(largest + 1) == shown("\"18446744073709551616\""));
  const int128 least = std::numeric_limits<std::int64_t>::min();
  CHECK(text(least) == shown("-9223372036854775808"));
  CHECK(text(least - 1) == shown("\"-9223372036854775809\""));
  CHECK(text(static_cast<int128>(largest)) == shown("18446744073709551615"));
}

TEST_CASE("other values have the forms that JSON has for them", "[summary]") {
  const std::optional<std::uint64_t> unknown;
  const SummaryObject object{{"flag", true},
                             {"whole", 1.0},
                             {"least", -1},
                             {"unknown", unknown},
                             {"infinite", std::numeric_limits<double>::infinity()},
                             {"pairs", SummaryList{SummaryList{1U, 2U}, SummaryObject{}}},
                             {"text", "a\"\xff"}};
  CHECK(
      json_text(object) ==
      "{\n  \"flag\": true,\n  \"whole\": 1.0,\n  \"least\": -1,\n  \"unknown\": null,\n  \"infinite\": "
      "null,\n"
      "  \"pairs\": [\n    [\n      1,\n      2\n    ],\n    {}\n  ],\n  \"text\": \"a\\\"\xef\xbf\xbd\"\n}");
}
