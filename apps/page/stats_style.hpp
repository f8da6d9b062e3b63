// SPDX-License-Identifier: MIT
// Colours, fonts and places of the page of `stats --html`: light, dark, narrow, printed.
#pragma once

#include <string_view>

namespace emgraph::apps {

/// Text on its ground has a contrast of at least 4.5 to 1 in both colour schemes, marks of at least 3 to 1.
inline constexpr std::string_view stats_style = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f7f9; --text: #1b2026; --quiet: #56606b; --rule: #d5dbe1;
  --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181c; --panel: #1d2329; --text: #e7ebef; --quiet: #a3adb8; --rule: #39424c;
    --point: #6fb0ff; --line: #ff9d5c; --area: #4b3323;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
.quiet, figcaption, caption { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
.facts div { flex: 1 0 9rem; background: var(--panel); border: 1px solid var(--rule); border-radius: .5rem; padding: .6rem .8rem; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1.25rem 2rem;
  align-items: start; }
.wide + .side, .side + .side { margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; margin: 0 0 .5rem; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: normal; }
td { white-space: nowrap; }
thead th { color: var(--quiet); font-size: .875rem; font-weight: 600; }
.wide { overflow-x: auto; }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 13px; }
svg .label { fill: var(--text); }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { fill: none; stroke: var(--quiet); stroke-width: 1; }
.point { fill: var(--point); fill-opacity: .75; }
.mark { fill: var(--line); }
.line { fill: none; stroke: var(--line); stroke-width: 1.8; stroke-linejoin: round; }
.area { fill: var(--area); }
.bar { fill: var(--point); }
.point:hover, .mark:hover { stroke: var(--text); stroke-width: 2; fill-opacity: 1; }
.bar:hover { stroke: var(--text); stroke-width: 1.5; }
footer { margin-top: 2.5rem; }
@media (max-width: 30rem) {
  main { padding: 1rem .75rem 2rem; }
  .facts { gap: .5rem; }
  .facts dd { font-size: 1.05rem; }
  th, td { padding: .25rem .3rem; }
  table { font-size: .9rem; }
  svg text { font-size: 16px; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --panel: #fff; --text: #000; --quiet: #333; --rule: #bbb;
    --point: #2f6fbd; --line: #b0480f; --area: #f3d9c8; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  .side { grid-template-columns: 1fr 1fr; gap: 1rem 1.5rem; }
  .facts { gap: .5rem; }
  .facts div { flex-basis: 6rem; padding: .4rem .5rem; }
  figure, table, .facts { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
)";

}  // namespace emgraph::apps
