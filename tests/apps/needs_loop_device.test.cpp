// SPDX-License-Identifier: MIT
// Temporary data on a block device. ctest shows this file as skipped where there is no loop device.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("a block device is used if it is requested, unused and large enough") {
  Workplace here;
  here.run("truncate -s 64M image && losetup -f --show image > device");
  std::string device = here.read("device");
  if (device.empty()) {
    skip("there is no loop device");
    return;
  }
  device.pop_back();
  const std::string sort = "emgraph sort gen:random,edges=6M -M 16M -q -f -o ";
  const Outcome unasked = here.run(sort + "refused.bin -T " + device);
  const Outcome used = here.run(sort + "sorted.bin --disk " + device + ",raw=yes");
  const Outcome twice =
      here.run(sort + "refused.bin --disk " + device + ",raw=yes --disk " + device + ",raw=yes");
  const Outcome full =
      here.run("emgraph sort gen:random,edges=20M -M 16M -q -o refused.bin --disk " + device + ",raw=yes");
  const Outcome mounted = here.run("mkdir m && unshare -m sh -c 'mkfs.ext4 -q " + device + " && mount " +
                                   device + " m && touch was_mounted && \"" + tested_program() +
                                   "\" mis gen:random,edges=1000 --disk " + device + ",raw=yes'");
  const Outcome unmounted = here.run("mkfs.ext4 -q -F " + device + " && touch formatted && " + sort +
                                     "refused.bin --disk " + device + ",raw=yes");
  const Outcome forced = here.run(sort + "forced.bin --disk " + device + ",raw=force");
  const Outcome variable = here.run("EMGRAPH_DISKS=" + device + ",raw=force " + sort + "refused.bin");
  here.run("losetup -d " + device);
  require_failure(unasked, 2, {device + " is a block device", "raw=yes"});
  INFO(used.error);
  CHECK(used.exit_code == 0);
  require_failure(twice, 4, {device, "in use"});
  require_failure(full, 4, {device + " is full", "of 64.0 MiB"});
  if (here.exists("formatted")) require_failure(unmounted, 2, {device, "ext4", "raw=force"});
  CHECK(forced.exit_code == 0);
  require_failure(variable, 2, {"EMGRAPH_DISKS", "raw"});
  if (here.exists("was_mounted")) require_failure(mounted, 4, {device, "is in use: mounted"});
  here.succeed(sort + "other.bin && cmp sorted.bin other.bin");
  CHECK(!here.exists("refused.bin"));
  CHECK(std::filesystem::file_size(here.path("image")) == 64 << 20);
}

}  // namespace emgraph::tests
