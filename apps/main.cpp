// SPDX-License-Identifier: MIT
// The program `emgraph`.
#include "apps/command_line/command_line.hpp"

int main(int argc, char** argv) {
  return emgraph::apps::run_command_line(argc, argv);
}
