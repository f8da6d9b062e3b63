// SPDX-License-Identifier: MIT
// The command sssp: shortest paths from one or several roots, or between pairs of nodes.
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/root_outputs.hpp"
#include "apps/solve/searched_adjacency.hpp"
#include "apps/solve/sssp_answers.hpp"
#include "apps/solve/sssp_outputs.hpp"
#include "apps/solve/weights_option.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/budget.hpp"
#include "graph/format/text/coordinate_file.hpp"
#include "graph/format/text/query_file.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;
using graph::sssp::OrderRule;
using graph::sssp::Queue;

class Sssp final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT",
                  input_help(" (an adjacency with weights, .adj, is searched as it is)"));
    options.group("Solver");
    options.list(
        "--root", roots_, "NODE",
        "node to start from: with --relabel an original id, with --labels a label. Repeat it for several "
        "searches; the names of -o and --parents then need {root}, which stands for the node");
    options.value(
        "--to", to_, "NODE",
        "only the distance from --root to this node; a line goes to -o, else to standard output: source, "
        "target, distance");
    options.value("--queries", queries_, "FILE",
                  "sources (.ss) or pairs of nodes (.p2p) in the format of DIMACS, numbered from 1; for "
                  "pairs a line per query goes to -o, else to standard output: source and target, numbered "
                  "from 0, and distance");
    options
        .value("--parents", parents_, "FILE",
               "output for the parent of each node on the way from the root (format by its "
               "extension, or --output-format without -o)")
        .as_output();
    options
        .value("--path", path_, "FILE",
               "output for the nodes on the way of --to or --queries, a line per query")
        .as_output();
    declare_weighting(options, weights_);
    declare_direction(options, direction_);
    options
        .word("--queue", queue_, "QUEUE", "the order of nodes; the distances are the same with all",
              words_of({Queue::automatic, Queue::heap, Queue::dial, Queue::multilevel_bucket, Queue::radix,
                        Queue::delta_stepping}))
        .otherwise("auto: delta-stepping; for queries by the weights");
    options
        .value("--delta", delta_, "WIDTH",
               "width of the buckets of delta-stepping, a whole number; in memory at least a 511th of the "
               "longest arc")
        .otherwise("by the longest arc and the mean degree");
    options
        .word("--search", forward_, "HOW",
              "how a query is answered: from both ends, or from the source until the target is settled",
              std::vector<Word<bool>>{{"bidirectional", false}, {"forward", true}})
        .otherwise("bidirectional; forward for weights that are floating-point numbers, and for --path");
    options.value("--landmarks", landmarks_, "K",
                  "guide the queries by the distances from and to K nodes: for many queries on one graph. Of "
                  "the internal model; others answer without, and say so");
    options.flag(
        "--keep-landmarks", keep_landmarks_,
        "keep the distances of --landmarks in INPUT.landmarks, beside INPUT, which is an adjacency with "
        "weights (.adj): later runs read them. A file of another graph, K or --order is replaced");
    options
        .word("--order", order_, "ORDER",
              "order of the nodes in memory, so that neighbours are near each other; answers keep the given "
              "ids. Of the internal model; others keep the given order",
              words_of({OrderRule::given, OrderRule::bfs, OrderRule::degree, OrderRule::hilbert}))
        .otherwise("given");
    options.value("--coordinates", coordinates_, "FILE",
                  "coordinates of the nodes (.co of DIMACS), for --order hilbert");
    declare_common_options(options, typed_,
                           {.solver = true,
                            .checkpoint = true,
                            .result = "the distance of each node (.npy, .tsv, .csv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    static_cast<void>(solver_options(options));
    input_.refuse_standard_input_twice({queries_});
    if (queries_.empty()) {
      ask_for(options, "--root", typed_nodes().nodes);
    } else {
      if (!roots_.empty() || !to_.empty())
        throw UsageError("--queries: its file names the nodes; drop --root and --to");
      if (options.labels)
        throw UsageError("--queries: its file has numbers of nodes, not labels; give --root and --to");
    }
    if (!options.checkpoint.empty() && (lines_of_pairs() || roots_.size() > 1)) {
      throw UsageError("--checkpoint: one search of all nodes can be resumed: give one --root, without --to");
    }
    keep_names(options, {lines_of_pairs() ? "" : options.output, parents_}, lines_of_pairs());
    return options;
  }

  bool holds_list() const override { return !queries_.empty(); }

  Plan plan(Session& session) override {
    const CommonOptions& options = session.options();
    graph::sssp::Options solver = solver_options(options);
    const Asked asked = ask(session);
    const bool pairs = !asked.by.pairs.empty();
    check_use(pairs);
    check_files(options, options.output, pairs);
    Plan plan{.input = input_};
    with_edges(session, input_, carried(solver.weighting),
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 require_weights(input.facts(), solver.weighting);
                 solver.directed = resolve_direction(direction_, input.facts()).directed;
                 set_asked(session, asked, solver);
                 plan.size = estimate_edges(session, input_, input, edges);
                 require_some_nodes(plan);
                 if (pairs) {
                   plan_lines(options, plan);
                 } else {
                   plan_root_outputs(session,
                                     {{options.output, sizeof(std::uint64_t)}, {parents_, sizeof(Id)}}, plan);
                 }
                 const graph::sssp::WantedOutputs outputs{.distances = !pairs && !options.output.empty(),
                                                          .parents = !parents_.empty()};
                 const auto pages = searched_file<Id>(session, input, solver);
                 plan.forecast =
                     pages ? graph::sssp::forecast<Id>(session.environment(), *pages, solver, outputs)
                           : graph::sssp::forecast<Id>(session.environment(), edges, solver, plan.size.size(),
                                                       outputs);
               });
    return plan;
  }

  ExitCode run() override {
    const CommonOptions options = check();
    graph::sssp::Options solver = solver_options(options);
    Session session(options, Spill::possible);
    const Asked asked = ask(session);
    const bool pairs = !asked.by.pairs.empty();
    check_use(pairs);
    solver.coordinates = [&](const auto& take) {
      graph::format::read_coordinates(session.environment(), coordinates_, take);
    };
    std::string lines = options.output;
    if (pairs && lines.empty() && !options.json) lines = "-";
    check_files(session.options(), lines, pairs);
    if (solver.landmark_file) check_landmark_file(session.options(), lines, solver.landmark_file->path);

    PathLines paths(session, path_);
    if (!path_.empty()) solver.path_sink = &paths;
    graph::sssp::Result result;
    Direction direction;
    const auto solve = [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
      require_weights(input.facts(), solver.weighting);
      direction = resolve_direction(direction_, input.facts());
      solver.directed = direction.directed;
      if (direction.directed) warn_of_one_way(session, input.facts(), without_directed);
      announce_kept_space(session, edges.facts(), kept_by_search(edges.facts().layout, direction.directed));
      set_asked(session, asked, solver);
      result = search<Id>(session, input, edges, solver);
    };
    with_edges(session, input_, carried(solver.weighting), solve);
    if (pairs) write_query_distances(session, asked.by, result, lines);
    if (!path_.empty()) paths.finish();
    return report_sssp(session,
                       {.input = input_,
                        .output = pairs ? lines : options.output,
                        .parents = parents_,
                        .path = path_,
                        .direction = direction,
                        .order = order_,
                        .landmarks = solver.landmarks,
                        .landmark_file = solver.landmark_file ? solver.landmark_file->path : ""},
                       asked.by, result);
  }

 private:
  /// The nodes that the command line or the file of queries names.
  struct Asked {
    AskedPairs by;
    std::optional<graph::format::QueryFile> file = std::nullopt;
    core::Reservation held = {};
  };
  Asked ask(Session& session) const {
    if (queries_.empty()) return {.by = typed_nodes()};
    Asked asked;
    asked.file = graph::format::read_query_file(session.environment(), queries_);
    // The pair, both nodes as typed and as numbers, and the answer. Measured: 430 bytes, 530 more in JSON.
    const std::uint64_t query_bytes = session.options().json ? 1000 : 450;
    asked.held = session.environment().memory.reserve(
        core::size_product(asked.file->pairs.size() + asked.file->sources.size(), query_bytes),
        "the queries of --queries");
    asked.by = asked_by(*asked.file);
    std::vector<std::uint64_t> ids;
    for (const std::string& node : asked.by.nodes) ids.push_back(std::stoull(node));
    session.ask_for(std::move(ids));
    return asked;
  }
  /// Their numbers, which are known when the input is open. `asked` must live as long as `solver`.
  void set_asked(Session& session, const Asked& asked, graph::sssp::Options& solver) const {
    if (asked.file && !session.options().relabel) {
      solver.require_nodes = [&](std::uint64_t known) { asked.file->require_nodes_below(known); };
    }
    const std::string asking = asked.file ? queries_ + ", which counts nodes from 1: id" : "--root";
    const std::vector<std::uint64_t> nodes = asked_nodes(session, asking, input_.text());
    solver.queries.clear();
    for (const auto& [source, target] : asked.by.pairs) {
      solver.queries.push_back({nodes[source], nodes[target]});
    }
    solver.roots = asked.by.pairs.empty() ? nodes : std::vector<std::uint64_t>();
  }
  /// The lines of queries, which are short, and of their paths, whose length is not known.
  void plan_lines(const CommonOptions& options, Plan& plan) const {
    for (const std::string& path : {options.output, path_}) {
      if (!path.empty()) plan.outputs.push_back({.path = path, .most_bytes = std::nullopt});
    }
  }

  static constexpr std::uint64_t most_landmarks = 256;
  static constexpr std::uint64_t most_delta = std::uint64_t{1} << 63;

  /// All that follows from the options alone.
  graph::sssp::Options solver_options(const CommonOptions& options) const {
    graph::sssp::Options solver = {.model = options.model,
                                   .queue = queue_,
                                   .weighting = parse_weighting(weights_),
                                   .paths = !path_.empty(),
                                   .bidirectional = !forward_,
                                   .order = order_,
                                   .nodes = options.nodes,
                                   .input = input_.text()};
    if (!delta_.empty()) solver.delta = count_option("--delta", delta_);
    if (solver.delta && (*solver.delta == 0 || *solver.delta > most_delta)) {
      throw UsageError(fmt::format("--delta: expected 1 to 2^63, found {}", *solver.delta));
    }
    if (solver.delta && queue_ != Queue::automatic && queue_ != Queue::delta_stepping) {
      throw UsageError(
          fmt::format("--delta: --queue {} has no buckets of this width; it is for delta-stepping",
                      graph::sssp::name(queue_)));
    }
    if (!landmarks_.empty()) solver.landmarks = landmark_count(count_option("--landmarks", landmarks_));
    if (solver.landmarks > 0 && solver.paths) throw UsageError("--path: its searches take no --landmarks");
    if (keep_landmarks_ && solver.landmarks == 0) throw UsageError("--keep-landmarks: give --landmarks K");
    if (keep_landmarks_) {
      solver.landmark_file = {input_.only("--keep-landmarks") + ".landmarks", overwrite(options)};
    }
    return solver;
  }
  bool lines_of_pairs() const { return !to_.empty() || !queries_.empty(); }

  static unsigned landmark_count(std::uint64_t count) {
    if (count >= 1 && count <= most_landmarks) return static_cast<unsigned>(count);
    throw UsageError(fmt::format("--landmarks: expected 1 to {}, found {}", most_landmarks, count));
  }

  /// The roots, or the pair, from the command line.
  AskedPairs typed_nodes() const {
    AskedPairs asked;
    if (roots_.empty()) throw UsageError("give --root NODE, or --queries FILE");
    if (to_.empty()) {
      asked.nodes = roots_;
    } else {
      if (roots_.size() > 1) throw UsageError("--to: one --root, or a file of --queries");
      asked.add(roots_.front(), to_);
    }
    return asked;
  }

  void check_use(bool pairs) const {
    if ((order_ == OrderRule::hilbert) != !coordinates_.empty()) {
      throw UsageError("--order hilbert and --coordinates go together");
    }
    if (!pairs && !path_.empty()) throw UsageError("--path: give --to, or --queries with pairs");
    if (!pairs && forward_) throw UsageError("--search: give --to, or --queries with pairs");
    if (pairs && !delta_.empty()) {
      throw UsageError(
          "--delta: for searches of all nodes; --to and --queries have no buckets of this width");
    }
    if (!pairs && !landmarks_.empty()) throw UsageError("--landmarks: give --to, or --queries with pairs");
    if (pairs && !parents_.empty()) {
      throw UsageError("--parents: for searches of all nodes; --path has the nodes on the way");
    }
  }

  void check_files(const CommonOptions& options, const std::string& lines, bool pairs) const {
    const std::vector<std::string> inputs = input_.names();
    if (!pairs) {
      return check_root_outputs(options, {{"-o", options.output}, {"--parents", parents_}},
                                given_roots(options), inputs);
    }
    check_answer_names(options, path_);
    if (!lines.empty() && !is_standard_output(lines)) check_output(lines, inputs, options, false);
    if (!path_.empty()) check_output(path_, inputs, options, false);
    check_outputs_differ({{"-o", lines}, {"--path", path_}});
  }

  /// The file may exist: then it is read first.
  void check_landmark_file(const CommonOptions& options, const std::string& lines,
                           const std::string& path) const {
    check_outputs_differ({{"-o", lines}, {"--path", path_}, {"--keep-landmarks", path}});
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      check_output(path, {input_.names().front(), queries_}, options, false);
  }

  /// An adjacency file that is searched as it is; null: the input is none, or not the wanted one.
  template <class Id>
  std::unique_ptr<graph::adjacency::PagedAdjacency<Id>> searched_file(
      Session& session, const graph::format::EdgeInput& input, const graph::sssp::Options& solver) const {
    if (!graph::sssp::serves(input.facts(), solver)) return nullptr;
    return open_searched_adjacency<Id>(session, input_, input, solver.nodes);
  }

  template <class Id>
  graph::sssp::Result search(Session& session, graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges,
                             const graph::sssp::Options& solver) const {
    SsspOutputs<Id> outputs(session, solver.roots.empty() ? "" : session.options().output, parents_,
                            solver.roots);
    if (const auto pages = searched_file<Id>(session, input, solver)) {
      return graph::sssp::run<Id>(session.environment(), *pages, solver, &outputs);
    }
    if (keep_landmarks_) {
      throw UsageError(
          "--keep-landmarks: INPUT must be an adjacency with weights (.adj) that is searched as it is: with "
          "its "
          "own weights, direction and nodes, without --relabel, --labels and filters; convert makes one");
    }
    return graph::sssp::run<Id>(session.environment(), edges, solver, &outputs);
  }

  TypedOptions typed_;
  Inputs input_;
  std::vector<std::string> roots_;
  std::string to_;
  std::string queries_;
  std::string parents_;
  std::string path_;
  std::string weights_;
  DirectionOption direction_;
  std::string delta_;
  std::string landmarks_;
  std::string coordinates_;
  Queue queue_ = Queue::automatic;
  OrderRule order_ = OrderRule::given;
  bool forward_ = false;
  bool keep_landmarks_ = false;
};

}  // namespace

std::unique_ptr<Command> make_sssp() {
  return std::make_unique<Sssp>();
}

}  // namespace emgraph::apps
