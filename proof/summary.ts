import { judges } from './judge-deployment.ts';
import type { KillRow } from './kill.ts';
import type { Proof } from './prove.ts';
import type { FalseAlarm } from './sweep.ts';
import { type LimitedTrial, slowest, tooLong } from './time-limit.ts';
import type { Finding, Trial } from './trial.ts';

/** Lines of one kind that are shown, and runs that are shown as the slowest. */
const maxLines = 40;
const shownRuns = 10;

/** The proof on a screen: the figures, and everything that keeps it from holding. */
export function proofSummary(proof: Proof): string {
  const { seed, matrix, gaps, deployments, alarms, crossings, escapes, runs, seconds } = proof;
  const killed = matrix.filter(({ killers }) => killers.length > 0).length;
  const figures = [
    `seed ${seed}: ${matrix.length} faults, ${killed} killed, ${matrix.length - killed} survivors`,
    ...detectedText(matrix),
    `${deployments} legal deployments judged by suite, load and traffic, ${alarms.length} accused`,
    `${crossings} faulty ones oddly legal, ${escapes.length} unseen`,
    `${seconds.toFixed(1)} s`,
  ];
  return [
    ...section('Gaps in the kill matrix', gaps),
    ...section('Legal deployments accused', alarms.map(alarmText)),
    ...section(
      'Faults unseen in an oddly legal deployment',
      escapes.map(({ fault, trial, findings }) => {
        const lines = findings.map((finding) => `\n    ${findingText(finding)}`);
        return `${fault} in ${trialText(trial)}${lines.join('')}`;
      }),
    ),
    ...section('Runs that take longer than twice a conformant one and 30 s', tooLong(runs).map(runText)),
    ...section('The runs closest to that limit', slowest(runs, shownRuns).map(runText)),
    figures.join(' · '),
    '',
  ].join('\n');
}

/** How many faults a load and recorded traffic detect by the requirement that they break; empty where neither was tried. */
function detectedText(matrix: readonly KillRow[]): readonly string[] {
  const tried = matrix.flatMap(({ breaks, seenBy }) => (seenBy === undefined ? [] : [{ breaks, ...seenBy }]));
  if (tried.length === 0) return [];
  const load = tried.filter(({ breaks, load }) => load.includes(breaks)).length;
  const traffic = tried.filter(({ breaks, traffic }) => traffic.includes(breaks)).length;
  return [`load detects ${load} of them, recorded traffic ${traffic}`];
}

export function holds({ gaps, alarms, escapes, runs }: Proof): boolean {
  return gaps.length + alarms.length + escapes.length + tooLong(runs).length === 0;
}

/** A run with its virtual time and its limit. */
function runText({ trial, seconds, limit }: LimitedTrial): string {
  const time = `${seconds.toFixed(0)} of ${limit.toFixed(0)} s`;
  return [time, ...trial.faults.map((fault) => `--fault ${fault}`), trialText(trial)].join(' ');
}

/** The flags that judge the deployment again, and what each judge accuses it of. */
export function alarmText({ trial, accused }: FalseAlarm): string {
  const lines = judges.flatMap((judge) => accused[judge].map((finding) => `\n    ${judge}: ${findingText(finding)}`));
  return `awc proof ${trialText(trial)}${lines.join('')}`;
}

/** A false alarm that is still to be shrunk. */
export function foundText(alarm: FalseAlarm): string {
  return `Legal deployment accused; looking for the smallest one like it, which may take minutes:\n  ${alarmText(alarm)}\n`;
}

function findingText({ check, kind, text }: Finding): string {
  return `${check} ${kind}: ${text}`;
}

function trialText({ seed, choices }: Trial): string {
  const chosen = Object.entries(choices).map(([axis, value]) => `--choice ${axis}=${value}`);
  return `--seed ${seed} ${chosen.join(' ')}`.trimEnd();
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > maxLines ? [`  … and ${lines.length - maxLines} more`] : [];
  return [`${title} (${lines.length})`, ...lines.slice(0, maxLines).map((line) => `  ${line}`), ...more, ''];
}
