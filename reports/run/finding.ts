import { shown } from '../../core/text.ts';
import type { Paint } from '../text/paint.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { standingOf } from '../record/standing.ts';
import { statusLine } from '../text/status-line.ts';
import { tones } from '../text/tones.ts';
import { waiverSentence } from '../record/waiver-sentence.ts';

/** A longer line of curl stands in the report only, in characters. */
const maxCurl = 1500;

/** What became of a check, for a terminal: the promise, what was expected, what came, and how to see it again. */
export function finding(check: CheckRecord, requirements: RunRecord['requirements'], paint: Paint): string {
  const { requirement: id, counterexample, curl, waived } = check;
  const standing = standingOf(check);
  const requirement = requirements.find((candidate) => candidate.id === id);
  const last = check.exchanges.at(-1);
  const lines = [
    `${paint(tones[standing], standing.toUpperCase())}  ${paint('strong', shown(check.id, 160))}  ${paint(
      'faint',
      `${check.level}, section ${shown(requirement?.section ?? '?', 20)}`,
    )}`,
    `  ${shown(requirement?.sentence ?? check.title, 500)}`,
    ...row('waiver', waived && waiverSentence(waived)),
    ...row('expected', check.expected),
    ...row('actual', check.actual),
    ...row('reason', check.reason),
    ...row('answered', last && statusLine(last)),
    ...row('values', counterexample?.values),
    ...row('curl', curl === undefined || curl.length <= maxCurl ? curl : 'too long for here: see the report'),
  ];
  return lines.join('\n');
}

function row(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`  ${name.padEnd(9)} ${shown(text, maxCurl)}`];
}
