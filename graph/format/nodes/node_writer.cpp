// SPDX-License-Identifier: MIT
// NumPy, text and raw writers of node values.
#include "graph/format/nodes/node_writer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/run.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::graph::format {
namespace {

void require_node_space(const core::OutputFile& output, std::uint64_t values, std::size_t value_bytes) {
  output.require_space(core::size_product(values, value_bytes),
                       " (" + core::format_count(values) + " values of nodes); --relabel takes less for " +
                           "ids that are sparse");
}

/// Writes values to the output as they come, and counts them.
template <class Id>
class DirectNodeWriter : public NodeWriter<Id> {
 public:
  explicit DirectNodeWriter(std::unique_ptr<core::OutputFile> output) : output_(std::move(output)) {}
  void finish() override { output_->finish(); }
  void save(core::StateWriter& to) override {
    to.value(values_);
    output_->save(to);
  }
  void restore(core::StateReader& from) override {
    values_ = from.value<std::uint64_t>();
    output_->restore(from);
  }
  std::uint64_t values() const override { return values_; }
  std::uint64_t bytes() const override { return output_->size(); }

 protected:
  std::unique_ptr<core::OutputFile> output_;
  std::uint64_t values_ = 0;
};

template <class Id>
class BinaryNodeWriter : public DirectNodeWriter<Id> {
 public:
  using DirectNodeWriter<Id>::DirectNodeWriter;
  void append(std::span<const Id> values) override {
    this->output_->append(std::as_bytes(values));
    this->values_ += values.size();
  }
  void expect(std::uint64_t values) override { require_node_space(*this->output_, values, sizeof(Id)); }
};

/// Header of an array of `values` values, in rows of `columns` unless that is 0.
template <class Id>
std::string rows_header(std::uint64_t values, const NodeWriterOptions& options) {
  const std::uint64_t rows = options.columns == 0 ? values : values / options.columns;
  return npy_header(sizeof(Id), rows, options.columns, options.floating);
}

/// Writes the header first. Requires: `count` is known if the output cannot be rewritten.
template <class Id>
class NpyNodeWriter final : public BinaryNodeWriter<Id> {
 public:
  NpyNodeWriter(std::unique_ptr<core::OutputFile> output, const NodeWriterOptions& options)
      : BinaryNodeWriter<Id>(std::move(output)), options_(options) {
    const std::string header = rows_header<Id>(options_.count.value_or(0), options_);
    this->output_->append(std::as_bytes(std::span(header)));
  }
  void finish() override {
    if (options_.count && *options_.count != this->values()) {
      throw std::logic_error("a writer declared " + std::to_string(*options_.count) +
                             " values and appended " + std::to_string(this->values()));
    }
    if (this->output_->rewritable()) {
      const std::string header = rows_header<Id>(this->values(), options_);
      this->output_->rewrite_start(std::as_bytes(std::span(header)));
    }
    BinaryNodeWriter<Id>::finish();
  }

 private:
  const NodeWriterOptions options_;
};

/// Stores the values on the temporary disks until their number is known. Memory: two blocks.
template <class Id>
class SpooledNpyNodeWriter final : public NodeWriter<Id> {
 public:
  SpooledNpyNodeWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                       const NodeWriterOptions& options)
      : environment_(environment), output_(std::move(output)), options_(options) {
    spool_.emplace(environment, core::small_block_bytes(environment.memory), spool_buffers);
  }
  void append(std::span<const Id> values) override { spool_->append(values); }
  void finish() override {
    values_ = spool_->records();
    core::Run<Id> run = spool_->finish();
    spool_.reset();
    const std::string header = rows_header<Id>(values_, options_);
    output_->append(std::as_bytes(std::span(header)));
    core::RunReader<Id> reader(environment_, std::move(run), spool_buffers - 1);
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      output_->append(std::as_bytes(batch));
    }
    output_->finish();
  }
  std::uint64_t values() const override { return spool_ ? spool_->records() : values_; }
  std::uint64_t bytes() const override { return output_->size(); }

 private:
  static constexpr std::size_t spool_buffers = 2;
  core::Environment& environment_;
  std::unique_ptr<core::OutputFile> output_;
  const NodeWriterOptions options_;
  std::optional<core::RunWriter<Id>> spool_;
  std::uint64_t values_ = 0;
};

template <class Id>
class TextNodeWriter final : public DirectNodeWriter<Id> {
 public:
  TextNodeWriter(std::unique_ptr<core::OutputFile> output, const NodeWriterOptions& options, char separator)
      : DirectNodeWriter<Id>(std::move(output)),
        separator_(separator),
        dense_(options.dense),
        floating_(options.floating),
        columns_(std::max<std::uint64_t>(1, options.columns)) {
    if (options.column_names.empty()) return;
    std::string line;
    for (const std::string& name : options.column_names) {
      if (!line.empty()) line += separator_;
      line += name;
    }
    line += '\n';
    this->output_->append(std::as_bytes(std::span(line)));
  }
  void append(std::span<const Id> values) override {
    constexpr std::size_t max_written_line_bytes = 2 * longest_number_bytes + 2;
    for (std::size_t i = 0; i < values.size();) {
      const std::span<std::byte> window = this->output_->window();
      char* const start = reinterpret_cast<char*>(window.data());
      char* const end = start + window.size();
      char* at = start;
      for (; i < values.size() && static_cast<std::size_t>(end - at) >= max_written_line_bytes; ++i) {
        if (dense_) {
          at = std::to_chars(at, end, this->values_).ptr;
          *at++ = separator_;
        }
        at = floating_ ? put(at, std::bit_cast<double>(std::uint64_t{values[i]}))
                       : std::to_chars(at, end, values[i]).ptr;
        *at++ = ++this->values_ % columns_ == 0 ? '\n' : separator_;
      }
      this->output_->commit(static_cast<std::size_t>(at - start));
    }
  }
  // A line has at least a digit and an end.
  void expect(std::uint64_t values) override { require_node_space(*this->output_, values, dense_ ? 4 : 2); }

 private:
  const char separator_;
  const bool dense_;
  const bool floating_;
  const std::uint64_t columns_;
};

}  // namespace

template <class Id>
std::unique_ptr<NodeWriter<Id>> open_node_writer(core::Environment& environment, const std::string& path,
                                                 const NodeWriterOptions& options) {
  std::string format = options.format.value_or(extension_of(path));
  if (format == "txt") format = "tsv";
  const bool known = format == "npy" || format == "tsv" || format == "csv" || format == "bin";
  if (!options.format && !known) format = "npy";
  if (options.format && !known) {
    throw core::UsageError("'" + format + "' is not a format for node values (npy, tsv, csv, bin)");
  }
  if (options.floating && sizeof(Id) != sizeof(double)) {
    throw std::logic_error("floating-point node values of " + std::to_string(sizeof(Id)) + " bytes");
  }
  auto output = std::make_unique<core::OutputFile>(path, options.overwrite, environment.memory,
                                                   environment.io, environment.outputs);
  const bool lines = format == "tsv" || format == "csv";
  if (options.count) {
    require_node_space(*output, *options.count, lines ? (options.dense ? 4 : 2) : sizeof(Id));
  }
  if (lines) {
    return std::make_unique<TextNodeWriter<Id>>(std::move(output), options, format == "csv" ? ',' : '\t');
  }
  if (format == "bin") return std::make_unique<BinaryNodeWriter<Id>>(std::move(output));
  if (!output->rewritable() && !options.count) {
    return std::make_unique<SpooledNpyNodeWriter<Id>>(environment, std::move(output), options);
  }
  return std::make_unique<NpyNodeWriter<Id>>(std::move(output), options);
}

template std::unique_ptr<NodeWriter<std::uint32_t>> open_node_writer(core::Environment&, const std::string&,
                                                                     const NodeWriterOptions&);
template std::unique_ptr<NodeWriter<std::uint64_t>> open_node_writer(core::Environment&, const std::string&,
                                                                     const NodeWriterOptions&);

}  // namespace emgraph::graph::format
