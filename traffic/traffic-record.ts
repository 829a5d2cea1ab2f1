import { createRedactor } from '../core/redaction/redact.ts';
import { buildRecord } from '../reports/record/build.ts';
import { checkRecord } from '../reports/record/check-record.ts';
import type { RunRecord, Waiver } from '../reports/record/record.ts';
import { some } from '../reports/text/figures.ts';
import type { Check } from '../engine/check.ts';
import { judgeTraffic } from './judge-traffic.ts';
import type { Traffic } from './read-traffic.ts';

export type TrafficFacts = {
  /** The name of the recording in reports. */
  readonly name: string;
  /** The checks of the suite, whose names the record uses. */
  readonly checks: readonly Check[];
  readonly keyHeader: string | undefined;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** How long it has taken so far, in milliseconds. Called when everything is judged. */
  readonly durationMs: () => number;
};

/** Judges recorded traffic. The record is that of a run that sent nothing, and contains no key of the recording. */
export function trafficRecord(traffic: Traffic, facts: TrafficFacts): RunRecord {
  const { name, checks, keyHeader, strict, waivers, startedAt, durationMs } = facts;
  const { baseUrl, recorded, principals } = traffic;
  const redactor = createRedactor(principals);
  const verdicts = judgeTraffic(checks, recorded, keyHeader);
  const done = checks.flatMap((check) => {
    const verdict = verdicts.get(check.id);
    return verdict === undefined ? [] : [checkRecord(check, verdict, 0, { target: { baseUrl }, redactor, strict })];
  });
  return buildRecord(checks, checks, done, {
    target: { name: redactor.text(name), baseUrl: redactor.text(baseUrl) },
    seed: 0,
    strict,
    only: [],
    startedAt,
    durationMs: durationMs(),
    requests: 0,
    observations: [],
    notes: [noteOf(traffic)],
    problems: [],
    interrupted: false,
    waivers: { waivers, acceptedGaps: [] },
  });
}

const words = {
  elsewhere: 'to other addresses',
  'another operation': 'for other operations',
  'asked otherwise': 'with parameters or for media types that the specification does not know',
  'no answer': 'without an answer',
  'from a cache': 'answered from a cache',
  'from a gateway': 'answered by a gateway that got no answer',
  malformed: 'that are no entries',
} as const;

function noteOf({ entries, recorded, leftOut }: Traffic): string {
  const unread = recorded.filter(({ isWhole }) => !isWhole).length;
  const left = [...leftOut].map(([reason, count]) => `${count} ${words[reason]}`);
  return [
    `Nothing was sent. ${recorded.length} of ${some(entries, 'recorded request')} ${recorded.length === 1 ? 'is' : 'are'} judged`,
    ...(unread === 0 ? [] : [`, ${unread} of them by status only, because bodies were not recorded whole`]),
    ...(left.length === 0 ? [] : [`; left out: ${left.join(', ')}`]),
    '.',
  ].join('');
}
