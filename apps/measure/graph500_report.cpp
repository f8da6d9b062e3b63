// SPDX-License-Identifier: MIT
// The statistics block, and what a summary says about the searches of a kernel.
#include "apps/measure/graph500_report.hpp"

#include <fmt/core.h>

#include <utility>

namespace emgraph::apps {

namespace {

namespace graph500 = graph::graph500;

SummaryObject rates(const graph500::RateStatistics& teps) {
  return {{"min", teps.minimum},
          {"first_quartile", teps.first_quartile},
          {"median", teps.median},
          {"third_quartile", teps.third_quartile},
          {"max", teps.maximum},
          {"harmonic_mean", teps.harmonic_mean},
          {"harmonic_stddev", teps.harmonic_stddev}};
}

SummaryList search_list(const std::vector<graph500::SearchRecord>& searches, bool distances) {
  SummaryList list;
  for (const graph500::SearchRecord& search : searches) {
    SummaryObject one = {{"root", search.root},
                         {"seconds", search.seconds},
                         {"validation_seconds", search.validation_seconds},
                         {"reached", search.reached},
                         {"edges_without_loops", search.edges},
                         {"loops", search.loops}};
    if (search.levels > 0) one.set("levels", search.levels);
    if (distances) one.set("max_distance", search.max_distance);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

std::string graph500_block(const graph500::RunRecord& run) {
  std::string text;
  for (const graph500::BlockLine& line : graph500::official_block(run)) {
    const std::string name = line.mark ? fmt::format("{:<29}!", line.name + ":") : line.name + ":";
    text += fmt::format("{:<32}{:.{}g}\n", name, line.value, line.digits);
  }
  return text;
}

void report_graph500_kernel(Report& report, const std::string& kernel,
                            const std::vector<graph500::SearchRecord>& searches, bool distances) {
  if (searches.empty()) return;
  const auto with_loops = graph500::teps(searches, true);
  const auto without_loops = graph500::teps(searches, false);
  report.hidden(kernel + "_searches", search_list(searches, distances));
  SummaryList checksums;
  for (const graph500::SearchRecord& search : searches) {
    checksums.push_back(fmt::format("{:016x}", search.checksum));
  }
  report.hidden(kernel + "_checksums", std::move(checksums));
  report.hidden(kernel + "_teps_without_loops", rates(without_loops));
  report.hidden(kernel + "_teps", rates(with_loops));
  report.shown(kernel + " TEPS", fmt::format("{:.4g} (harmonic mean, loops counted, by the specification)",
                                             with_loops.harmonic_mean));
  report.shown(kernel + " TEPS", fmt::format("{:.4g} (loops not counted, as the reference code has it)",
                                             without_loops.harmonic_mean));
}

}  // namespace emgraph::apps
