// SPDX-License-Identifier: MIT
// Stores numbers, and writes lines of names at the end.
#include "apps/files/named_results.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/files/label_lines.hpp"
#include "apps/files/output_check.hpp"
#include "apps/files/text_files.hpp"
#include "core/base/bytes.hpp"
#include "core/base/progress.hpp"
#include "core/block/run.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/format.hpp"
#include "graph/prepare/relabel/row_run.hpp"

namespace emgraph::apps {

namespace {

constexpr std::size_t spool_blocks = 2;
/// Bounds a batch at about 3 GB.
constexpr std::uint64_t most_named_rows = std::uint64_t{1} << 24;
constexpr std::uint64_t least_named_rows = 64;
/// Memory kept for finish(), which may come while a solver holds all other memory.
constexpr std::size_t kept_for_names = core::MiB;

std::size_t rows_at_a_time(std::uint64_t rows) {
  return static_cast<std::size_t>(std::clamp(rows, least_named_rows, most_named_rows));
}

template <class T>
class NamedNodes final : public graph::format::NodeWriter<T> {
 public:
  NamedNodes(Session& session, const NodeFile& file, const NodeContent& content)
      : session_(session),
        content_(content),
        name_(file.path),
        output_(open_text(session, file.path, {})),
        spool_(std::in_place, session.environment(), core::small_block_bytes(session.environment().memory),
               spool_blocks),
        kept_(session.environment().memory.reserve(kept_for_names, "names of nodes")) {
    layout_.separator = node_format(session.options(), file) == "csv" ? ',' : '\t';
    layout_.terminal = is_terminal(file.path);
    if (session.options().output_header) {
      layout_.header.assign(content_.column_names.begin(), content_.column_names.end());
    }
    layout_.nodes = content.kind == NodeContent::rows    ? static_cast<std::size_t>(content.columns)
                    : content.kind == NodeContent::links ? 2
                                                         : 1;
    if (content.kind == NodeContent::values || content.kind == NodeContent::counts) {
      layout_.number = !content.floating;
      if (content.floating) layout_.weight = graph::WeightType::f64;
    }
  }

  void append(std::span<const T> values) override { spool_->append(values); }

  void finish() override {
    core::Environment& environment = session_.environment();
    values_ = spool_->records();
    core::Run<T> run = spool_->finish();
    spool_.reset();
    kept_.release();
    layout_.most_rows = rows_at_a_time(values_);
    core::RunReader<T> reader(environment, std::move(run), 1);
    const auto names = session_.names()->open();
    LabelLines lines(environment, *names, name_, layout_, std::move(output_));
    core::Phase phase(environment.progress, "write names", values_, "values");
    LabelRow row;
    std::uint64_t number = 0;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const T value : batch) put(lines, row, number++, value);
      phase.advance(batch.size());
    }
    lines.finish(session_);
    bytes_ = lines.bytes();
  }

  std::uint64_t values() const override { return spool_ ? spool_->records() : values_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  /// Value number `number` of the result.
  void put(LabelLines& lines, LabelRow& row, std::uint64_t number, T value) const {
    switch (content_.kind) {
      case NodeContent::list:
        row.nodes[0] = value;
        break;
      case NodeContent::rows:
        row.nodes[static_cast<std::size_t>(number % content_.columns)] = value;
        if ((number + 1) % content_.columns != 0) return;
        break;
      case NodeContent::counts: {
        const std::uint64_t wide = value;
        if (number % 2 == 0) {
          row.nodes[0] = wide;
          return;
        }
        std::memcpy(row.value.data(), &wide, sizeof(wide));
        break;
      }
      case NodeContent::values: {
        const std::uint64_t wide = value;
        row.nodes[0] = number;
        std::memcpy(row.value.data(), &wide, sizeof(wide));
        break;
      }
      case NodeContent::links:
        if (value == static_cast<T>(~T{0})) return;
        row.nodes = {number, value, 0};
        break;
    }
    lines.append(row);
  }

  Session& session_;
  const NodeContent content_;
  const std::string name_;
  LabelRowLayout layout_;
  std::unique_ptr<graph::format::TextOutput> output_;
  std::optional<core::RunWriter<T>> spool_;
  core::Reservation kept_;
  std::uint64_t values_ = 0;
  std::uint64_t bytes_ = 0;
};

class NamedEdges final : public graph::format::EdgeWriter {
 public:
  NamedEdges(Session& session, const std::string& path, const graph::EdgeFacts& facts,
             const std::optional<int>& level)
      : session_(session),
        facts_(facts),
        separator_(separator_of(session.options(), path)),
        terminal_(is_terminal(path)),
        output_(open_text(session, path, level)),
        kept_(session.environment().memory.reserve(kept_for_names, "names of nodes")) {
    facts_.layout.payload_bytes = 0;
    facts_.name = path;
    spool_.emplace(session.environment(), facts_.layout);
  }

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override {
    spool_->append(shape, records, count);
    edges_ += count;
  }

  void finish() override {
    core::Environment& environment = session_.environment();
    graph::relabel::RowRun run = spool_->finish();
    spool_.reset();
    kept_.release();
    facts_.edges = run.rows;
    graph::relabel::RowRunSource source(environment, facts_, std::move(run), 1);
    const core::PairShape shape = graph::record_shape(facts_.layout);
    const auto lane = source.lane(shape);
    const auto names = session_.names()->open();
    std::vector<std::string_view> header;
    if (session_.options().output_header) header = {"source", "target"};
    if (!header.empty() && facts_.layout.weight != graph::WeightType::none) header.emplace_back("weight");
    LabelLines lines(environment, *names, facts_.name,
                     {.nodes = 2,
                      .weight = facts_.layout.weight,
                      .separator = separator_,
                      .header = std::move(header),
                      .terminal = terminal_,
                      .most_rows = rows_at_a_time(edges_)},
                     std::move(output_));
    core::Phase phase(environment.progress, "write names", edges_, "edges");
    const std::size_t weight_bytes = graph::weight_bytes(facts_.layout.weight);
    for (auto batch = lane->next(); batch.count > 0; batch = lane->next()) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        const std::byte* const record = batch.records + i * shape.row_bytes;
        LabelRow row{.nodes = {graph::id_at(shape, record, 0), graph::id_at(shape, record, 1), 0}};
        std::memcpy(row.value.data(), record + 2 * shape.integer_bytes, weight_bytes);
        lines.append(row);
      }
      phase.advance(batch.count);
    }
    lines.finish(session_);
    bytes_ = lines.bytes();
  }

  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  Session& session_;
  graph::EdgeFacts facts_;
  const char separator_;
  const bool terminal_;
  std::unique_ptr<graph::format::TextOutput> output_;
  std::optional<graph::relabel::RowRunWriter> spool_;
  core::Reservation kept_;
  std::uint64_t edges_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<graph::format::NodeWriter<T>> open_named_nodes(Session& session, const NodeFile& file,
                                                               const NodeContent& content) {
  return std::make_unique<NamedNodes<T>>(session, file, content);
}

template std::unique_ptr<graph::format::NodeWriter<std::uint32_t>> open_named_nodes(Session&, const NodeFile&,
                                                                                    const NodeContent&);
template std::unique_ptr<graph::format::NodeWriter<std::uint64_t>> open_named_nodes(Session&, const NodeFile&,
                                                                                    const NodeContent&);

std::unique_ptr<graph::format::EdgeWriter> open_named_edges(Session& session, const std::string& path,
                                                            const graph::EdgeFacts& facts,
                                                            const std::optional<int>& level) {
  return std::make_unique<NamedEdges>(session, path, facts, level);
}

char separator_of(const CommonOptions& options, const std::string& path) {
  const bool csv = told_format(options, path) == "csv" ||
                   graph::format::extension_of(graph::format::unpacked_name(path)) == "csv";
  return csv ? ',' : '\t';
}

}  // namespace emgraph::apps
