// SPDX-License-Identifier: MIT
// The variables of the launchers are understood.
#include "graph/mpi/launcher.hpp"

#include <catch2/catch.hpp>
#include <string_view>

namespace emgraph::tests {
namespace {

using graph::mpi::find_launch;

const char* of_open_mpi(const char* name) {
  const std::string_view variable = name;
  if (variable == "OMPI_COMM_WORLD_SIZE") return "12";
  if (variable == "OMPI_COMM_WORLD_RANK") return "7";
  if (variable == "OMPI_COMM_WORLD_LOCAL_SIZE") return "4";
  return nullptr;
}

const char* of_hydra(const char* name) {
  const std::string_view variable = name;
  if (variable == "PMI_SIZE") return "3";
  if (variable == "PMI_RANK") return "2";
  return nullptr;
}

const char* of_nobody(const char*) {
  return nullptr;
}

const char* of_a_liar(const char* name) {
  return std::string_view(name) == "PMI_SIZE" ? "many" : nullptr;
}

TEST_CASE("graph500 finds its place in an MPI job in the environment") {
  const auto open_mpi = find_launch(of_open_mpi);
  REQUIRE(open_mpi);
  CHECK(open_mpi->ranks == 12);
  CHECK(open_mpi->rank == 7);
  CHECK(open_mpi->ranks_on_host == 4);
  const auto hydra = find_launch(of_hydra);
  REQUIRE(hydra);
  CHECK(hydra->ranks == 3);
  CHECK(hydra->rank == 2);
  CHECK(hydra->ranks_on_host == 3);
  CHECK_FALSE(find_launch(of_nobody));
  CHECK_FALSE(find_launch(of_a_liar));
}

}  // namespace
}  // namespace emgraph::tests
