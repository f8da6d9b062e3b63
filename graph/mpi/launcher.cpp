// SPDX-License-Identifier: MIT
// Reads the variables of the launchers.
#include "graph/mpi/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace emgraph::graph::mpi {

namespace {

std::optional<unsigned> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  unsigned value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

const char* environment_variable(const char* name) {
  return std::getenv(name);
}

}  // namespace

std::optional<Launch> find_launch(const char* (*variable)(const char* name)) {
  struct Names {
    const char* ranks;
    const char* rank;
    const char* ranks_on_host;
  };
  constexpr Names launchers[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"}};
  for (const Names& names : launchers) {
    const std::optional<unsigned> ranks = number(variable(names.ranks));
    if (!ranks || *ranks == 0) continue;
    return Launch{.rank = number(variable(names.rank)).value_or(0),
                  .ranks = *ranks,
                  .ranks_on_host = number(variable(names.ranks_on_host)).value_or(*ranks)};
  }
  return std::nullopt;
}

std::optional<Launch> launch_of_this_process() {
  return find_launch(environment_variable);
}

}  // namespace emgraph::graph::mpi
