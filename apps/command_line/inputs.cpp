// SPDX-License-Identifier: MIT
// Names of inputs, and files that list them.
#include "apps/command_line/inputs.hpp"

#include <cerrno>
#include <fstream>

#include "core/base/error.hpp"
#include "graph/format/source/joined_source.hpp"

namespace emgraph::apps {

std::string Inputs::text() const {
  return graph::format::joined_name(names_);
}

const std::string& Inputs::only(const std::string& what) const {
  if (!several()) return names_.front();
  throw core::UsageError(what + " is one input; given are " + text());
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
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) all.push_back(line);
    }
    if (file.bad()) throw core::EnvironmentError::system(list, "cannot read this list of inputs", errno);
    if (all.size() == before) throw core::UsageError(name + ": the list names no input");
    lists.push_back(list);
  }
  names = std::move(all);
  return lists;
}

}  // namespace emgraph::apps
