// SPDX-License-Identifier: MIT
// Arrays as NumPy and SciPy users have them: Fortran order, 2 x m, floating-point numbers, sparse matrices.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/apps/numpy_files.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("NumPy arrays: Fortran order, 2 x m and floating-point numbers are the same edges") {
  Workplace here;
  const std::string expected = "0\t1\n1\t2\n2\t5\n7\t3\n";
  const std::vector<std::int32_t> rows = {0, 1, 1, 2, 2, 5, 7, 3};
  const std::vector<std::int32_t> columns = {0, 1, 2, 7, 1, 2, 5, 3};
  const auto cat = [&](const std::string& bytes) {
    here.write("e.npy", bytes);
    return here.succeed("emgraph cat e.npy -q").out;
  };
  CHECK(cat(npy("<i4", "(4, 2)", bytes_of(rows))) == expected);
  CHECK(cat(npy("<i4", "(4, 2)", bytes_of(columns), true)) == expected);
  CHECK(cat(npy("<i4", "(2, 4)", bytes_of(columns))) == expected);
  CHECK(cat(npy("<i4", "(2, 4)", bytes_of(rows), true)) == expected);
  CHECK(cat(npy("<f8", "(4, 2)", bytes_of(std::vector<double>(rows.begin(), rows.end())))) == expected);
  CHECK(cat(npy("<f4", "(2, 4)", bytes_of(std::vector<float>(columns.begin(), columns.end())))) == expected);
  CHECK(cat(npy("<f8", "(1, 2)", bytes_of(std::vector<double>{9e9, 1}))) == "9000000000\t1\n");
  CHECK(cat(npy("<f8", "(2, 3)", bytes_of(std::vector<double>{0, 1, 0.5, 1, 2, -3}))) ==
        "0\t1\t0.5\n1\t2\t-3\n");
  CHECK(cat(npy("<i8", "(2, 3)", bytes_of(std::vector<std::int64_t>{0, 1, 1, 2, 5, -6}), true)) ==
        "0\t1\t5\n1\t2\t-6\n");
  // Big-endian integers and floats, and integers of 1 and 2 bytes.
  const auto turned = [](std::string bytes, std::size_t item_bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += item_bytes) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(at + item_bytes));
    }
    return bytes;
  };
  CHECK(cat(npy(">i4", "(4, 2)", turned(bytes_of(rows), 4))) == expected);
  CHECK(cat(npy(">u8", "(2, 4)",
                turned(bytes_of(std::vector<std::uint64_t>(columns.begin(), columns.end())), 8))) ==
        expected);
  CHECK(cat(npy(">f8", "(4, 2)", turned(bytes_of(std::vector<double>(rows.begin(), rows.end())), 8))) ==
        expected);
  CHECK(cat(npy("<i2", "(4, 2)", bytes_of(std::vector<std::int16_t>(rows.begin(), rows.end())))) == expected);
  CHECK(cat(npy(">u2", "(4, 2)",
                turned(bytes_of(std::vector<std::uint16_t>(rows.begin(), rows.end())), 2))) == expected);
  CHECK(cat(npy("|u1", "(4, 2)", bytes_of(std::vector<std::uint8_t>(rows.begin(), rows.end())))) == expected);
  CHECK(here.summary("emgraph cc e.npy").at("components") == 4);
  CHECK(here.succeed("emgraph stats e.npy -q && emgraph info e.npy").error.empty());
  const auto refused = [&](const std::string& bytes, const std::vector<std::string>& words) {
    here.write("e.npy", bytes);
    require_failure(here.run("emgraph cc e.npy"), 3, words);
  };
  refused(npy("<f8", "(1, 2)", bytes_of(std::vector<double>{0.5, 1})),
          {"e.npy: offset 128: item 0", "0.5", "whole number"});
  refused(npy("<f8", "(1, 2)", bytes_of(std::vector<double>{0, -1})), {"e.npy", "item 1", "-1"});
  refused(npy("<f8", "(1, 2)", bytes_of(std::vector<double>{0, 1e300})), {"e.npy", "item 1"});
  refused(npy("<i4", "(4, 2)", bytes_of(std::vector<std::int32_t>{0, 1, 2, -7, 1, 2, 5, 3}), true),
          {"offset 140: item 3", "-7"});
  refused(npy(">i2", "(1, 2)", std::string("\0\1\xff\xfe", 4)), {"item 1", "-2"});
  refused(npy("<f2", "(1, 2)", "1234"), {"e.npy", "'<f2'", "u1 to u8"});
  refused(npy("<i4", "(9, 2)", bytes_of(columns), true), {"e.npy", "truncated"});
  refused(npy("<i4", "(8,)", bytes_of(columns)), {"e.npy", "shape 8"});
  refused(npy("<c8", "(4, 2)", bytes_of(columns)), {"e.npy", "type"});
}

TEST_CASE("sparse matrices of SciPy: CSR, CSC and COO, stored and deflated, larger than a batch") {
  Workplace here;
  // Node i has edges to some later nodes; rows without entries at both ends.
  const int nodes = 9000;
  std::string text;
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> col;
  std::vector<std::int32_t> ends = {0};
  std::vector<double> values;
  for (int i = 0; i < nodes; ++i) {
    for (int j = 1; i > 2 && i < nodes - 9 && j <= i % 7; ++j) {
      row.push_back(i);
      col.push_back((i + j * j) % nodes);
      values.push_back(0.5 * j);
      text += std::to_string(i) + "\t" + std::to_string((i + j * j) % nodes) + "\t" +
              (j % 2 == 0 ? std::to_string(j / 2) : std::to_string(j / 2) + ".5") + "\n";
    }
    ends.push_back(static_cast<std::int32_t>(row.size()));
  }
  const std::string m = "(" + std::to_string(row.size()) + ",)";
  const auto array = [&](const std::vector<std::int32_t>& items, const std::string& shape) {
    return npy("<i4", shape, bytes_of(items));
  };
  const std::pair<std::string, std::string> shape = {
      "shape.npy", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{nodes, nodes}))};
  const std::pair<std::string, std::string> data = {"data.npy", npy("<f8", m, bytes_of(values))};
  const std::string n1 = "(" + std::to_string(nodes + 1) + ",)";
  here.write("e.txt", text);
  here.succeed("emgraph cc e.txt --nodes 9000 --cols 1,2,3 --weight-type f64 -o e.npy -q");
  for (const bool deflated : {false, true}) {
    write_npz(here, "csr.npz",
              {{"format.npy", npy("|S3", "()", "csr")},
               shape,
               data,
               {"indices.npy", array(col, m)},
               {"indptr.npy", array(ends, n1)}},
              deflated);
    write_npz(here, "csc.npz",
              {{"indices.npy", array(col, m)},
               {"format.npy", npy("|S3", "()", "csc")},
               shape,
               {"indptr.npy", array(ends, n1)},
               data},
              deflated);
    write_npz(here, "coo.npz",
              {{"row.npy", array(row, m)},
               {"col.npy", array(col, m)},
               {"format.npy", npy("<U3", "()", std::string("c\0\0\0o\0\0\0o\0\0\0", 12))},
               shape,
               data},
              deflated);
    CHECK(here.succeed("emgraph cat csr.npz -q").out == text);
    CHECK(here.succeed("emgraph cat coo.npz -q").out == text);
    CHECK(here.succeed("emgraph cat csc.npz -q -M 16M | awk '{print $2 \"\\t\" $1 \"\\t\" $3}'").out == text);
    for (const std::string name : {"csr", "csc", "coo"}) {
      for (const std::string options : {"-j 1", "-M 16M -j 3"}) {
        here.succeed("emgraph cc " + name + ".npz -o l.npy -q -f " + options);
        CHECK(here.read("l.npy") == here.read("e.npy"));
      }
      CHECK(here.summary("emgraph mst " + name + ".npz").at("nodes") == nodes);
    }
    CHECK(here.summary("emgraph cc csr.npz coo.npz").at("edges") == 2 * row.size());
  }
  const auto refused = [&](const std::vector<std::pair<std::string, std::string>>& members,
                           const std::vector<std::string>& words) {
    write_npz(here, "bad.npz", members, true);
    require_failure(here.run("emgraph cc bad.npz"), 3, words);
  };
  const std::pair<std::string, std::string> csr = {"format.npy", npy("|S3", "()", "csr")};
  refused({{"arr_0.npy", array({1, 2}, "(1, 2)")}}, {"bad.npz", "'format'", "scipy"});
  refused({{"format.npy", npy("|S3", "()", "dia")}, shape, data}, {"bad.npz: format.npy", "'dia'"});
  refused({csr, {"shape.npy", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{3, 4}))}, data},
          {"3 rows", "4 columns", "square"});
  auto wrong = ends;
  wrong[4000] = 9999999;
  refused({csr, shape, data, {"indices.npy", array(col, m)}, {"indptr.npy", array(wrong, n1)}},
          {"indptr.npy", "item 4000 at offset 16128 when unpacked"});
  wrong = col;
  wrong[20000] = nodes;
  refused({csr, shape, data, {"indices.npy", array(wrong, m)}, {"indptr.npy", array(ends, n1)}},
          {"indices.npy", "item 20000", "below 9000"});
  refused({csr, shape, data, {"indices.npy", array(col, m)}}, {"bad.npz", "'indptr'"});
  std::string damaged = here.read("csr.npz");
  damaged[damaged.size() / 3] ^= 1;
  here.write("damaged.npz", damaged);
  CHECK(here.run("emgraph cc damaged.npz").exit_code == 3);
  here.write("cut.npz", damaged.substr(0, damaged.size() / 2));
  require_failure(here.run("emgraph cc cut.npz"), 3, {"cut.npz"});
  require_failure(here.run("emgraph cc - <csr.npz"), 3, {"standard input"});
  require_failure(here.run("cat csr.npz | emgraph cc - --input-format npz"), 2, {"regular file"});
}

}  // namespace emgraph::tests
