// SPDX-License-Identifier: MIT
// Undoes what label_lines.cpp does to names.
#include "apps/files/listed_names.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "apps/files/label_lines.hpp"
#include "apps/run/words.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::apps {

namespace {

/// If the line begins with a column in double quotes (RFC 4180): where its last quote is.
std::optional<std::size_t> end_of_quotes(const std::string& line) {
  if (!line.starts_with('"')) return std::nullopt;
  for (std::size_t at = 1; (at = line.find('"', at)) != std::string::npos; at += 2) {
    if (at + 1 == line.size() || line[at + 1] != '"') return at;
  }
  return std::nullopt;
}

/// Shortens a line "column, separator, value"; false if it has another value. The separator is a tab, or in
/// CSV a comma.
bool take_column_before(const std::string& value, std::string& line) {
  if (!line.ends_with(value) || line.size() < value.size() + 2) return false;
  const std::size_t name_end = line.size() - value.size() - 1;
  if (line[name_end] != '\t' && line[name_end] != ',') return false;
  line.resize(name_end);
  return true;
}

/// The extension, without that of a packer.
std::string list_extension(const std::string& path) {
  return graph::format::extension_of(graph::format::unpacked_name(path));
}

}  // namespace

ListedNames::ListedNames(const std::string& path, const std::optional<std::string>& value)
    : csv_(list_extension(path) == "csv"),
      tsv_(list_extension(path) == "tsv"),
      value_(value),
      quoted_value_(value && csv_ ? quoted_column(*value) : "") {}

bool ListedNames::take_column(std::string& line) const {
  return !value_ || take_column_before(*value_, line) || (csv_ && take_column_before(quoted_value_, line));
}

std::string ListedNames::name(const std::string& column) const {
  const std::optional<std::size_t> last = csv_ ? end_of_quotes(column) : std::nullopt;
  if (!last || *last != column.size() - 1) return column;
  return replaced(column.substr(1, *last - 1), "\"\"", "\"");
}

std::string ListedNames::other_reading(const std::string& name) const {
  const std::string other = tsv_ ? replaced(name, "\\t", "\t") : "";
  return other == name ? "" : other;
}

void for_each_line(Session& session, const std::string& path, core::FunctionRef<void(std::string)> take) {
  core::InputFile file(path, session.environment().io);
  const auto text = graph::format::open_text_stream(session.environment(), file);
  const auto take_line = [&](std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    take(std::move(line));
  };
  constexpr std::size_t bytes_at_a_time = 64 * core::KiB;
  std::string unread;
  bool first = true;
  for (std::size_t read = bytes_at_a_time; read == bytes_at_a_time;) {
    const std::size_t kept = unread.size();
    unread.resize(kept + bytes_at_a_time);
    read = text->read(std::as_writable_bytes(std::span(unread)).subspan(kept));
    unread.resize(kept + read);
    if (first) unread.erase(0, unread.size() - graph::format::without_byte_order_mark(unread).size());
    first = false;
    std::size_t begin = 0;
    for (std::size_t end; (end = unread.find('\n', begin)) != std::string::npos; begin = end + 1) {
      take_line(unread.substr(begin, end - begin));
    }
    unread.erase(0, begin);
    if (unread.size() >= bytes_at_a_time) throw core::DataError::in_file(path, "a line of more than 64 KiB");
  }
  if (!unread.empty()) take_line(unread);
}

}  // namespace emgraph::apps
