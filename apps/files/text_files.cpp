// SPDX-License-Identifier: MIT
// Opens text outputs under the rules of all outputs: -f, and pipes that stay open until the run has ended.
#include "apps/files/text_files.hpp"

#include <span>

#include "apps/files/output_check.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::apps {

std::unique_ptr<graph::format::TextOutput> open_text(Session& session, const std::string& path,
                                                     const std::optional<int>& level) {
  const graph::EdgeFacts facts;
  graph::format::CreateOptions create;
  create.overwrite = overwrite(session.options());
  create.level = level;
  auto output = graph::format::open_text_output({session.environment(), path, facts, create});
  session.keep_open(path);
  return output;
}

TextFile::TextFile(Session& session, const std::string& path)
    : file_(path, overwrite(session.options()), session.environment().memory, session.environment().io,
            session.environment().outputs) {
  session.keep_open(path);
}

void TextFile::add(std::string_view text) {
  file_.append(std::as_bytes(std::span(text)));
}

void TextFile::add_line(std::string_view line) {
  add(line);
  add("\n");
}

void write_text(Session& session, const std::string& path, std::string_view text) {
  if (path.empty()) return;
  TextFile file(session, path);
  file.add(text);
  file.finish();
}

}  // namespace emgraph::apps
