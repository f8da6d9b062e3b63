// SPDX-License-Identifier: MIT
// Writes header, pages, index and footer.
#include "graph/format/adjacency/adjacency_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "core/base/random_word.hpp"
#include "core/io/checksum.hpp"
#include "graph/edge_weights.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::adjacency {

using format::bytes_of;

namespace {

/// A function of an edge whose values look random.
std::uint64_t fingerprint(std::uint64_t low, std::uint64_t high, std::uint64_t weight) {
  return core::mix_word(core::mix_word(core::mix_word(low + core::golden_increment) + high) + weight);
}

}  // namespace

template <class Id>
struct AdjacencyWriter::Pages {
  Pages(core::Environment& environment, core::OutputFile& output, std::size_t page_bytes, WeightType weight)
      : index(environment.memory),
        builder(
            page_bytes,
            [this, &output](std::span<const std::byte> page, std::uint64_t first_node, bool continues) {
              index.add(first_node, continues);
              output.append(page);
            },
            weight) {}
  PageIndex<Id> index;
  PageBuilder<Id> builder;
};

AdjacencyWriter::AdjacencyWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                                 const EdgeFacts& facts, const format::Metadata& metadata,
                                 std::size_t page_bytes)
    : output_(std::move(output)), facts_(facts), rows_(facts.nodes.value_or(~std::uint64_t{0})) {
  const bool directed = format::directed_adjacency(facts, output_->path());
  const std::string text = format::metadata_text(metadata);
  if (text.size() > format::max_metadata_bytes) throw core::UsageError("metadata above 1 MiB");
  const WeightType weight = facts.layout.weight;
  header_ = make_header(facts.layout.id_bytes, page_bytes, directed, weight, text);
  if (facts.layout.id_bytes == 4) {
    narrow_ = std::make_unique<Pages<std::uint32_t>>(environment, *output_, page_bytes, weight);
  } else {
    wide_ = std::make_unique<Pages<std::uint64_t>>(environment, *output_, page_bytes, weight);
  }
  output_->append(bytes_of(header_));
  const std::string padded = format::padded_metadata(header_, text);
  output_->append(std::as_bytes(std::span(padded)));
}

AdjacencyWriter::~AdjacencyWriter() = default;

std::uint64_t AdjacencyWriter::weight_of(const std::byte* attachment, std::uint64_t source,
                                         std::uint64_t target) const {
  const WeightType type = facts_.layout.weight;
  std::uint64_t bits = 0;
  std::memcpy(&bits, attachment, weight_bytes(type));
  const std::uint64_t rank = rank_of_weight(type, bits);
  if (!number_ranks(type).contains(rank)) {
    refuse_weight(output_->path(), edges_, source, target, type, rank, "a number");
  }
  return bits;
}

template <class Id, class RowId>
void AdjacencyWriter::push(Pages<Id>& pages, const core::PairShape& shape, const std::byte* records,
                           std::size_t count) {
  const bool weighted = facts_.layout.weight != WeightType::none;
  if (shape.attachment_bytes < weight_bytes(facts_.layout.weight)) {
    throw std::logic_error("records with fewer attached bytes than a weight");
  }
  for (std::size_t i = 0; i < count; ++i, ++edges_) {
    std::array<RowId, 2> row;
    std::memcpy(row.data(), records + i * shape.row_bytes, sizeof(row));
    const auto [source, target] = row;
    const std::uint64_t larger = std::max(source, target);
    if constexpr (sizeof(RowId) > sizeof(Id)) {
      if (larger > std::uint64_t{static_cast<Id>(~Id{0})}) {
        throw format::IdTooWide(core::DataError::in_file(
            output_->path(), "edge " + std::to_string(edges_) + " has an id that needs 8 bytes"));
      }
    }
    rows_.take(output_->path(), edges_, source, target);
    if (weighted) {
      const std::byte* const attachment = records + i * shape.row_bytes + sizeof(row);
      const std::uint64_t weight = weight_of(attachment, source, target);
      const std::uint64_t mark = fingerprint(std::min<std::uint64_t>(source, target), larger, weight);
      unmatched_ += source < target ? mark : 0 - mark;
      pages.builder.push(static_cast<Id>(source), static_cast<Id>(target), weight);
    } else {
      pages.builder.push(static_cast<Id>(source), static_cast<Id>(target));
    }
  }
}

void AdjacencyWriter::append_records(const core::PairShape& shape, const std::byte* records,
                                     std::size_t count) {
  if (narrow_ != nullptr) {
    if (shape.integer_bytes == 4) {
      push<std::uint32_t, std::uint32_t>(*narrow_, shape, records, count);
    } else {
      push<std::uint32_t, std::uint64_t>(*narrow_, shape, records, count);
    }
  } else if (shape.integer_bytes == 4) {
    push<std::uint64_t, std::uint32_t>(*wide_, shape, records, count);
  } else {
    push<std::uint64_t, std::uint64_t>(*wide_, shape, records, count);
  }
}

template <class Id>
void AdjacencyWriter::finish_pages(Pages<Id>& pages) {
  pages.builder.finish();
  FileFooter footer;
  footer.index_offset = output_->size();
  footer.pages = pages.index.pages();
  footer.nodes = facts_.nodes.value_or(std::max(least_nodes_, rows_.nodes()));
  footer.entries = pages.builder.entries();
  footer.largest_degree_node = pages.builder.largest_degree_node();
  footer.largest_degree = pages.builder.largest_degree();
  footer.least_weight = weight_of_rank(facts_.layout.weight, pages.builder.weights().least);
  footer.largest_weight = weight_of_rank(facts_.layout.weight, pages.builder.weights().largest);
  footer.header_checksum = header_.checksum;

  core::ChecksumStream sum;
  std::array<std::byte, 4096> window;
  std::size_t filled = 0;
  const auto write = [&](std::span<const std::byte> bytes) {
    if (filled + bytes.size() > window.size()) {
      output_->append(std::span(window).first(filled));
      sum.append(std::span(window).first(filled));
      filled = 0;
    }
    std::memcpy(window.data() + filled, bytes.data(), bytes.size());
    filled += bytes.size();
  };
  constexpr std::array<std::byte, 8> zeros{};
  FileIndexHead head;
  head.pages = footer.pages;
  write(bytes_of(head));
  for (std::uint64_t page = 0; page < footer.pages; ++page) write(bytes_of(pages.index.first_node(page)));
  write(std::span(zeros).first((8 - footer.pages * sizeof(Id) % 8) % 8));
  for (std::uint64_t page = 0; page < footer.pages; page += 64) {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < 64 && page + i < footer.pages; ++i) {
      bits |= std::uint64_t{pages.index.continues(page + i)} << i;
    }
    write(bytes_of(bits));
  }
  output_->append(std::span(window).first(filled));
  sum.append(std::span(window).first(filled));
  footer.index_checksum = sum.value();
  footer.file_bytes = output_->size() + sizeof(footer);
  format::seal(footer);
  output_->append(bytes_of(footer));
  output_->finish();
}

void AdjacencyWriter::finish() {
  if (unmatched_ != 0 && (header_.required_flags & flag_directed) == 0) {
    throw core::DataError::in_file(
        output_->path(),
        "the two directions of some edge have different weights, expected the same "
        "ones in a graph that is not directed; emgraph convert makes them so");
  }
  format::check_declared_edges(facts_.edges, edges_);
  if (narrow_ != nullptr) {
    finish_pages(*narrow_);
  } else {
    finish_pages(*wide_);
  }
}

}  // namespace emgraph::graph::adjacency
