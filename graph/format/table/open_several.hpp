// SPDX-License-Identifier: MIT
// Opens several inputs as one graph, each in its own format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/table/format.hpp"
#include "graph/format/table/open.hpp"

namespace emgraph::graph::format {

/// Options that several inputs share. OpenOptions::format is the format of the inputs that do not begin with
/// the mark of another one. The options for text, the base of ids, the sides of a matrix and the bytes to
/// skip apply to those inputs whose formats know them. A single input must know them
/// all, unless it is a part of the inputs.
class SharedOptions {
 public:
  /// `options` must outlive this object.
  SharedOptions(const OpenOptions& options, std::size_t inputs)
      : options_(options), single_(inputs == 1 && !options.part_of_inputs) {}

  /// The options for this input, with its format.
  OpenOptions for_file(core::Environment& environment, core::InputFile& file);
  /// Those for a generator.
  OpenOptions for_generator() const;
  /// Throws UsageError if an option has applied to no input.
  void check_used() const;

 private:
  OpenOptions without_unknown(const Format* format) const;

  const OpenOptions& options_;
  const bool single_;
  bool text_used_ = false;
  bool id_base_used_ = false;
  bool bipartite_used_ = false;
  bool skip_used_ = false;
};

/// True if the input can be opened a second time: standard input and FIFOs cannot.
bool reopenable(const std::string& input);

/// Throws UsageError if "-" is more than one of these names: it can be read once.
void refuse_standard_input_twice(const std::vector<std::string>& names);

/// The edges of all inputs, one after another (joined_source.hpp), numbered as those of one file. Requires:
/// at least two, or options.part_of_inputs. Throws UsageError (an option that no input knows, different
/// weights unless they may differ), DataError, EnvironmentError.
std::unique_ptr<EdgeInput> open_several(core::Environment& environment,
                                        const std::vector<std::string>& inputs, const OpenOptions& options);

}  // namespace emgraph::graph::format
