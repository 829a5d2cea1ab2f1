const colors = `
:root { --c-blue: #0b57c4; --c-orange: #b4540a; --c-pink: #b3246f; --c-green: #10793f; --c-teal: #0e7490; --c-violet: #6d3b9a; --c-red: #c02a20; --c-grey: #6b7684; --grid: #e4e8ed; }
@media (prefers-color-scheme: dark) { :root { --c-blue: #7db3ff; --c-orange: #f5a55a; --c-pink: #ff8fc0; --c-green: #5bd08b; --c-teal: #62cfe0;
  --c-violet: #cf9ff2; --c-red: #ff8a80; --c-grey: #8d99a7; --grid: #2a323c; } }
@media print { :root { --c-blue: #0b57c4; --c-orange: #b4540a; --c-pink: #b3246f; --c-green: #10793f; --c-teal: #0e7490; --c-violet: #6d3b9a; --c-red: #c02a20;
  --c-grey: #6b7684; --grid: #ddd; } }
.s-p50, .s-all, .s-achieved, .s-timeout { --series: var(--c-blue); }
.s-p95, .s-rateLimited { --series: var(--c-orange); }
.s-p99, .s-failed { --series: var(--c-red); }
.s-max, .s-offered, .s-transport { --series: var(--c-grey); }
.s-ok, .s-held { --series: var(--c-green); }
.s-conflict { --series: var(--c-teal); }
.s-refused { --series: var(--c-violet); }
.s-lag { --series: var(--c-teal); }
.s-broke { --series: var(--c-red); }
.s-generator { --series: var(--c-grey); }
.s-violated { --series: var(--c-violet); }
.s-interval { --series: var(--c-blue); }
.s-listModels { --series: var(--c-orange); }
.s-listDataSources { --series: var(--c-green); }
.s-getBillingAccount { --series: var(--c-violet); }
.s-sendMessage { --series: var(--c-pink); }
.s-attachOrganization { --series: var(--c-teal); }
.s-deleteDataSource { --series: var(--c-red); }
`;

const charts = `
.chart { margin: 1.25rem 0 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem .9rem; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: .85rem; margin: .5rem 0 .25rem; }
.legend li { display: inline-flex; align-items: center; gap: .4rem; }
.plot { display: grid; grid-template-columns: 56px minmax(0, 1fr); }
.plot svg { display: block; overflow: visible; }
.plot .picture { overflow: hidden; }
.plot text { fill: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; }
.axis text { text-anchor: end; }
.picture .at-middle { text-anchor: middle; }
.picture .at-end { text-anchor: end; }
.picture .grid { stroke: var(--grid); }
.chart path { fill: none; stroke: var(--series); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.chart path.lone { stroke-width: 6; stroke-dasharray: none; }
.chart path.dot { stroke-width: 10; stroke-opacity: .75; }
.chart svg svg rect { fill: var(--series); }
.chart svg rect.s-interval { fill-opacity: .18; }
.chart .s-max { stroke-dasharray: 1 4; }
.chart .limit, .legend .limit .stroke { stroke-dasharray: 2 5; stroke-width: 3; }
.chart .s-p99 { stroke-dasharray: 7 3; }
.chart path.area { fill: color-mix(in srgb, var(--series) 22%, transparent); stroke-width: 1; }
.chart .s-all { stroke-width: 3; }
.legend .stroke { stroke: var(--series); stroke-width: 3; stroke-linecap: round; }
.legend .fill { fill: none; }
.legend .s-ok .fill, .legend .s-rateLimited .fill, .legend .s-conflict .fill, .legend .s-refused .fill, .legend .s-failed .fill, .legend .s-timeout .fill,
.legend .s-transport .fill, .legend .s-lag .fill, .legend .s-interval .fill { fill: var(--series); }
.legend .s-interval .fill, .legend .s-offered .fill { fill: color-mix(in srgb, var(--series) 22%, transparent); }
.legend .s-interval .stroke, .legend .s-offered .stroke { stroke: none; }
.bin rect { fill: transparent; }
.bin text { visibility: hidden; }
.bin:hover rect { fill: color-mix(in srgb, var(--ink) 9%, transparent); }
.bin:hover text { visibility: visible; }
.plot .values { fill: var(--ink); font-weight: 600; }
.chart details { margin-top: .35rem; font-size: .92rem; }
.chart summary { color: var(--faint); width: fit-content; }
.chart .wide { max-height: 24rem; overflow: auto; }
.data { font-size: .86rem; margin-top: .4rem; }
.data th, .data td, .operations th, .operations td { padding: .3rem .6rem; white-space: nowrap; }
.data thead th { position: sticky; top: 0; background: var(--card); }
.tile { overflow-wrap: normal; padding: .7rem .8rem; }
.tile b { white-space: nowrap; }
.tiles.small { display: flex; flex-wrap: wrap; gap: .5rem; }
.tiles.small .tile { padding: .3rem .8rem; }
.tiles.small .tile b { display: inline; font-size: 1.1rem; }
.tile small { font-size: .55em; font-weight: 400; color: var(--faint); }
span.tile:not([class*=is-], .none) { color: var(--ink); }
.question { margin-top: .35rem; color: var(--faint); }
.judged .number, .judged thead th { white-space: nowrap; }
.judged tbody th { min-width: 6.5rem; }
.judged tbody th .note { font-weight: 400; }
.operations tr[data-status]:not([hidden]) ~ tr > th { color: var(--faint); font-weight: 400; }
.judged tr:target > * { background: var(--soft, var(--code)); }
.outcome { color: var(--tone); font-weight: 600; }
#generator ul { padding-left: 1.2rem; }
@media (min-width: 44.01rem) and (max-width: 60rem) { .tiles { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 44rem) {
  .chart { padding: .8rem .7rem; }
  .plot { grid-template-columns: 44px minmax(0, 1fr); }
  .axis text { transform: translateX(-12px); }
  .judged th, .judged td { padding: .4rem .45rem; }
  .tile b { font-size: 1.45rem; }
  #figures tbody th { min-width: 13rem; }
}
@media print {
  .tiles { grid-template-columns: repeat(3, 1fr); }
  .lead { break-after: avoid; }
  .chart { break-inside: avoid; }
  .chart details { display: none; }
}
`;

/** What a load report looks like beyond the style of all pages: colours of series, charts, tables of figures. */
export const loadStyle = colors + charts;
