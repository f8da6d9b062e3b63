// SPDX-License-Identifier: MIT
// Magic numbers on devices, tried on files of their size.
#include "core/block/device_signature.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "core/base/bytes.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::core {
namespace {

using namespace std::string_view_literals;

std::string found(const std::string& content) {
  const tests::TemporaryDirectory directory;
  const File file = File::open_read(directory.write("device", content), DirectIo::automatic);
  return device_signature(file, content.size()).value_or("nothing");
}

std::string with(std::size_t offset, std::string_view magic, std::size_t bytes = MiB) {
  std::string content(bytes, '\0');
  return content.replace(offset, magic.size(), magic);
}

TEST_CASE("known signatures are found", "[signature]") {
  CHECK_THAT(found(with(0x438, "\x53\xef"sv)), Catch::Contains("ext4"));
  CHECK_THAT(found(with(0, "XFSB"sv)), Catch::Contains("XFS"));
  CHECK_THAT(found(with(0x10040, "_BHRfS_M"sv)), Catch::Contains("btrfs"));
  CHECK_THAT(found(with(4086, "SWAPSPACE2"sv)), Catch::Contains("swap"));
  CHECK_THAT(found(with(0, "LUKS\xba\xbe"sv)), Catch::Contains("LUKS"));
  CHECK_THAT(found(with(512, "LABELONE\1\0\0\0\0\0\0\0....\x20\0\0\0LVM2 001"sv)), Catch::Contains("LVM"));
  CHECK_THAT(found(with(4096, "\xfc\x4e\x2b\xa9"sv)), Catch::Contains("RAID"));
  CHECK_THAT(found(with(MiB - 64 * KiB, "\xfc\x4e\x2b\xa9"sv)), Catch::Contains("RAID"));
  CHECK_THAT(found(with(MiB - 8 * KiB, "\xfc\x4e\x2b\xa9"sv)), Catch::Contains("RAID"));
  CHECK_THAT(found(with(512, "EFI PART"sv)), Catch::Contains("GPT"));
  CHECK_THAT(found(with(MiB - 512, "EFI PART"sv)), Catch::Contains("GPT"));
  CHECK_THAT(found(with(3, "NTFS    "sv)), Catch::Contains("NTFS"));
  CHECK_THAT(found(with(82, "FAT32   "sv)), Catch::Contains("FAT"));
  CHECK_THAT(found(with(132 * KiB, "\x0c\xb1\xba\0\0\0\0\0"sv)), Catch::Contains("ZFS"));
  std::string mbr = with(510, "\x55\xaa"sv);
  CHECK(found(mbr) == "nothing");  // no entry
  mbr[446 + 4] = '\x83';
  CHECK_THAT(found(mbr), Catch::Contains("partition table"));
  mbr[446] = '\x17';
  CHECK(found(mbr) == "nothing");  // no status of an entry
}

TEST_CASE("zeros, short and empty devices hold nothing", "[signature]") {
  CHECK(found(std::string(MiB, '\0')) == "nothing");
  CHECK(found(std::string(1000, 'x')) == "nothing");
  CHECK(found("") == "nothing");
}

}  // namespace
}  // namespace emgraph::core
