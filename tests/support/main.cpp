// SPDX-License-Identifier: MIT
// The main function of every test program: Catch's, with --file for the cases of one source, and an exit code
// that tells of skipped cases.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <iostream>
#include <string>
#include <string_view>

#include "tests/support/skip.hpp"

namespace {

/// A test specification that names exactly this case.
std::string exactly(const std::string& name) {
  std::string escaped;
  for (const char letter : name) {
    if (std::string_view("\\,[]\"").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

}  // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  std::string file;
  session.cli(session.cli() | Catch::clara::Opt(file, "SOURCE")["--file"](
                                  "only the cases of this source: tests/core/io/disk.test.cpp"));
  if (const int code = session.applyCommandLine(argc, argv); code != 0) return code;
  if (!file.empty()) {
    std::string cases;
    for (const Catch::TestCase& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
      if (test.isHidden() || !std::string_view(test.lineInfo.file).ends_with(file)) continue;
      cases += (cases.empty() ? "" : ",") + exactly(test.name);
    }
    if (cases.empty()) {
      std::cerr << "no test in " << file << '\n';
      return 2;
    }
    session.configData().testsOrTags = {cases};
  }
  const int code = session.run();
  return code == 0 && emgraph::tests::any_skipped() ? emgraph::tests::skip_exit_code : code;
}
