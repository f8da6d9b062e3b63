// SPDX-License-Identifier: MIT
// The program `emgraph`.
#include <functional>

#include "apps/command_line/command_line.hpp"
#include "apps/run/stack.hpp"

int main(int argc, char** argv) {
  int code = 0;
  auto body = [&] { code = emgraph::apps::run_command_line(argc, argv); };
  emgraph::apps::run_with_stack(
      std::ref(body));  // a reference: nothing is allocated before errors are caught
  return code;
}
