import { createHash } from 'node:crypto';
import type { RunRecord } from '../record.ts';
import { standingOf } from '../standing.ts';
import { resultWord } from '../verdict-sentence.ts';
import { areaTable } from './area-table.ts';
import { blockedSection } from './blocked.ts';
import { findings, told } from './findings.ts';
import { heading } from './heading.ts';
import { Markup, markup } from './markup.ts';
import { observationTable } from './observation-table.ts';
import { requirementList } from './requirement-list.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** Nothing is fetched, and only this very style and this very script are heeded, whatever a target smuggles in. */
const policy = [
  "default-src 'none'",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  'img-src data:', // the icon, which browsers would ask the server for
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A run as one page that needs nothing but itself. */
export function renderHtml(record: RunRecord): string {
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${resultWord(record)}: ${record.target.name}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style></head>
<body><a class="skip" href="#content">Skip to the findings</a>
<div class="page"><main>${heading(record)}
${navigation(record)}
<div id="content" tabindex="-1">${findings(record)}
${blockedSection(record)}
${areaTable(record)}
${requirementList(record)}
${observationTable(record)}</div></main>
<footer><p>Made from <code>${record.format}</code> by ${record.suite.name} ${record.suite.version}; the catalogue's digest is <code>${record.spec.digest}</code>. Keys are replaced by the names of
their variables.</p></footer></div>
<script>${new Markup(script)}</script></body></html>
`;
  return page.text;
}

function navigation({ checks, requirements, observations }: RunRecord): Markup {
  const isThere = (standing: string) =>
    checks.some((check) => standingOf(check) === standing) || requirements.some(({ verdict }) => verdict === standing);
  const names = [
    ...[...told, 'blocked'].filter(isThere),
    'areas',
    'requirements',
    ...(observations.length > 0 ? ['observations'] : []),
  ];
  const links = names.map((name) => markup`<li><a href="#${name}">${name}</a></li>`);
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
