// SPDX-License-Identifier: MIT
// Formats lines in a buffer.
#include "apps/look/real_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "apps/files/named_results.hpp"
#include "apps/files/text_files.hpp"
#include "apps/look/cat_nodes.hpp"
#include "core/base/bytes.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::apps {

namespace {

constexpr std::size_t real_lines_bytes = 64 * core::KiB;
constexpr std::size_t longest_line_bytes = 2 * (graph::format::longest_number_bytes + 1);

std::unique_ptr<graph::format::TextOutput> open_real_output(Session& session) {
  const CommonOptions& options = session.options();
  require_text_format(options.output_format, true, "floating-point values are written as text");
  return open_text(session, options.output);
}

}  // namespace

RealLines::RealLines(Session& session)
    : output_(open_real_output(session)),
      separator_(separator_of(session.options(), session.options().output)),
      lines_(session.environment().memory, real_lines_bytes, "lines of text"),
      at_(reinterpret_cast<char*>(lines_.data())) {
  if (!session.options().output_header) return;
  const std::string names = std::string("node") + separator_ + "value\n";
  at_ = std::copy(names.begin(), names.end(), at_);
}

void RealLines::append(std::uint64_t id, double value) {
  at_ = graph::format::put(at_, id);
  *at_++ = separator_;
  at_ = graph::format::put(at_, value);
  *at_++ = '\n';
  if (at_ + longest_line_bytes > reinterpret_cast<char*>(lines_.data()) + real_lines_bytes) flush();
}

void RealLines::finish() {
  flush();
  output_->finish();
}

void RealLines::flush() {
  char* const start = reinterpret_cast<char*>(lines_.data());
  output_->append(lines_.bytes().first(static_cast<std::size_t>(at_ - start)));
  at_ = start;
}

}  // namespace emgraph::apps
