// SPDX-License-Identifier: MIT
// Finds the end of the directory from the end of the file, then reads the entries.
#include "graph/format/arrays/zip_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t end_bytes = 22;
constexpr std::size_t locator_bytes = 20;
constexpr std::size_t most_comment_bytes = 65535;
constexpr std::uint64_t most_directory_bytes = std::uint64_t{1} << 20;
constexpr std::size_t most_members = 1024;
constexpr std::uint32_t unknown_32 = 0xffffffff;

class Bytes {
 public:
  Bytes(const std::string& file, std::vector<std::byte> bytes) : file_(file), bytes_(std::move(bytes)) {}

  std::size_t size() const { return bytes_.size(); }
  template <class T>
  T at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) damaged();
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(value));
    return value;
  }
  std::string text(std::size_t offset, std::size_t length) const {
    if (offset > bytes_.size() || bytes_.size() - offset < length) damaged();
    return {reinterpret_cast<const char*>(bytes_.data()) + offset, length};
  }
  bool has(std::size_t offset, std::string_view magic) const {
    return offset + magic.size() <= bytes_.size() &&
           std::memcmp(bytes_.data() + offset, magic.data(), magic.size()) == 0;
  }
  [[noreturn]] void damaged() const {
    throw core::DataError::in_file(file_, "the directory of the archive is damaged or truncated");
  }

 private:
  const std::string& file_;
  std::vector<std::byte> bytes_;
};

/// Fewer bytes where the file ends. An offset in the file may be any number.
Bytes read_bytes(core::InputFile& file, std::uint64_t offset, std::uint64_t length) {
  std::vector<std::byte> bytes;
  if (offset < file.size()) {
    bytes.resize(static_cast<std::size_t>(length));
    bytes.resize(file.read_at(offset, bytes));
  }
  return {file.name(), std::move(bytes)};
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

Directory find_directory(core::InputFile& file) {
  const std::uint64_t size = file.size();
  const std::uint64_t tail = std::min<std::uint64_t>(size, end_bytes + most_comment_bytes + locator_bytes);
  const Bytes end = read_bytes(file, size - tail, tail);
  if (end.size() < end_bytes) end.damaged();
  std::size_t at = end.size() - end_bytes;
  while (!end.has(at, "PK\x05\x06")) {
    if (at == 0) end.damaged();
    --at;
  }
  Directory directory{.offset = end.at<std::uint32_t>(at + 16), .bytes = end.at<std::uint32_t>(at + 12)};
  if (at >= locator_bytes && end.has(at - locator_bytes, "PK\x06\x07")) {
    const Bytes wide = read_bytes(file, end.at<std::uint64_t>(at - locator_bytes + 8), 56);
    if (!wide.has(0, "PK\x06\x06")) wide.damaged();
    directory = {.offset = wide.at<std::uint64_t>(48), .bytes = wide.at<std::uint64_t>(40)};
  }
  if (directory.bytes > most_directory_bytes || directory.offset > size ||
      size - directory.offset < directory.bytes) {
    end.damaged();
  }
  return directory;
}

/// Takes the 64-bit values of the extra field with id 1, for the fields that are all ones.
void take_wide_sizes(const Bytes& entries, std::size_t at, std::size_t length, ByteRange& range) {
  const std::size_t end = at + length;
  while (at + 4 <= end) {
    const std::size_t field_end = at + 4 + entries.at<std::uint16_t>(at + 2);
    if (entries.at<std::uint16_t>(at) == 1) {
      std::size_t value = at + 4;
      for (std::uint64_t* const size : {&range.bytes, &range.stored_bytes, &range.offset}) {
        if (*size != unknown_32 || value + 8 > field_end) continue;
        *size = entries.at<std::uint64_t>(value);
        value += 8;
      }
    }
    at = field_end;
  }
}

/// The offset of the data behind the member's own header.
void find_data(core::InputFile& file, ByteRange& range) {
  constexpr std::size_t local_bytes = 30;
  const Bytes local = read_bytes(file, range.offset, local_bytes);
  if (!local.has(0, "PK\x03\x04")) local.damaged();
  range.offset += local_bytes + local.at<std::uint16_t>(26) + local.at<std::uint16_t>(28);
  if (range.offset > file.size() || file.size() - range.offset < range.stored_bytes) local.damaged();
  if (!range.deflated && range.stored_bytes != range.bytes) local.damaged();
}

}  // namespace

std::map<std::string, ByteRange> read_zip_directory(core::InputFile& file) {
  const Directory directory = find_directory(file);
  const Bytes entries = read_bytes(file, directory.offset, directory.bytes);
  std::map<std::string, ByteRange> members;
  constexpr std::size_t entry_bytes = 46;
  for (std::size_t at = 0; at < entries.size();) {
    if (!entries.has(at, "PK\x01\x02") || members.size() == most_members) entries.damaged();
    const std::size_t name_bytes = entries.at<std::uint16_t>(at + 28);
    const std::size_t extra_bytes = entries.at<std::uint16_t>(at + 30);
    const std::string name = entries.text(at + entry_bytes, name_bytes);
    const auto method = entries.at<std::uint16_t>(at + 10);
    ByteRange range = {.name = file.name() + ": " + name,
                       .offset = entries.at<std::uint32_t>(at + 42),
                       .stored_bytes = entries.at<std::uint32_t>(at + 20),
                       .bytes = entries.at<std::uint32_t>(at + 24),
                       .deflated = method == 8,
                       .checked = true,
                       .checksum = entries.at<std::uint32_t>(at + 16)};
    if ((method != 0 && method != 8) || (entries.at<std::uint16_t>(at + 8) & 1) != 0) {
      throw core::DataError::in_file(range.name, "is encrypted, or packed in a way other than deflate");
    }
    take_wide_sizes(entries, at + entry_bytes + name_bytes, extra_bytes, range);
    find_data(file, range);
    members.emplace(name, std::move(range));
    at += entry_bytes + name_bytes + extra_bytes + entries.at<std::uint16_t>(at + 32);
  }
  return members;
}

}  // namespace emgraph::graph::format
