import type { Proof } from './prove.ts';

/** Lines of one kind that are shown. */
const maxLines = 40;

/** The proof on a screen: the figures, and whatever keeps it from holding. */
export function proofSummary(proof: Proof): string {
  const { matrix, gaps, deployments, alarms, crossings, escapes, seconds } = proof;
  const killed = matrix.filter(({ killers }) => killers.length > 0).length;
  return [
    ...section('Gaps in the kill matrix', gaps),
    ...section(
      'Legal deployments accused',
      alarms.map(
        ({ trial, findings }) =>
          `${trialText(trial)}${findings.map(({ check, kind, text }) => `\n    ${check} ${kind}: ${text}`).join('')}`,
      ),
    ),
    ...section(
      'Faults unseen in an oddly legal deployment',
      escapes.map(
        ({ fault, trial, findings }) =>
          `${fault} in ${trialText(trial)}${findings.map(({ check, kind, text }) => `\n    ${check} ${kind}: ${text}`).join('')}`,
      ),
    ),
    `seed ${proof.seed}: ${matrix.length} faults, ${killed} killed, ${matrix.length - killed} survivors · ${deployments} legal deployments, ${alarms.length} accused · ${crossings} faulty ones oddly legal, ${escapes.length} unseen · ${seconds.toFixed(1)} s`,
    '',
  ].join('\n');
}

export function holds({ gaps, alarms, escapes }: Proof): boolean {
  return gaps.length + alarms.length + escapes.length === 0;
}

function trialText({ seed, choices }: { seed: number; choices: Readonly<Record<string, string>> }): string {
  const chosen = Object.entries(choices).map(([axis, value]) => `--choice ${axis}=${value}`);
  return `--seed ${seed} ${chosen.join(' ')}`.trimEnd();
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > maxLines ? [`  … and ${lines.length - maxLines} more`] : [];
  return [`${title} (${lines.length})`, ...lines.slice(0, maxLines).map((line) => `  ${line}`), ...more, ''];
}
