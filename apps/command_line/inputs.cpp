// SPDX-License-Identifier: MIT
// Names of inputs, and files that list them.
#include "apps/command_line/inputs.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/error.hpp"
#include "graph/format/source/joined_source.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/format/text/line_chunks.hpp"

namespace emgraph::apps {

std::string Inputs::text() const {
  return graph::format::joined_name(names_);
}

const std::string& Inputs::only(const std::string& what) const {
  if (!several()) return names_.front();
  throw core::UsageError(what + " is one input; given are " + text());
}

void Inputs::refuse_standard_input_twice(const std::vector<std::string>& others) const {
  std::vector<std::string> all = names_;
  all.insert(all.end(), others.begin(), others.end());
  graph::format::refuse_standard_input_twice(all);
}

std::vector<std::string> read_input_lists(std::vector<std::string>& names) {
  std::vector<std::string> all;
  std::vector<std::string> lists;
  for (const std::string& name : names) {
    if (!name.starts_with('@')) {
      all.push_back(name);
      continue;
    }
    const std::string list = name.substr(1);
    std::ifstream file(list);
    if (!file) throw core::EnvironmentError::system(list, "cannot open this list of inputs", errno);
    const std::size_t before = all.size();
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::string_view rest = graph::format::without_byte_order_mark(text);
    // find -print0 ends names by zero bytes, which no name has.
    const std::string_view ends =
        rest.find('\0') == std::string_view::npos ? "\r\n" : std::string_view("\0", 1);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
      if (end != 0) all.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (file.bad()) throw core::EnvironmentError::system(list, "cannot read this list of inputs", errno);
    if (all.size() == before) throw core::UsageError(name + ": the list names no input");
    lists.push_back(list);
  }
  names = std::move(all);
  return lists;
}

}  // namespace emgraph::apps
