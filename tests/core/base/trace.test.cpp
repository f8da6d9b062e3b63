// SPDX-License-Identifier: MIT
// Traces by themselves: names of any bytes, spans, threads, outputs that fail.
#include "core/base/trace.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "core/base/json_text.hpp"
#include "core/base/parallel.hpp"
#include "core/base/thread_team.hpp"

namespace emgraph::core {
namespace {

struct TextOutput final : TraceOutput {
  void append(std::string_view json) override {
    if (fails) throw std::runtime_error("full");
    text += json;
  }
  std::size_t count(const std::string& piece) const {
    std::size_t found = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
    return found;
  }
  std::string text;
  bool fails = false;
};

TEST_CASE("text of any bytes is a JSON string", "[trace]") {
  CHECK(json_text("plain") == "\"plain\"");
  CHECK(json_text("a\"b\\c\n\x1F") == "\"a\\\"b\\\\c\\u000a\\u001f\"");
  const std::string whole = "\u00e4 \u20ac \U0001F600";
  CHECK(json_text(whole) == "\"" + whole + "\"");
  const std::string mark = "\uFFFD";
  for (const std::string bad : {"\xFF", "\xC3", "\x80", "\xC0"}) {
    CHECK(json_text(bad + "x") == "\"" + mark + "x\"");
  }
  CHECK(json_text("\xE0\x80\x80") == "\"" + mark + mark + mark + "\"");  // longer than needed
  CHECK(json_text("\xED\xA0\x80") == "\"" + mark + mark + mark + "\"");  // a surrogate
}

TEST_CASE("threads that a traced thread starts are in its trace", "[trace]") {
  TextOutput output;
  Trace trace(output);
  std::atomic<int> in_trace = 0;  // CHECK is for one thread
  const auto look = [&](unsigned) { in_trace += Trace::of_this_thread() == &trace ? 1 : 0; };
  {
    const TraceSpan main(&trace, TraceKind::work, "main");
    CHECK(Trace::of_this_thread() == &trace);
    trace.begin_phase("a \"phase\"");
    run_on_threads(3, look);
    trace.end_phase(5, 7);
    ThreadTeam team(2);
    team.all(look);
    run_on_threads(1, [](unsigned) {});
  }
  CHECK(in_trace == 5);
  CHECK(Trace::of_this_thread() == nullptr);
  trace.finish("test");
  CHECK(output.count(R"("cat":"work","name":"a \"phase\"")") == 5);  // the team's pieces, too
  CHECK(output.count(R"("cat":"phase","name":"a \"phase\"","args":{"read_bytes":5,"write_bytes":7})") == 1);
  CHECK(output.count(R"("name":"main")") == 1);
  CHECK(output.text.ends_with("\n]}\n"));
}

TEST_CASE("a device has the same number for all threads", "[trace]") {
  TextOutput output;
  Trace trace(output);
  const TraceDevice first = trace.device("first");
  CHECK(first != TraceDevice::unnamed);
  CHECK(trace.device("second") != first);
  CHECK(trace.device("first") == first);
  trace.transfer(first, "write", TraceClock::now(), 8192, 4096, false);
  trace.transfer(first, "read", TraceClock::now(), 0, 0, true);
  trace.finish("test");
  CHECK(output.count(R"("args":{"bytes":4096,"offset":8192})") == 1);
  CHECK(output.count(R"("failed":true)") == 1);
  const std::string complete = output.text;
  trace.transfer(first, "read", TraceClock::now(), 0, 1, false);
  CHECK(output.text == complete);
}

TEST_CASE("an output error is reported at the end, and the run goes on", "[trace]") {
  TextOutput output;
  Trace trace(output);
  trace.begin_phase("fine");
  output.fails = true;
  { const TraceSpan lost(&trace, TraceKind::work, "lost"); }
  output.fails = false;
  CHECK_NOTHROW(trace.begin_phase("next"));
  CHECK_THROWS_WITH(trace.finish("test"), "full");
}

}  // namespace
}  // namespace emgraph::core
