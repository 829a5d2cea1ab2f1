const colors = `
:root { color-scheme: light dark; --page: #f5f6f8; --card: #fff; --ink: #1a1f26; --faint: #545d68; --line: #d9dee5; --link: #0b57c4;
  --good: #10653a; --good-soft: #e1f3e7; --bad: #ab2119; --bad-soft: #fdeae8; --doubt: #7a4b00; --doubt-soft: #fdf1d3;
  --lost: #6d3b9a; --lost-soft: #f2e8fa; --held: #2f6368; --held-soft: #dff1f2; --idle: #48525f; --idle-soft: #e8ecf1; --code: #f0f2f5; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1217; --card: #161b22; --ink: #e5e9ef; --faint: #9ba7b4; --line: #2c3540;
  --link: #83b7ff; --good: #6cdb99; --good-soft: #12301f; --bad: #ff9d94; --bad-soft: #3b1816; --doubt: #efc152; --doubt-soft: #35290c;
  --lost: #d7a9f4; --lost-soft: #2d1c3a; --held: #7fd0d6; --held-soft: #12302f; --idle: #acb7c5; --idle-soft: #242c36; --code: #1d242d; } }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --faint: #444; --line: #bbb; --link: #000;
  --good: #10653a; --good-soft: #fff; --bad: #ab2119; --bad-soft: #fff; --doubt: #7a4b00; --doubt-soft: #fff; --lost: #6d3b9a;
  --lost-soft: #fff; --held: #2f6368; --held-soft: #fff; --idle: #48525f; --idle-soft: #fff; --code: #fff; } }
.is-passed, .is-conformant, .is-good { --tone: var(--good); --soft: var(--good-soft); }
.is-failed, .is-nonconformant, .is-bad { --tone: var(--bad); --soft: var(--bad-soft); }
.is-waived, .is-accepted, .is-conformant-with-gaps { --tone: var(--held); --soft: var(--held-soft); }
.is-warned, .is-incomplete, .is-no-verdict, .is-doubtful { --tone: var(--doubt); --soft: var(--doubt-soft); }
.is-errored { --tone: var(--lost); --soft: var(--lost-soft); }
.is-blocked, .is-interrupted, .is-idle, .is-unobservable, .is-unselected { --tone: var(--idle); --soft: var(--idle-soft); }
`;

const elements = `
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.page { overflow-wrap: anywhere; max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h2, h3, h4, p, ul, ol, dl, dd, pre { margin: 0; }
h1 { font-size: clamp(2rem, 7vw, 3rem); line-height: 1.1; letter-spacing: -.02em; color: var(--tone); }
h2 { font-size: 1.4rem; line-height: 1.25; margin-top: 2.25rem; }
h3 { font-size: 1.05rem; line-height: 1.4; }
h4 { font-size: .8rem; color: var(--faint); text-transform: uppercase; letter-spacing: .05em; margin: 1.1rem 0 .3rem; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .86em; }
code, .value, dd, h3, .sentence, .reason p, .notes li { unicode-bidi: isolate; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .75rem; white-space: pre-wrap; unicode-bidi: isolate; }
pre.long { max-height: 24rem; overflow: auto; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
#content:focus { outline: none; }
[hidden] { display: none !important; }
.part { display: contents; }
.hidden, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: fixed; z-index: 3; top: .5rem; left: .5rem; padding: .5rem 1rem; background: var(--card); }
.plain { list-style: none; padding: 0; }
.note { color: var(--faint); font-size: .88rem; }
.lead { color: var(--faint); margin: .3rem 0 1rem; max-width: 44rem; }
.count { color: var(--faint); font-weight: 400; font-size: .85em; margin-left: .25rem; }
.label { font-weight: 600; font-size: .88rem; margin: .75rem 0 .3rem; }
.sign { font-weight: 700; }
.mark { display: inline-block; color: var(--tone); background: var(--soft); border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent);
  border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; font-weight: 600; line-height: 1.55; white-space: nowrap; }
`;

const top = `
header { background: var(--soft); border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent); border-left: .4rem solid var(--tone);
  border-radius: .75rem; padding: 1.1rem 1.5rem; }
header .eyebrow { color: var(--faint); font-size: .9rem; }
header .sentence { font-size: 1.15rem; margin-top: .4rem; }
header .broken { margin: .6rem 0 0; padding-left: 1.2rem; }
header .target { margin-top: .6rem; }
header .target strong { margin-right: .5rem; unicode-bidi: isolate; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); gap: .75rem; margin-top: 1rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem 1rem; text-decoration: none; color: var(--tone); }
.tile b { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile.none { color: var(--faint); }
.tile.none b { font-weight: 400; }
a.tile:hover { border-color: var(--tone); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); gap: .75rem 1.5rem; margin: 1.25rem .25rem 0; font-size: .92rem; }
dt { color: var(--faint); font-size: .8rem; }
.facts.brief { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin-top: .9rem; font-size: .88rem; }
.brief > div { display: flex; gap: .4rem; align-items: baseline; }
.brief dt { flex: none; }
.notes { margin: 1.25rem .25rem 0; }
.notes h2 { font-size: 1rem; margin: 0; }
nav { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); margin-top: .75rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; list-style: none; padding: .65rem .25rem; }
nav a { display: inline-block; white-space: nowrap; text-decoration: none; text-transform: capitalize; padding: .1rem 0; }
nav a:hover { text-decoration: underline; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--faint); font-size: .88rem; }
`;

const found = `
.finding { background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--tone); border-radius: .6rem; margin-top: 1rem; }
.consequences { margin: .4rem 0 0 1.4rem; }
.finding > summary { position: relative; display: block; padding: .9rem 1.1rem .9rem 2.3rem; }
.finding > summary::-webkit-details-marker, .finding > summary::before { content: "▸"; position: absolute; left: 1rem; color: var(--faint); }
.finding[open] > summary::before { content: "▾"; }
.meta { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: center; color: var(--faint); font-size: .88rem; margin-top: .3rem; }
.inside { padding: 0 1.1rem 1.2rem; margin-top: -.6rem; scroll-margin-top: 9rem; }
.compared { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.value { white-space: pre-wrap; }
.labelled .value { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .75rem; }
mark { color: inherit; border-radius: .2rem; padding: 0 .1rem; text-decoration: underline; text-decoration-thickness: 2px; }
mark.lost { background: var(--good-soft); text-decoration-color: var(--good); }
mark.gained { background: var(--bad-soft); text-decoration-color: var(--bad); }
.curl { position: relative; }
.copy { position: absolute; right: 0; top: -.35rem; font: inherit; font-size: .85rem; color: var(--link); background: var(--card);
  border: 1px solid var(--line); border-radius: .4rem; padding: .1rem .75rem; min-height: 1.75rem; cursor: pointer; }
.timeline { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: .4rem; }
.timeline > li + li { border-top: 1px solid var(--line); }
.timeline summary { display: grid; grid-template-columns: 5rem minmax(0, 1fr) fit-content(45%); gap: .15rem .75rem; align-items: baseline; padding: .5rem .75rem; font-size: .92rem; }
.timeline .when { color: var(--faint); font-variant-numeric: tabular-nums; }
.timeline .when::before { content: "▸ "; }
.timeline [open] > summary .when::before { content: "▾ "; }
.what, .came { min-width: 0; unicode-bidi: isolate; }
.status { font-weight: 600; }
.bar { display: block; width: 100%; height: .3rem; background: var(--code); border-radius: .15rem; }
.bar rect { fill: var(--tone); }
.lanes { display: grid; gap: .2rem; margin-block: .4rem; }
.lane { display: grid; grid-template-columns: clamp(4rem, 18%, 10rem) 1fr; align-items: center; gap: .6rem; }
.lane svg { width: 100%; height: 24px; background: var(--code); border-radius: .15rem; }
.lane text { font-size: 11px; fill: var(--ink); }
.lane text.cut { text-anchor: middle; fill: var(--faint); font-size: 16px; }
.lane rect { fill: var(--link); }
.lane rect.fails { fill: var(--bad); }
.lane-list { list-style: none; padding: 0; }
.timeline .bar { grid-column: 1 / -1; }
.timeline .bar rect { fill: var(--link); }
.exchange { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem; padding: 0 .75rem .75rem; }
.exchange .name { color: var(--faint); }
.exchange .note { margin: .4rem 0 .3rem; }
`;

const lists = `
.reason { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem 1rem; margin-top: .6rem; }
.reason summary, .requirement summary { color: var(--faint); font-size: .88rem; width: fit-content; }
.ids code { display: inline-block; margin-right: .5rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); font-size: .92rem; margin-top: .75rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem; border-bottom: 1px solid var(--line); }
thead th { color: var(--faint); font-size: .8rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; }
.areas { overflow-wrap: break-word; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { color: var(--tone, inherit); }
td.number.none { color: var(--faint); font-weight: 400; }
td.share { width: 22%; vertical-align: middle; }
td.share .bar { height: .55rem; min-width: 5rem; }
.observations th[scope=row] { width: 19rem; }
.values li + li { margin-top: .15rem; }
.evidence summary::marker, .cases summary::marker { color: var(--faint); }
.cases > .values { margin: .15rem 0 .3rem 1.1rem; }
.observations th .note { font-weight: 400; margin-top: .15rem; }
.evidence .exchange { border-left: 3px solid var(--line); margin: .3rem 0 .8rem .3rem; }
.controls { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: end; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; padding: 1rem 1.1rem; margin-top: .75rem; font-size: .92rem; }
.controls .search { flex: 1 1 14rem; }
.controls > label { color: var(--faint); font-size: .85rem; }
.controls input[type=search], .controls select { display: block; width: 100%; font: inherit; font-size: 1rem; color: var(--ink); background: var(--page);
  border: 1px solid var(--faint); border-radius: .4rem; padding: .35rem .6rem; min-height: 2.3rem; }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; flex-basis: 100%; }
legend { color: var(--faint); font-size: .85rem; padding: 0; margin-bottom: .2rem; }
fieldset label { display: inline-flex; align-items: center; gap: .35rem; min-height: 1.75rem; }
.group { margin-top: 1.25rem; }
.group > summary h3 { display: inline; }
.tile[aria-current] { outline: 2px solid var(--tone); background: var(--soft); }
.requirement { display: grid; grid-template-columns: 8.75rem minmax(0, 1fr); gap: .25rem .75rem; padding: .65rem 0; border-top: 1px solid var(--line); }
.group ul { margin-top: .4rem; }
.requirement > .mark { justify-self: start; align-self: start; margin-top: .1rem; }
.checks { font-size: .92rem; }
.checks li { margin-top: .25rem; }
`;

const media = `
@media (max-width: 44rem) {
  .page { padding: 1rem .8rem 3rem; }
  header { padding: 1.1rem 1.1rem; }
  nav ul { flex-wrap: nowrap; overflow-x: auto; }
  .tiles { grid-template-columns: repeat(6, 1fr); gap: .5rem; }
  .tile { grid-column: span 2; padding: .5rem .7rem; }
  .tile:nth-child(4):nth-last-child(2), .tile:nth-child(5):last-child, .tile:first-child:nth-last-child(4), .tile:first-child:nth-last-child(4) ~ .tile { grid-column: span 3; }
  .compared, .exchange { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .areas th, .areas td { padding: .4rem .45rem; }
  .requirement { grid-template-columns: minmax(0, 1fr); }
  .timeline summary { grid-template-columns: 5rem minmax(0, 1fr); }
  .timeline .what { grid-column: 1 / -1; grid-row: 2; }
  .observations, .observations thead, .observations tbody, .observations tr, .observations th, .observations td { display: block; width: auto !important; }
  .observations thead { display: none; }
  .observations th[scope=row] { border-bottom: 0; padding-bottom: 0; }
}
@page { margin: 14mm; }
@media print {
  body { font-size: 10pt; }
  .page { max-width: none; padding: 0; }
  nav, .controls, .copy, .skip, .evidence > .exchange, .requirement details { display: none !important; }
  .exchange { grid-template-columns: minmax(0, 1fr); }
  .exchange pre { font-size: 7.5pt; }
  .exchange .long { max-height: 9rem; overflow: hidden; break-inside: avoid; }
  .body-note::after { content: "; on paper only the beginning"; }
  .requirement { padding: .3rem 0; }
  .requirement .meta { margin: 0; }
  .group { margin-top: 1rem; }
  td, th { padding: .25rem .6rem; }
  .finding > summary, .compared, .curl, .requirement, .reason, tr { break-inside: avoid; }
  .finding > summary { break-after: avoid; }
  h2, h3, h4, .label, .body-note { break-after: avoid; }
  tfoot { display: table-row-group; }
  pre.long { max-height: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;

/** How the page looks: by light and by dark, on a phone and on paper. */
export const style = [colors, elements, top, found, lists, media].join('');
