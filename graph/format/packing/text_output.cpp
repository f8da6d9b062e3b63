// SPDX-License-Identifier: MIT
// The choice by name.
#include "graph/format/packing/text_output.hpp"

#include <charconv>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/packing/block_packer.hpp"
#include "graph/format/packing/packed_output.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {
namespace {

class PlainOutput final : public TextOutput {
 public:
  explicit PlainOutput(std::unique_ptr<core::OutputFile> output) : output_(std::move(output)) {}
  void append(std::span<const std::byte> text) override { output_->append(text); }
  void finish() override { output_->finish(); }
  std::uint64_t size() const override { return output_->size(); }

 private:
  std::unique_ptr<core::OutputFile> output_;
};

}  // namespace

Packing packing_of_name(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == "gz" ? Packing::gzip : extension == "zst" ? Packing::zstd : Packing::none;
}

std::string unpacked_name(const std::string& path) {
  if (packing_of_name(path) == Packing::none) return path;
  return path.substr(0, path.rfind('.'));
}

std::optional<int> parse_packing_level(Packing packing, const std::string& text) {
  const std::string name = packing == Packing::gzip ? "gzip" : "zstd";
  const int most = most_packing_level(packing);
  const std::string expected = "expected " + name + " or " + name + ":LEVEL, 1 to " + std::to_string(most);
  const std::string_view all = text;
  if (!all.starts_with(name)) throw core::UsageError("'" + text + "' cannot pack this output, " + expected);
  const std::string_view rest = all.substr(name.size());
  if (rest.empty()) return std::nullopt;
  int level = 0;
  const auto [stop, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), level);
  if (rest[0] != ':' || error != std::errc() || stop != rest.data() + rest.size() || level < 1 ||
      level > most) {
    throw core::UsageError("'" + text + "' is not a packing, " + expected);
  }
  return level;
}

std::unique_ptr<TextOutput> open_text_output(const Creation& creation) {
  const Packing packing = packing_of_name(creation.path);
  auto output = creation.open_output();
  if (packing == Packing::none) return std::make_unique<PlainOutput>(std::move(output));
  const int level = creation.options.level.value_or(default_packing_level(packing));
  return std::make_unique<PackedOutput>(creation.environment, std::move(output), packing, level);
}

}  // namespace emgraph::graph::format
