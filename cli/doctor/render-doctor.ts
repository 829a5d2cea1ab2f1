import type { TlsFacts } from '../../core/network/tls-facts.ts';
import type { Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import { painter } from '../../reports/text/paint.ts';
import { usedUpLines } from '../../reports/text/used-up-lines.ts';
import type { Examination } from '../../targets/doctor/examine.ts';
import type { Probe } from '../../targets/doctor/why-unusable.ts';
import type { Rehearsal } from '../run/rehearse.ts';
import { chatLines, conversationLines } from './conversation-lines.ts';
import { fixtureLines, unreadLines } from './fixture-lines.ts';
import { bad, doubtful, good, type Line, plain } from './line.ts';
import { listed } from '../../reports/text/some-of.ts';
import { blockedLines, planLines } from './plan-lines.ts';
import { pulseLines } from './pulse-lines.ts';
import { outOfReach, reachLines } from './reach-lines.ts';

export type Findings = {
  readonly target: Target;
  readonly notes: readonly string[];
  readonly examination: Examination;
  readonly rehearsal: Rehearsal;
  /** Undefined for the embedded reference. */
  readonly tls: TlsFacts | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
};

const marks = { good: '✓', bad: '✗', doubtful: '!', plain: ' ' } as const;

/** No line is longer, in characters. */
const maxLine = 600;

export type Section = { readonly title: string; readonly lines: readonly Line[] };

/** What was found, by subject. */
export function doctorSections(findings: Findings): readonly Section[] {
  const { target, notes, examination, rehearsal, tls, nowMs } = findings;
  const { fixtures, conversation, pulse, usedUp, requests } = examination;
  const changed = usedUpLines(usedUp);
  const section = (title: string, lines: readonly Line[]) => (lines.length === 0 ? [] : [{ title, lines }]);
  return [
    ...section('Who reaches what', reachLines(examination)),
    ...section('Test data', [
      ...fixtureLines(fixtures, target, outOfReach(examination)),
      ...chatLines(conversation, target),
    ]),
    ...section('Answers', [...pulseLines(pulse, tls, target, nowMs), ...conversationLines(conversation, target)]),
    ...section('What awc run would send', [...unreadLines(fixtures), ...planLines(rehearsal, target)]),
    ...section('Blocked checks, by reason', blockedLines(rehearsal)),
    ...section('Notes', notes.map(doubtful)),
    ...section(
      `What awc doctor sent: ${requests} requests`,
      changed.length === 0 ? [plain('nothing was changed')] : changed.map(plain),
    ),
  ];
}

export function renderDoctor(sections: readonly Section[], color: boolean): string {
  const paint = painter(color);
  return sections
    .flatMap(({ title, lines }) => [paint('strong', title), ...lines.map((line) => renderLine(line, color)), ''])
    .join('\n');
}

export function renderLine({ tone, text }: Line, color: boolean): string {
  const mark = tone === 'plain' ? marks.plain : painter(color)(tone, marks[tone]);
  return `  ${mark} ${shown(text, maxLine)}`;
}

/** What the first requests showed: one line for each outcome, however many principals and operations had it. */
export function probeLines(probes: readonly Probe[]): readonly Line[] {
  const alike = Map.groupBy(probes, ({ sign, outcome }) => `${sign} ${outcome}`);
  if (alike.size === 1) return [];
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [names, operations, resources] = [
      group.map(({ principal, isAdmin }) => (isAdmin ? principal.name : `${principal.name} (not admin)`)),
      group.map(({ operation }) => operation),
      group.map(({ resource }) => shown(resource, 80)),
    ].map((all) => listed([...new Set(all)]));
    const text = `${operations} of ${resources}, as ${names}: ${first.outcome}`;
    return [first.sign === 'speaks' ? good(text) : bad(text)];
  });
}
