// SPDX-License-Identifier: MIT
// Containers of another writer that declare what does not hold of their edges, with right checksums.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/sealed_parts.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

namespace format = graph::format;

/// Writes bad.bin: edges.bin with another order and other flags in its header.
void declare(const Workplace& here, graph::EdgeOrder order, std::uint64_t flags) {
  std::string bytes = here.read("edges.bin");
  format::ContainerHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.order = static_cast<std::uint8_t>(order);
  header.required_flags |= flags;
  format::seal(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
  format::ContainerFooter footer;
  char* const end = bytes.data() + bytes.size() - sizeof(footer);
  std::memcpy(&footer, end, sizeof(footer));
  footer.header_checksum = header.checksum;
  format::seal(footer);
  std::memcpy(end, &footer, sizeof(footer));
  here.write("bad.bin", bytes);
}

void check_declared_refused(const Workplace& here) {
  for (const std::string command : {"mis bad.bin -o out.npy", "sort -u bad.bin -o out.npy", "stats bad.bin",
                                    "triangles bad.bin --per-node out.npy", "bfs bad.bin --root 0 -o out.npy",
                                    "cc bad.bin -o out.npy", "convert bad.bin -o out.bin"}) {
    INFO(command);
    require_failure(here.run("emgraph " + command + " -j 2"), 3, {"bad.bin", "not as the file declares"});
  }
  require_failure(here.run("cat bad.bin | emgraph mis - -o out.npy"), 3, {"not as the file declares"});
  CHECK(here.files() == std::vector<std::string>{"bad.bin", "edges.bin"});
}

}  // namespace

TEST_CASE("a container that declares an order that its edges do not have") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K -q");
  declare(here, graph::EdgeOrder::source_target, format::flag_oriented_low);
  check_declared_refused(here);
  here.succeed("emgraph sort edges.bin -o sorted.bin -q");
  std::filesystem::rename(here.path("sorted.bin"), here.path("edges.bin"));
  declare(here, graph::EdgeOrder::target_source, 0);
  check_declared_refused(here);
}

TEST_CASE("a container that declares edges without duplicates, loops, or with the low end first") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 300 -q -o raw.bin");
  here.succeed("emgraph sort raw.bin -o edges.bin -q");
  std::filesystem::remove(here.path("raw.bin"));
  for (const std::uint64_t flag : {format::flag_unique, format::flag_no_loops, format::flag_oriented_low}) {
    declare(here, graph::EdgeOrder::source_target, flag);
    check_declared_refused(here);
  }
}

}  // namespace emgraph::tests
