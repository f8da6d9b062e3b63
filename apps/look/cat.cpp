// SPDX-License-Identifier: MIT
// The command cat: edges or node values as text.
#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/copy_edges.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/edge_output.hpp"
#include "apps/files/filtered_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/look/cat_nodes.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::apps {

namespace {

class Cat final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT", input_help(", or node result (.npy, one)"));
    options.group("Cat");
    options.value("--head", head_, "N", "print only the first N").otherwise("all");
    options.value("--map", map_, "FILE",
                  "the map that --relabel or --labels wrote: print original ids or labels instead of nodes");
    options
        .word(
            "--as", as_, "WHAT",
            "what a node result holds, for --map: values for each node (levels, counts, distances), labels "
            "that are nodes (components, parents), a list of nodes (a set), triples of nodes (triangles) or "
            "edges",
            {{"values", NodeResult::values},
             {"labels", NodeResult::labels},
             {"list", NodeResult::list},
             {"triples", NodeResult::triples},
             {"edges", NodeResult::edges}})
        .otherwise("values for floating-point numbers, list if it is shorter than the map");
    declare_common_options(
        options, typed_,
        {.relabel = false, .spills = false, .result = "the text", .no_output = "standard output"});
  }

  ExitCode run() override {
    // Edges as they come take no disk; maps and filters may.
    typed_.spills = !map_.empty() || filter_options(typed_.filter).given();
    CommonOptions options = validate(typed_);
    if (options.output.empty()) options.output = "-";
    if (options.output_format.empty()) {
      require_name_of_text(options.output);
      options.output_format = "text";
    }
    const bool silent = options.quiet;
    // A summary after a few edges would disturb, so it is printed only with -v.
    options.quiet = options.quiet || options.verbose == 0;
    const std::uint64_t limit = head_.empty() ? ~std::uint64_t{0} : count_option("--head", head_);
    const bool labels = !map_.empty() && is_label_map(map_);
    (labels ? options.label_map : options.original_ids) = map_;
    options.other_inputs = {map_};
    if (map_.empty() && as_) throw core::UsageError("--as: say by --map FILE what the original ids are");
    std::error_code ignored;
    if (map_ == "-" ||
        (std::filesystem::exists(map_, ignored) && !std::filesystem::is_regular_file(map_, ignored))) {
      throw core::UsageError(fmt::format("--map {}: a map is read twice, expected a regular file", map_));
    }
    check_edge_output(options, options.output, input_.names(), "");

    Session session(options, Spill::never);
    if (is_terminal(options.output)) session.stop_progress();  // it would stand among the lines
    Report report(session, "cat");
    report.input(input_);
    if (as_ == NodeResult::triples) {
      const std::string& input = input_.only("a list of triples");
      const std::uint64_t rows =
          labels ? copy_triples_with_labels(session, input, limit) : copy_triples(session, input, limit);
      report.graph(0, 0);
      report.count("values", rows);
    } else if (const auto header = node_result_of(session)) {
      const std::string& input = input_.only("a node result");
      if (as_ == NodeResult::edges) {
        throw core::UsageError(fmt::format("--as edges: {} holds a value or node in each row", input));
      }
      report.graph(header->shape[0], 0);
      report.count("values", map_.empty() ? copy_values(session, input, limit)
                             : labels     ? copy_values_with_labels(session, input, as_, limit)
                                          : copy_with_original_ids(session, input, as_, limit));
    } else if (as_ && as_ != NodeResult::edges) {
      throw core::UsageError(fmt::format(
          "--as: {} holds edges, whose ends are nodes; it is for node results (.npy)", input_.text()));
    } else if (labels) {
      const auto edges = open_edge_input(session, input_, Carry::everything, 8);
      filter_input(session, *edges);
      check_rows(*edges);
      const std::uint64_t copied = copy_edges_with_labels(session, *edges, limit);
      report.graph(edges->facts().nodes.value_or(0), copied);
    } else {
      with_input(
          session, input_, Carry::everything,
          [&](graph::format::EdgeInput& edges) {
            check_rows(edges);
            graph::EdgeFacts facts = edges.facts();
            facts.edges = std::nullopt;  // fewer with --head
            const auto writer = create_edge_output(session, session.options().output, facts, "", {});
            const Copied copied = copy_edges(session, *edges.records(), limit, *writer, facts.nodes);
            finish_edge_output(session, *writer);
            report.graph(facts.nodes.value_or(copied.nodes()), copied.edges);
          },
          first_id_bytes(options));
    }
    report.model(graph::one_pass());
    report.results_in(options.output);
    const ExitCode code = report.finish();
    if (!silent) say_left_out(session.options());
    return code;
  }

 private:
  /// Says how many lines --on-error skip has left out, where no summary does.
  static void say_left_out(const CommonOptions& options) {
    if (!options.text.skip_invalid || options.json || options.verbose > 0) return;
    const std::uint64_t lines = options.text.left_out->all().skipped;
    if (lines == 0) return;
    fmt::print(stderr, "emgraph cat: {} that cannot be read {} left out; -v shows the first of them\n",
               lines == 1 ? "1 line" : core::format_count(lines) + " lines", lines == 1 ? "was" : "were");
  }

  /// Throws UsageError if the name promises another format.
  static void require_name_of_text(const std::string& output) {
    const std::string extension = graph::format::extension_of(graph::format::unpacked_name(output));
    const graph::format::Format* const named = graph::format::find_format(extension);
    const bool other = named != nullptr && !named->text;
    if (!other && graph::format::foreign_format(extension) == nullptr) return;
    const bool converts = other && named->create != nullptr;
    throw core::UsageError(
        fmt::format("{}: cat writes text, expected a name like edges.txt{}", output,
                    converts ? fmt::format("; emgraph convert writes edges as .{}", extension) : ""));
  }

  /// The header of the first input that is a node result.
  std::optional<graph::format::NpyHeader> node_result_of(Session& session) const {
    for (const std::string& name : input_.names()) {
      if (auto header = node_result_header(session, name)) return header;
    }
    return std::nullopt;
  }

  /// Rows of three whole numbers in an .npy file are triangles or edges with weights, which a map translates
  /// differently.
  void check_rows(const graph::format::EdgeInput& edges) const {
    const bool three =
        (edges.format() == "npy" || edges.joined()) && edges.facts().layout.weight != graph::WeightType::none;
    if (map_.empty() || as_ || !three) return;
    throw core::UsageError(
        fmt::format("{}: say what its rows of three numbers are: --as triples (three nodes: triangles) or "
                    "--as edges (two "
                    "nodes and a weight)",
                    edges.facts().name));
  }

  TypedOptions typed_;
  Inputs input_;
  std::string head_;
  std::string map_;
  std::optional<NodeResult> as_;
};

}  // namespace

std::unique_ptr<Command> make_cat() {
  return std::make_unique<Cat>();
}

}  // namespace emgraph::apps
