// SPDX-License-Identifier: MIT
// The program `emgraph`.
#include "apps/command_line/command_line.hpp"
#include "apps/run/stack.hpp"

int main(int argc, char** argv) {
  int code = 0;
  emgraph::apps::run_with_stack([&] { code = emgraph::apps::run_command_line(argc, argv); });
  return code;
}
