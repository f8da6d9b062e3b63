// SPDX-License-Identifier: MIT
// Reads the pages of an adjacency file as edges.
#include "graph/format/adjacency/adjacency_edges.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/adjacency/page_scan.hpp"
#include "graph/edge_weights.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "graph/format/adjacency/adjacency_writer.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::adjacency {

namespace {

constexpr std::uint64_t sample_pages = 128;

/// Bytes of a chunk. Smaller than for a search, because several lanes read.
std::size_t lane_chunk_bytes(const core::Environment& environment, std::size_t page_bytes) {
  return std::min<std::size_t>(256 * core::KiB, scan_chunk_bytes(environment.memory.available(), page_bytes));
}

}  // namespace

/// The interface of the pages for lanes, for both id widths.
class AdjacencyEdges::PagesBase {
 public:
  virtual ~PagesBase() = default;
  virtual std::unique_ptr<format::WorkingLane> lane(const core::PairShape& shape) = 0;
  virtual void rewind() = 0;
  virtual void sample(std::uint64_t page, const core::PairShape& shape, std::size_t count,
                      std::vector<std::byte>& out) = 0;
};

template <class Id>
class AdjacencyEdges::Pages final : public AdjacencyEdges::PagesBase {
 public:
  Pages(core::Environment& environment, const std::shared_ptr<core::InputFile>& input, const FileEnds& ends,
        std::size_t chunk_bytes, unsigned lanes)
      : environment_(environment),
        adjacency_(open_adjacency<Id>(environment, input, ends, chunk_bytes)),
        lanes_(lanes),
        first_entries_(static_cast<std::size_t>(adjacency_->store().chunks()) + 1, unknown) {
    first_entries_.front() = 0;
    first_entries_.back() = ends.footer.entries;
  }

  std::unique_ptr<format::WorkingLane> lane(const core::PairShape& shape) override {
    if (!scan_) scan_.emplace(environment_, adjacency_->store(), lanes_, 0);
    return std::make_unique<Lane>(*this, shape);
  }

  void rewind() override {
    for (Lane* lane : held_by_) lane->release();
    if (scan_) scan_->rewind();
  }

  void sample(std::uint64_t page, const core::PairShape& shape, std::size_t count,
              std::vector<std::byte>& out) override {
    const core::Buffer buffer(environment_.memory, adjacency_->context().page_bytes, "sampling");
    adjacency_->store().read(page, {buffer.bytes()})->wait();
    adjacency_->verify(page, buffer.data());
    Rows rows(environment_.memory, shape, adjacency_->facts().weight,
              most_entries(adjacency_->context().page_bytes));
    rows.add(adjacency_->cursor(page, buffer.data(), true));
    format::take_sample(rows.batch(), shape, count, out);
  }

 private:
  /// An entry takes at least a byte and a quarter.
  static std::size_t most_entries(std::size_t page_bytes) { return page_bytes; }

  /// Converts pages to edges in the requested shape.
  class Rows {
   public:
    /// Weights are dropped if the attachments of the shape are too short.
    Rows(core::MemoryBudget& budget, const core::PairShape& shape, WeightType weight, std::size_t capacity)
        : shape_(shape),
          weight_bytes_(weight_bytes(weight) <= shape.attachment_bytes ? weight_bytes(weight) : 0),
          capacity_(capacity),
          rows_(budget, capacity * shape.row_bytes, "edges of an adjacency") {}

    void clear() { count_ = 0; }
    bool full(std::size_t page_bytes) const { return count_ + most_entries(page_bytes) > capacity_; }
    format::RecordBatch batch() const { return {rows_.data(), count_}; }

    void add(PageCursor<Id> cursor) {
      if (shape_.integer_bytes == 4) {
        add_as<std::uint32_t>(cursor);
      } else {
        add_as<std::uint64_t>(cursor);
      }
    }

   private:
    template <class RowId>
    void add_as(PageCursor<Id>& cursor) {
      std::array<Id, fragment_neighbours + 3> list;
      std::size_t left = cursor.foot().entries;
      while (cursor.next()) {
        if (cursor.count() > left) break;
        left -= cursor.count();
        cursor.decode(list.data());
        std::byte* to = rows_.data() + count_ * shape_.row_bytes;
        const auto source = static_cast<RowId>(cursor.node());
        for (unsigned i = 0; i < cursor.count(); ++i, to += shape_.row_bytes) {
          const std::array<RowId, 2> row = {source, static_cast<RowId>(list[i])};
          std::memcpy(to, row.data(), sizeof(row));
        }
        if (weight_bytes_ > 0) add_weights(cursor);
        count_ += cursor.count();
      }
      if (left != 0) cursor.refuse("it counts its entries wrongly");
    }

    /// Writes the weights of the current fragment into the next rows.
    void add_weights(const PageCursor<Id>& cursor) {
      std::array<std::uint64_t, fragment_neighbours> weights;
      cursor.decode_weights(weights.data());
      std::byte* to = rows_.data() + count_ * shape_.row_bytes + 2 * shape_.integer_bytes;
      for (unsigned i = 0; i < cursor.count(); ++i, to += shape_.row_bytes) {
        std::memcpy(to, &weights[i], weight_bytes_);
      }
    }

    const core::PairShape shape_;
    const std::size_t weight_bytes_;  // of the weights that are kept
    const std::size_t capacity_;
    const core::Buffer rows_;  // what follows the weights stays zero
    std::size_t count_ = 0;
  };

  // Consumers order batches by the numbers of their edges, so there must be no gap between chunks.
  void check_place(const PageScan::Loaded& chunk) {
    const std::size_t page_bytes = adjacency_->context().page_bytes;
    const PageFoot first = page_foot(chunk.data, page_bytes);
    const PageFoot last = page_foot(chunk.data + (chunk.pages - 1) * page_bytes, page_bytes);
    const auto number = static_cast<std::size_t>(chunk.first_page / adjacency_->store().chunk_pages());
    const std::lock_guard lock(mutex_);
    check_entry(number, first.first_entry, chunk.first_page);
    check_entry(number + 1, last.first_entry + last.entries, chunk.first_page + chunk.pages - 1);
  }
  void check_entry(std::size_t chunk, std::uint64_t entry, std::uint64_t page) {
    std::uint64_t& known = first_entries_[chunk];
    if (known != unknown && known != entry) {
      adjacency_->context().refuse(page, "its entries do not follow those before it");
    }
    known = entry;
  }

  class Lane final : public format::WorkingLane {
   public:
    Lane(Pages& pages, const core::PairShape& shape)
        : pages_(pages),
          rows_(pages.environment_.memory, shape, pages.adjacency_->facts().weight,
                4 * most_entries(page_bytes())) {
      const std::lock_guard lock(pages_.mutex_);
      pages_.held_by_.push_back(this);
    }
    ~Lane() override {
      release();
      const std::lock_guard lock(pages_.mutex_);
      std::erase(pages_.held_by_, this);
    }

    format::RecordBatch next() override {
      const PageContext& context = pages_.adjacency_->context();
      if (!held_ || done_ == held_->pages) {
        release();
        held_ = pages_.scan_->next();
        done_ = 0;
        if (!held_) return {};
        pages_.check_place(*held_);
        next_edge_ = page_foot(held_->data, page_bytes()).first_entry;
      }
      rows_.clear();
      first_edge_ = next_edge_;
      for (; done_ < held_->pages && !rows_.full(page_bytes()); ++done_) {
        const std::byte* const page = held_->data + done_ * page_bytes();
        const std::uint64_t number = held_->first_page + done_;
        pages_.adjacency_->verify(number, page);
        const PageFoot foot = page_foot(page, page_bytes());
        if (foot.first_entry != next_edge_) {
          context.refuse(number, "its entries do not follow those before it");
        }
        next_edge_ += foot.entries;
        rows_.add(pages_.adjacency_->cursor(number, page, true));
      }
      return rows_.batch();
    }
    bool holds_edges() const override { return held_ && done_ < held_->pages; }

    void release() {
      if (held_) pages_.scan_->release(*held_);
      held_.reset();
    }

   private:
    std::size_t page_bytes() const { return pages_.adjacency_->context().page_bytes; }
    Pages& pages_;
    Rows rows_;
    std::optional<PageScan::Loaded> held_;
    std::uint64_t done_ = 0;
    std::uint64_t next_edge_ = 0;
  };

  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  core::Environment& environment_;
  const std::unique_ptr<PagedAdjacency<Id>> adjacency_;
  const unsigned lanes_;
  std::optional<PageScan> scan_;
  std::mutex mutex_;  // guards the members below
  std::vector<Lane*> held_by_;
  std::vector<std::uint64_t>
      first_entries_;  // number of the first entry of each chunk, as far as known; last: of all
};

AdjacencyEdges::AdjacencyEdges(core::Environment& environment, core::InputFile input, unsigned max_lanes)
    : LanedSource(environment), input_(std::make_shared<core::InputFile>(std::move(input))) {
  ends_ = read_ends(*input_);
  const bool directed = (ends_.header.required_flags & flag_directed) != 0;
  facts_ = {.layout = {.id_bytes = ends_.header.id_bytes, .weight = ends_.header.weight_type()},
            .nodes = ends_.footer.nodes,
            .edges = ends_.footer.entries,
            .order = EdgeOrder::source_target,
            .directed = directed,
            .unique = true,
            .no_loops = true,
            .symmetric = !directed,
            .name = input_->name()};
  const std::size_t chunk = lane_chunk_bytes(environment_, ends_.header.page_bytes);
  open_lanes(max_lanes, 4 * chunk);
}

AdjacencyEdges::~AdjacencyEdges() = default;

// Opened when edges are requested: a solver that searches the file opens the pages itself.
AdjacencyEdges::PagesBase& AdjacencyEdges::pages() {
  if (pages_ != nullptr) return *pages_;
  const std::size_t chunk = lane_chunk_bytes(environment_, ends_.header.page_bytes);
  if (ends_.header.id_bytes == 4) {
    pages_ = std::make_unique<Pages<std::uint32_t>>(environment_, input_, ends_, chunk, working_lanes());
  } else {
    pages_ = std::make_unique<Pages<std::uint64_t>>(environment_, input_, ends_, chunk, working_lanes());
  }
  return *pages_;
}

std::unique_ptr<format::WorkingLane> AdjacencyEdges::make_lane(const core::PairShape& shape) {
  return pages().lane(shape);
}

void AdjacencyEdges::rewind() {
  if (pages_ != nullptr) pages_->rewind();
}

std::vector<std::byte> AdjacencyEdges::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  const auto plan = format::plan_sample(ends_.footer.pages, sample_pages, count, environment_.seed);
  for (const std::uint64_t page : plan.places) {
    pages().sample(page, shape, plan.records_per_place, records);
  }
  return records;
}

bool is_adjacency(const format::FileStart& start) {
  return start.starts_with({reinterpret_cast<const char*>(adjacency_magic.data()), adjacency_magic.size()});
}

format::Opened open_adjacency(core::Environment& environment, core::InputFile input,
                              const format::Format& /*format*/, const format::OpenOptions& options) {
  auto file = std::make_shared<AdjacencyEdges>(environment, std::move(input), options.max_lanes);
  const FileHeader& header = file->header();
  const FileFooter& footer = file->footer();
  format::Metadata details = {{"version", std::to_string(header.major) + "." + std::to_string(header.minor)},
                              {"page_bytes", std::to_string(header.page_bytes)},
                              {"pages", std::to_string(footer.pages)},
                              {"largest_degree", std::to_string(footer.largest_degree)},
                              {"largest_degree_node", std::to_string(footer.largest_degree_node)}};
  if (header.weight_type() != WeightType::none && footer.entries > 0) {
    const WeightRanks weights = weight_ranks(header, footer);
    details.emplace_back("least_weight", weight_text(header.weight_type(), weights.least));
    details.emplace_back("largest_weight", weight_text(header.weight_type(), weights.largest));
  }
  return {file, file->metadata(), std::move(details)};
}

std::unique_ptr<format::EdgeWriter> create_adjacency(const format::Creation& creation,
                                                     const format::Format& /*format*/) {
  return std::make_unique<AdjacencyWriter>(creation.environment, creation.open_output(), creation.facts,
                                           creation.options.metadata);
}

}  // namespace emgraph::graph::adjacency
