import type { Level, Operation } from '../spec/requirement.ts';
import type { Api } from './api.ts';
import { type Check, type Phase, phases } from './check.ts';
import { type SideEffect, sideEffects } from '../core/target.ts';

/** The id of a vendor's own promise. No id of the catalogue begins with `own.`. */
export type OwnId = `own.${string}`;

/** A vendor's own promise, declared with its check. */
export type Rule = {
  /** `must` by default: a violation fails the run. */
  readonly level?: Level;
  readonly on: Operation;
  /** What is promised, in one sentence. */
  readonly sentence: string;
  /** The side effects of the check; the target file must allow each of them. */
  readonly uses?: readonly SideEffect[];
  /** When it runs; by default `together`, side by side with others. */
  readonly phase?: Phase;
  /** Set to 3 where a slow network could look like a violation. */
  readonly tries?: number;
};

/** The checks that this copy of the package made. */
const made = new WeakSet<object>();

export function isOwn(id: string): boolean {
  return id.startsWith('own.');
}

/** A check of a vendor's own promise. */
export function ownCheck(id: OwnId, rule: Rule, run: (api: Api) => Promise<void>): Check<OwnId> {
  const { level = 'must', on, sentence, uses = [], phase = 'together', tries = 1 } = rule;
  if (!/^own\.[a-z0-9]+([.-][a-z0-9]+)*$/.test(id)) {
    throw new TypeError(
      `${JSON.stringify(id)} is not the id of an own check: write own., then lower-case letters, digits, - and .`,
    );
  }
  if (typeof sentence !== 'string' || sentence.trim() === '')
    throw new TypeError(`${id} needs a sentence that says what is promised`);
  if (!uses.every((effect) => sideEffects.includes(effect)) || !phases.includes(phase)) {
    throw new TypeError(
      `${id} has unknown uses or an unknown phase: uses may hold ${sideEffects.join(', ')}; phase may be ${phases.join(', ')}`,
    );
  }
  const title = `${id}: ${sentence}`;
  const check = {
    id,
    requirement: id,
    extended: false,
    isImmune: false,
    section: 'own',
    sentence,
    operation: on,
    level,
    title,
    phase: phaseOfOwn(phase),
    uses,
    mayUse: [],
    tries,
    run,
  };
  made.add(check);
  return check;
}

/** An own check may do more than its uses say, so it runs beside no check that changes lists or counts. */
function phaseOfOwn(phase: Phase): Phase {
  if (phase === 'deletions' || phase === 'attachments') return 'changes';
  return phase === 'messages' ? 'together' : phase;
}

/** Whether a value is an own check that this copy made. Another copy's check would throw a Violation class unknown here. */
export function isOwnCheck(value: unknown): value is Check<OwnId> {
  return typeof value === 'object' && value !== null && made.has(value);
}
