import type { RunRecord } from '../../record/record.ts';
import { standingOf } from '../../record/standing.ts';
import { resultWord } from '../../record/verdict-sentence.ts';
import { areaTable } from './area-table.ts';
import { blockedSection } from './blocked.ts';
import { findings, told } from './findings.ts';
import { heading } from './heading.ts';
import { markup } from '../../page/markup.ts';
import { navigation } from '../../page/navigation.ts';
import { observationTable } from './observation-table.ts';
import { page } from '../../page/page.ts';
import { requirementList } from './requirement-list.ts';
import { script } from './script.ts';
import { style } from '../../page/style.ts';

/** A run as one page that needs nothing but itself. */
export function renderHtml(record: RunRecord): string {
  const { format, suite, spec, target } = record;
  return page({
    title: `${resultWord(record)}: ${target.name}`,
    style,
    script,
    skip: 'Skip to the findings',
    main: markup`${heading(record)}
${navigation(sections(record))}
<div id="content" tabindex="-1">${findings(record)}
${blockedSection(record)}
${areaTable(record)}
${requirementList(record)}
${observationTable(record)}</div>`,
    footer: markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}; the catalogue's digest is <code>${spec.digest}</code>. Keys are replaced by the names of
their variables.`,
  });
}

function sections({ checks, requirements, observations }: RunRecord): readonly string[] {
  const isThere = (standing: string) =>
    checks.some((check) => standingOf(check) === standing) || requirements.some(({ verdict }) => verdict === standing);
  return [
    ...[...told, 'blocked'].filter(isThere),
    'areas',
    'requirements',
    ...(observations.length > 0 ? ['observations'] : []),
  ];
}
