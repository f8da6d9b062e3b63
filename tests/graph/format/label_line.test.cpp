// SPDX-License-Identifier: MIT
// Lines whose columns are labels: separators, quotes, what is refused.
#include "graph/format/text/label_line.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

namespace emgraph::tests::edge_formats::label_line {
namespace {

using graph::WeightType;
using graph::format::LabelColumns;
using graph::format::LabelLine;
using graph::format::LineKind;

/// The labels of all lines as "[a|b]", followed by an i64 weight, up to the first error.
std::string parsed(std::string text, const LabelColumns& columns, bool cut = false) {
  std::string out;
  char* at = text.data();
  char* const end = at + text.size();
  LabelLine line;
  while (at != end) {
    const LineKind kind = graph::format::parse_label_line(at, end, cut, columns, line);
    if (kind == LineKind::wrong) return out + "! " + line.wrong;
    if (kind == LineKind::nothing) continue;
    out.append("[").append(line.labels[0]).append("|").append(line.labels[1]);
    if (columns.weight == WeightType::i64) {
      std::int64_t weight = 0;
      std::memcpy(&weight, line.weight.data(), sizeof(weight));
      out.append("|").append(std::to_string(weight));
    }
    out.append("]");
  }
  return out;
}

const LabelColumns blanks;
const LabelColumns commas{.separator = ','};
const LabelColumns tabs{.separator = '\t'};
const LabelColumns weighted{
    .labels = {3, 1}, .weight = WeightType::i64, .weight_column = 2, .separator = ','};

TEST_CASE("labels between blanks are all other bytes") {
  CHECK(parsed("a b\n  c\t\td x y\r\ne f\rg h", blanks) == "[a|b][c|d][e|f][g|h]");
  CHECK(parsed("\n \t\n# x y\n % z\nhttp://a,b;c Zo\xc3\xab\n", blanks) == "[http://a,b;c|Zo\xc3\xab]");
  CHECK(parsed("\"a b\" \"\n", blanks) == "[\"a|b\"]");
  CHECK(parsed("0017 17\n17 A\na A\n", blanks) == "[0017|17][17|A][a|A]");
  CHECK(parsed("a b\nalone\n", blanks) == "[a|b]! found 1 column, expected at least 2");
  CHECK(parsed("alone  \n", blanks) == "! found 1 column, expected at least 2");
}

TEST_CASE("labels between separators lose the blanks beside them, and quotes") {
  CHECK(parsed("New York , a b\t,rest\n", commas) == "[New York|a b]");
  CHECK(parsed("\"a \"\"b\"\", c\",\" d \"\n", commas) == "[a \"b\", c| d ]");
  CHECK(parsed("\"\"\"\",a\n\"x\" , \"y\" ,\"z,\"\n", commas) == "[\"|a][x|y]");
  CHECK(parsed("a\"b,c\"\n", commas) == "[a\"b|c\"]");
  CHECK(parsed("a b\t\"c\n", tabs) == "[a b|\"c]");
  CHECK(parsed("x,7,y,\n y ,-1, z\n", weighted) == "[y|x|7][z|y|-1]");
}

TEST_CASE("lines that have no two labels are refused") {
  const auto refused = [](const std::string& text, const LabelColumns& columns, const std::string& words,
                          bool cut = false) {
    INFO(text.substr(0, 40));
    CHECK_THAT(parsed(text, columns, cut), Catch::Contains("! ") && Catch::Contains(words));
  };
  refused("a,\n", commas, "nothing in column 2");
  refused(",a\n", commas, "nothing in column 1");
  refused("a,\"\"\n", commas, "nothing in column 2");
  refused("a, \t,b\n", commas, "nothing in column 2");
  refused("a\n", commas, "found 1 column");
  refused("a,\"b\nc\"\n", commas, "line breaks");
  refused("a,b,\"note\nx,y\"\n", commas, "line breaks");
  refused("\"a\"b,c\n", commas, "'b,c");
  refused("a,b,\"c\"d\n", commas, "closing quote");
  refused("x,seven,y\n", weighted, "'seven' as the weight");
  refused("x,7.5,y\n", weighted, "'7.5'");
  refused("x,,y\n", weighted, "as the weight");
  refused(std::string(70000, 'a') + " b\n", blanks, "64 KiB");
  refused("a " + std::string(65534, 'b') + "\n", blanks, "64 KiB");
  refused("a bcd", blanks, "64 KiB", true);
  // An ignored column is accepted or refused by its length, wherever a chunk ends in the line.
  const std::string quoted = "a,b,\"" + std::string(70000, 'x');
  refused(quoted, commas, "64 KiB", true);
  refused(quoted + "\"\x01", commas, "64 KiB", true);
  refused(quoted + "\"\n", commas, "64 KiB");
  refused(quoted + "\n", commas, "64 KiB");
  CHECK(parsed("a,b," + std::string(70000, 'x') + ",\"c", commas, true) == "[a|b]");
  CHECK(parsed("a,b," + std::string(70000, 'x') + ",\"c\n", commas) == "[a|b]");
  CHECK(parsed("a " + std::string(65533, 'b') + "\n", blanks).size() == 65537);
  CHECK(parsed("a b\x01", LabelColumns{}, false) == "[a|b\x01]");
  CHECK(parsed("a b cut", blanks, true) == "[a|b]");
}

}  // namespace
}  // namespace emgraph::tests::edge_formats::label_line
