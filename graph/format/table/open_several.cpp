// SPDX-License-Identifier: MIT
// Chooses the options for each input, and joins their sources.
#include "graph/format/table/open_several.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/joined_source.hpp"
#include "graph/format/table/detect.hpp"

namespace emgraph::graph::format {
namespace {

/// Opens inputs by their numbers, and keeps what is known besides the facts of their edges.
class Opener {
 public:
  Opener(const std::vector<std::string>& inputs, const OpenOptions& options)
      : inputs_(inputs), options_(options), shared_(options_, inputs.size()) {}

  JoinedSource::Part open(core::Environment& environment, std::size_t number) {
    const std::string& name = inputs_[number];
    std::unique_ptr<EdgeInput> input;
    if (is_generator(name)) {
      input = open_edges(environment, name, shared_.for_generator());
    } else {
      core::InputFile file(name, environment.io);
      const OpenOptions own = shared_.for_file(environment, file);
      input = open_edges(environment, std::move(file), own);
    }
    if (!complete_) add(*input);
    return {input->release(), reopenable(name)};
  }
  /// For inputs that are opened again.
  void read_wide_ids() { options_.id_bytes = 8; }
  void complete() {
    shared_.check_used();
    complete_ = true;
    if (directed_.empty() || undirected_.empty()) return;
    notes_.push_back(directed_ + " declares directed edges and " + undirected_ +
                     " does not: taken as undirected, unless the command has --directed");
  }
  std::vector<std::string> notes() const { return notes_; }
  std::string format() const { return formats_.size() == 1 ? *formats_.begin() : "several"; }

 private:
  void add(const EdgeInput& input) {
    notes_.insert(notes_.end(), input.notes().begin(), input.notes().end());
    formats_.insert(input.format());
    (input.facts().directed ? directed_ : undirected_) = input.facts().name;
  }

  const std::vector<std::string> inputs_;
  OpenOptions options_;
  SharedOptions shared_;
  bool complete_ = false;
  std::vector<std::string> notes_;
  std::set<std::string> formats_;
  std::string directed_;
  std::string undirected_;
};

}  // namespace

OpenOptions SharedOptions::without_unknown(const Format* format) const {
  OpenOptions own = options_;
  if (format == nullptr && own.id_bytes == 4) own.id_bytes = std::nullopt;  // a generator needs what it needs
  if (format == nullptr || !format->columns) own.text = {.shown_lines = options_.text.shown_lines};
  if (format == nullptr || !format->id_base) own.id_base = std::nullopt;
  if (format == nullptr || !format->bipartite) own.bipartite = false;
  if (format == nullptr || !format->headerless) own.skip_bytes = 0;
  return own;
}

OpenOptions SharedOptions::for_generator() const {
  return single_ ? options_ : without_unknown(nullptr);
}

OpenOptions SharedOptions::for_file(core::Environment& environment, core::InputFile& file) {
  if (single_) return options_;
  const Format* format =
      options_.format ? marked_format(environment, file) : &detect_format(environment, file);
  if (format == nullptr) format = &format_called(*options_.format);
  text_used_ = text_used_ || format->columns;
  id_base_used_ = id_base_used_ || format->id_base;
  bipartite_used_ = bipartite_used_ || format->bipartite;
  skip_used_ = skip_used_ || format->headerless;
  OpenOptions own = without_unknown(format);
  own.format = format->name;
  return own;
}

void SharedOptions::check_used() const {
  if (single_ || options_.part_of_inputs) return;
  OpenOptions unused = options_;
  if (text_used_) unused.text = {};
  if (id_base_used_) unused.id_base = std::nullopt;
  if (bipartite_used_) unused.bipartite = false;
  if (skip_used_) unused.skip_bytes = 0;
  check_options(unused, "each input", nullptr);
}

bool reopenable(const std::string& input) {
  if (is_generator(input)) return true;
  struct stat status {};
  return input != "-" && stat(input.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void refuse_standard_input_twice(const std::vector<std::string>& names) {
  if (std::ranges::count(names, "-") > 1) {
    throw core::UsageError("standard input is given twice; it can be read once");
  }
}

std::unique_ptr<EdgeInput> open_several(core::Environment& environment,
                                        const std::vector<std::string>& inputs, const OpenOptions& options) {
  refuse_standard_input_twice(inputs);
  const auto opener = std::make_shared<Opener>(inputs, options);
  auto source = std::make_shared<JoinedSource>(
      environment, inputs.size(),
      [opener](core::Environment& parts, std::size_t number) { return opener->open(parts, number); },
      [&] { opener->read_wide_ids(); }, options.max_lanes, options.weights_may_differ);
  opener->complete();
  EdgeFacts facts = source->facts();
  Opened opened{.source = source, .notes = opener->notes(), .parts = source->part_facts()};
  if (options.nodes) {
    facts.nodes = options.nodes;
  } else {
    opened.least_nodes = source->least_nodes();
  }
  return std::make_unique<EdgeInput>(std::move(opened), std::move(facts), opener->format());
}

}  // namespace emgraph::graph::format
