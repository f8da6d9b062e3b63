// SPDX-License-Identifier: MIT
// The command sssp: shortest paths from one or several roots, or between pairs of nodes.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/direction_option.hpp"
#include "apps/solve/root_outputs.hpp"
#include "apps/solve/weights_option.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/output_file.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/text/coordinate_file.hpp"
#include "graph/format/text/query_file.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;
using graph::sssp::OrderRule;
using graph::sssp::Queue;

/// A distance for programs: an integer or a double; unreached is null.
SummaryValue distance_value(graph::WeightType type, std::uint64_t word) {
  if (word == graph::sssp::unreached_word(type)) return {};
  if (graph::sssp::is_floating(type)) return std::bit_cast<double>(word);
  return word;
}

/// A distance as text: unreached is "inf", also between integers.
std::string distance_text(graph::WeightType type, std::uint64_t word) {
  if (word == graph::sssp::unreached_word(type)) return "inf";
  if (graph::sssp::is_floating(type)) return fmt::format("{}", std::bit_cast<double>(word));
  return std::to_string(word);
}

/// Files for distances and parents of each search.
template <class Id>
class SsspOutputs final : public graph::sssp::Outputs<Id> {
 public:
  /// `roots`: the nodes of the input given by --root.
  SsspOutputs(Session& session, std::string distances, std::string parents, std::vector<std::uint64_t> roots)
      : session_(session),
        distances_path_(std::move(distances)),
        parents_path_(std::move(parents)),
        roots_(std::move(roots)) {}

  bool wants_distances() const override { return !distances_path_.empty(); }
  bool wants_parents() const override { return !parents_path_.empty(); }
  graph::NodeSink<std::uint64_t>& open_distances(std::uint64_t root, std::uint64_t nodes,
                                                 bool floating) override {
    const NodeFile file = root_file(session_.options(), distances_path_, root, roots_);
    distances_ = create_node_values<std::uint64_t>(session_, file, nodes, floating);
    return *distances_;
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t nodes) override {
    parents_ =
        create_node_links<Id>(session_, root_file(session_.options(), parents_path_, root, roots_), nodes);
    return *parents_;
  }
  void close() override {
    if (distances_) distances_->finish();
    if (parents_) parents_->finish();
    distances_.reset();
    parents_.reset();
  }

 private:
  Session& session_;
  const std::string distances_path_;
  const std::string parents_path_;
  const std::vector<std::uint64_t> roots_;
  std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> distances_;
  std::unique_ptr<graph::format::NodeWriter<Id>> parents_;
};

/// The pairs of nodes to connect, as typed, and the place of each node among those that are asked for.
struct AskedPairs {
  std::vector<std::string> nodes;  ///< each once
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

  void add(const std::string& source, const std::string& target) {
    const std::size_t from = place(source);
    pairs.emplace_back(from, place(target));
  }

 private:
  std::size_t place(const std::string& node) {
    const auto [at, added] = places_.try_emplace(node, nodes.size());
    if (added) nodes.push_back(node);
    return at->second;
  }
  std::map<std::string, std::size_t> places_;
};

/// Writes lines of text to a file that is complete or absent.
class LineFile {
 public:
  LineFile(Session& session, const std::string& path)
      : file_(path, overwrite(session.options()), session.environment().memory, session.environment().io,
              session.environment().outputs) {
    session.keep_open(path);
  }
  void add(std::string line) {
    line += '\n';
    file_.append(std::as_bytes(std::span(line)));
  }
  void finish() { file_.finish(); }

 private:
  core::OutputFile file_;
};

class Sssp final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_, "INPUT",
                  input_help(" (an adjacency with weights, .adj, is searched as it is)"));
    options.group("Solver");
    options.list(
        "--root", roots_, "NODE",
        "node to start from: with --relabel an original id, with --labels a label. Repeat it for several "
        "searches; the names of -o and --parents then need {root}, which stands for the node");
    options.value("--to", to_, "NODE",
                  "only the distance from --root to this node; -o has a line: source, target, distance");
    options.value(
        "--queries", queries_, "FILE",
        "sources (.ss) or pairs of nodes (.p2p) in the format of DIMACS, numbered from 1; for pairs -o has a "
        "line per query: source, target, distance");
    options
        .value("--parents", parents_, "FILE",
               "output for the parent of each node on the way from the root (as -o)")
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
    options.value("--delta", delta_, "WIDTH", "width of the buckets of delta-stepping")
        .otherwise("by the longest arc and the mean degree");
    options
        .word("--search", forward_, "HOW",
              "how a query is answered: from both ends, or from the source until the target is settled",
              std::vector<Word<bool>>{{"bidirectional", false}, {"forward", true}})
        .otherwise("bidirectional; forward for weights that are floating-point numbers, and for --path");
    options.value("--landmarks", landmarks_, "K",
                  "guide the queries by the distances from and to K nodes: for many queries on one graph");
    options
        .word("--order", order_, "ORDER",
              "order of the nodes in memory, so that neighbours are near each other; answers keep the given "
              "ids",
              words_of({OrderRule::given, OrderRule::bfs, OrderRule::degree, OrderRule::hilbert}))
        .otherwise("given");
    options.value("--coordinates", coordinates_, "FILE",
                  "coordinates of the nodes (.co of DIMACS), for --order hilbert");
    declare_common_options(options, typed_,
                           {.solver = true, .result = "the distance of each node (.npy, .tsv or .bin)"});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    graph::sssp::Options solver = {.model = options.model,
                                   .queue = queue_,
                                   .weighting = parse_weighting(weights_),
                                   .paths = !path_.empty(),
                                   .bidirectional = !forward_,
                                   .nodes = options.nodes};
    if (!delta_.empty()) solver.delta = count_option("--delta", delta_);
    if (solver.delta == 0) throw UsageError("--delta: expected at least 1, found 0");
    if (!landmarks_.empty()) solver.landmarks = landmark_count(count_option("--landmarks", landmarks_));
    if (solver.landmarks > 0 && solver.paths) throw UsageError("--path: its searches take no --landmarks");
    AskedPairs asked;
    if (queries_.empty()) {
      asked = typed_nodes();
      ask_for(options, "--root", asked.nodes);
    } else {
      if (!roots_.empty() || !to_.empty())
        throw UsageError("--queries: its file names the nodes; drop --root and --to");
      if (options.labels)
        throw UsageError("--queries: its file has numbers of nodes, not labels; give --root and --to");
    }

    const bool lines_of_pairs = !to_.empty() || !queries_.empty();
    keep_names(options, {lines_of_pairs ? "" : options.output, parents_}, lines_of_pairs);
    Session session(options, Spill::possible);
    std::optional<graph::format::QueryFile> file;
    if (!queries_.empty()) {
      file = graph::format::read_query_file(session.environment(), queries_);
      asked = nodes_of(*file);
      std::vector<std::uint64_t> ids;
      for (const std::string& node : asked.nodes) ids.push_back(std::stoull(node));
      session.ask_for(std::move(ids));
    }
    const bool pairs = !asked.pairs.empty();
    check_use(pairs);
    solver.order = order_;
    solver.coordinates = [&](const auto& take) {
      graph::format::read_coordinates(session.environment(), coordinates_, take);
    };
    std::string lines = options.output;
    if (pairs && lines.empty() && !options.json) lines = "-";
    check_files(session.options(), lines, pairs);

    graph::sssp::Result result;
    Direction direction;
    const auto solve = [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
      require_weights(input.facts(), solver.weighting);
      direction = resolve_direction(direction_, input.facts());
      solver.directed = direction.directed;
      if (file && edges.facts().nodes && !options.relabel) file->require_nodes_below(*edges.facts().nodes);
      const std::vector<std::uint64_t> nodes = asked_nodes(session, "--root", input_.text());
      solver.queries.clear();
      for (const auto& [source, target] : asked.pairs)
        solver.queries.push_back({nodes[source], nodes[target]});
      solver.roots = pairs ? std::vector<std::uint64_t>() : nodes;
      result = search<Id>(session, input, edges, solver);
    };
    const bool stored = solver.weighting.rule == graph::WeightRule::stored;
    with_edges(session, input_, stored ? Carry::weights : Carry::nothing, solve);
    if (pairs) write_queries(session, asked, result, lines);
    return report(session, asked, result, direction, pairs ? lines : options.output);
  }

 private:
  static constexpr std::uint64_t most_landmarks = 256;

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

  static AskedPairs nodes_of(const graph::format::QueryFile& file) {
    AskedPairs asked;
    for (const auto& [source, target] : file.pairs) asked.add(std::to_string(source), std::to_string(target));
    for (const std::uint64_t source : file.sources) asked.nodes.push_back(std::to_string(source));
    return asked;
  }

  void check_use(bool pairs) const {
    if ((order_ == OrderRule::hilbert) != !coordinates_.empty()) {
      throw UsageError("--order hilbert and --coordinates go together");
    }
    if (!pairs && !path_.empty()) throw UsageError("--path: give --to, or --queries with pairs");
    if (!pairs && !landmarks_.empty()) throw UsageError("--landmarks: give --to, or --queries with pairs");
    if (pairs && !parents_.empty()) {
      throw UsageError("--parents: for searches of all nodes; --path has the nodes on the way");
    }
  }

  void check_files(const CommonOptions& options, const std::string& lines, bool pairs) const {
    std::vector<std::string> inputs = input_.names();
    if (!queries_.empty()) inputs.push_back(queries_);
    if (!pairs) {
      return check_root_outputs(options, {{"-o", options.output}, {"--parents", parents_}},
                                given_roots(options), input_.names());
    }
    const std::string extension = graph::format::extension_of(options.output);
    if (extension == "npy" || extension == "bin") {
      throw UsageError(
          fmt::format("{}: the distances of queries are lines of text, not .{}", options.output, extension));
    }
    if (!lines.empty() && !is_standard_output(lines)) check_output(lines, inputs, options, false);
    if (!path_.empty()) check_output(path_, inputs, options, false);
    check_outputs_differ({{"-o", options.output}, {"--path", path_}});
  }

  template <class Id>
  graph::sssp::Result search(Session& session, graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges,
                             const graph::sssp::Options& solver) const {
    SsspOutputs<Id> outputs(session, solver.roots.empty() ? "" : session.options().output, parents_,
                            solver.roots);
    const bool kept = input.format() == "adj" && !input.joined() && !session.options().relabel &&
                      !session.options().filter.given() && graph::sssp::serves(input.facts(), solver) &&
                      sizeof(Id) == input.facts().layout.id_bytes;
    if (kept) {
      const auto pages = graph::adjacency::open_adjacency<Id>(session.environment(), input_.names().front());
      if (!solver.nodes || *solver.nodes == pages->facts().nodes) {
        return graph::sssp::run<Id>(session.environment(), *pages, solver, &outputs);
      }
    }
    return graph::sssp::run<Id>(session.environment(), edges, solver, &outputs);
  }

  void write_queries(Session& session, const AskedPairs& asked, const graph::sssp::Result& result,
                     const std::string& lines) const {
    if (!lines.empty()) {
      if (is_standard_output(lines)) session.stop_progress();
      LineFile file(session, lines);
      for (std::size_t i = 0; i < result.queries.size(); ++i) {
        const auto& [source, target] = asked.pairs[i];
        file.add(fmt::format("{}\t{}\t{}", asked.nodes[source], asked.nodes[target],
                             distance_text(result.weight_type, result.queries[i].distance)));
      }
      file.finish();
    }
    if (path_.empty()) return;
    const bool labels = session.options().labels;
    LineFile file(session, path_);
    for (const graph::sssp::QueryResult& query : result.queries) {
      const std::vector<std::string> names = names_of(session, query.path);
      std::string line;
      for (std::size_t i = 0; i < query.path.size(); ++i) {
        // A label may have blanks.
        if (i > 0) line += labels ? "\t" : " ";
        line += names.empty() ? std::to_string(query.path[i]) : names[i];
      }
      file.add(std::move(line));
    }
    file.finish();
  }

  ExitCode report(Session& session, const AskedPairs& asked, const graph::sssp::Result& result,
                  const Direction& direction, const std::string& output) const {
    const CommonOptions& options = session.options();
    const graph::WeightType type = result.weight_type;
    Report report(session, "sssp");
    report.input(input_);
    report.output("output", output);
    report.output("parents", parents_);
    report.output("path", path_);
    report.graph(result.nodes, result.edges);
    report.value("directed", direction.directed,
                 fmt::format("{}: {}", direction.directed ? "yes" : "no", direction.reason));
    report.hidden("directed_reason", direction.reason);
    SummaryList searches;
    const std::vector<std::string> given = given_roots(options);
    for (std::size_t i = 0; i < result.searches.size(); ++i) {
      const graph::sssp::Search& search = result.searches[i];
      const std::string farthest = distance_text(type, search.max_distance);
      if (i == 0) {
        report.count("root", search.root);
        if (options.labels) report.text("root_label", given[i]);
        if (options.relabel) report.count("root_id", options.asked_ids[i]);
        report.count("reached", search.reached);
        report.value("max_distance", distance_value(type, search.max_distance), farthest);
        report.text("method", search.method);
        report.real("search_seconds", search.seconds);
      } else {
        report.shown(
            fmt::format("root {}", given[i]),
            fmt::format("{} reached, the farthest at {}", core::format_count(search.reached), farthest));
      }
      SummaryObject one = {{"root", search.root},
                           {"reached", search.reached},
                           {"max_distance", distance_value(type, search.max_distance)},
                           {"seconds", search.seconds}};
      if (options.labels || options.relabel)
        one.set(options.labels ? "root_label" : "root_id", given_root(options, i));
      searches.push_back(std::move(one));
    }
    if (searches.size() > 1) report.hidden("searches", std::move(searches));
    SummaryList queries;
    std::uint64_t settled = 0;
    for (std::size_t i = 0; i < result.queries.size(); ++i) {
      const graph::sssp::QueryResult& query = result.queries[i];
      settled += query.settled;
      SummaryObject one = {{"source", query.query.source},
                           {"target", query.query.target},
                           {"distance", distance_value(type, query.distance)},
                           {"settled", query.settled}};
      if (options.labels || options.relabel) {
        one.set("source_name", asked.nodes[asked.pairs[i].first]);
        one.set("target_name", asked.nodes[asked.pairs[i].second]);
      }
      queries.push_back(std::move(one));
    }
    if (!result.queries.empty()) {
      report.value("queries", std::move(queries), core::format_count(result.queries.size()));
      report.count("settled", settled);
    }
    if (result.queue != Queue::automatic) {
      report.text("queue", fmt::format("{} ({})", name(result.queue), result.queue_reason));
    }
    if (order_ != OrderRule::given) {
      const bool done = result.order == order_;
      report.value("order", std::string(name(result.order)),
                   done ? std::string(name(order_)) : "given (others are for the internal model)");
    }
    report.model(result.choice);
    return report.finish();
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
};

}  // namespace

std::unique_ptr<Command> make_sssp() {
  return std::make_unique<Sssp>();
}

}  // namespace emgraph::apps
