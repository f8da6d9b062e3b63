// SPDX-License-Identifier: MIT
// Sequential readers of NumPy, raw and tab-separated node values.
#include "graph/format/nodes/node_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/arrays/npy.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/packing/text_stream.hpp"
#include "graph/format/table/detect.hpp"
#include "graph/format/table/extension.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t batch_values = 16384;

struct ValueType {
  std::size_t bytes = 4;  ///< 4 or 8
  bool is_signed = false;
  bool floating = false;
};

class BinaryNodeReader final : public NodeReader {
 public:
  BinaryNodeReader(core::Environment& environment, core::InputFile input, std::uint64_t offset,
                   const ValueType& type, std::optional<std::uint64_t> count)
      : input_(std::move(input)),
        position_(offset),
        type_(type),
        count_(count),
        bytes_(environment.memory, batch_values * type.bytes, "node values"),
        values_(environment.memory, batch_values, "node values") {}

  std::span<const std::uint64_t> next() override {
    const std::size_t bytes = input_.read_next(bytes_.bytes());
    const std::size_t values = bytes / type_.bytes;
    delivered_ += values;
    position_ += bytes;
    if (const std::size_t rest = bytes % type_.bytes; rest != 0) {
      throw core::DataError::at_offset(input_.name(), position_ - rest,
                                       std::to_string(rest) +
                                           " bytes are left over at the end, expected values of " +
                                           std::to_string(type_.bytes) + " bytes");
    }
    const bool ended = bytes < bytes_.size();
    if (count_ && (delivered_ > *count_ || (ended && delivered_ < *count_))) {
      throw core::DataError::at_offset(input_.name(), position_,
                                       "found " + std::to_string(delivered_) + " values" +
                                           (ended ? "" : " and more") + ", expected " +
                                           std::to_string(*count_));
    }
    for (std::size_t i = 0; i < values; ++i) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes_.data() + i * type_.bytes, type_.bytes);
      if (type_.floating && type_.bytes == 4) {
        const double wide = std::bit_cast<float>(static_cast<std::uint32_t>(value));
        value = std::bit_cast<std::uint64_t>(wide);
      }
      if (type_.is_signed && value >> (8 * type_.bytes - 1) != 0) {
        throw core::DataError::in_file(
            input_.name(),
            "value number " + std::to_string(delivered_ - values + i) + " is negative, expected 0 or more");
      }
      values_[i] = value;
    }
    return values_.span().first(values);
  }
  std::optional<std::uint64_t> count() const override { return count_; }
  std::size_t value_bytes() const override { return type_.bytes; }
  bool floating() const override { return type_.floating; }

 private:
  core::InputFile input_;
  std::uint64_t position_;
  const ValueType type_;
  const std::optional<std::uint64_t> count_;
  core::Buffer bytes_;
  core::Array<std::uint64_t> values_;
  std::uint64_t delivered_ = 0;
};

/// npy, tsv or bin, by the contents or else the name; "" if it is none of them.
std::string node_format(core::InputFile& input, const std::string& path) {
  const std::string extension = extension_of(path);
  const auto start = input.peek(container_magic.size());
  if (std::ranges::equal(start, std::as_bytes(std::span(container_magic)))) {
    throw core::DataError::in_file(input.name(),
                                   "an edge file of emgraph, expected node values (npy, tsv, bin)");
  }
  if (is_npy(input.peek(sizeof(npy_magic)))) return "npy";
  if (extension == "bin" || extension == "tsv" || extension == "npy") return extension;
  const bool text =
      packing_of(input) != Packing::none || input.peek(1).empty() || is_printable(input.peek(4096));
  return text ? "tsv" : "";  // an empty file is a text without values
}

std::unique_ptr<NodeReader> npy_reader(core::Environment& environment, core::InputFile input,
                                       const NodeReaderOptions& options) {
  const NpyHeader header = read_npy_header(
      input, options.numbers == NodeNumbers::integers ? NpyItems::integers : NpyItems::numbers);
  if (options.numbers == NodeNumbers::floating && !header.floating) {
    throw core::DataError::in_file(
        input.name(), "NumPy array of integers, expected floating-point numbers ('<f8' or '<f4')");
  }
  const bool rows = options.columns > 0;
  if (header.shape.size() != (rows ? 2 : 1) || (rows && header.shape[1] != options.columns)) {
    const std::string expected =
        rows ? "rows of " + std::to_string(options.columns) + " values" : "one value per entry";
    throw core::DataError::in_file(input.name(), "NumPy array of " + std::to_string(header.shape.size()) +
                                                     " dimensions, expected " + expected);
  }
  if (rows && header.fortran_order) {
    throw core::DataError::in_file(
        input.name(), "NumPy array in Fortran order, expected C order (numpy.ascontiguousarray makes it)");
  }
  const std::uint64_t per_entry = rows ? options.columns : 1;
  if (header.shape[0] > ~std::uint64_t{0} / per_entry) {
    throw core::DataError::in_file(input.name(),
                                   "NumPy array of " + std::to_string(header.shape[0]) + " rows");
  }
  const ValueType type = {
      .bytes = header.item_bytes, .is_signed = header.signed_items, .floating = header.floating};
  return std::make_unique<BinaryNodeReader>(environment, std::move(input), header.data_offset, type,
                                            header.shape[0] * per_entry);
}

std::unique_ptr<NodeReader> bin_reader(core::Environment& environment, core::InputFile input,
                                       const NodeReaderOptions& options) {
  if (options.bin_value_bytes != 4 && options.bin_value_bytes != 8) {
    throw core::UsageError("values of " + std::to_string(options.bin_value_bytes) +
                           " bytes, expected 4 or 8");
  }
  const std::optional<std::uint64_t> count =
      input.seekable() ? std::optional(input.size() / options.bin_value_bytes) : std::nullopt;
  const ValueType type = {.bytes = options.bin_value_bytes,
                          .floating = options.numbers == NodeNumbers::floating};
  return std::make_unique<BinaryNodeReader>(environment, std::move(input), 0, type, count);
}

}  // namespace

std::unique_ptr<NodeReader> open_node_reader(core::Environment& environment, const std::string& path,
                                             const NodeReaderOptions& options) {
  core::InputFile input(path, environment.io);
  std::string format = options.format.value_or("");
  if (format.empty()) format = node_format(input, path);
  if (format == "npy") return npy_reader(environment, std::move(input), options);
  if (format == "bin") return bin_reader(environment, std::move(input), options);
  if (format == "tsv") return open_node_text(environment, std::move(input), options.columns, options.numbers);
  if (options.format) {
    throw core::UsageError("'" + format + "' is not a format for node values (npy, tsv, bin)");
  }
  throw core::DataError::in_file(input.name(), "not known as node values (npy, tsv, bin), and not text");
}

}  // namespace emgraph::graph::format
