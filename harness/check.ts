import { requirement, type RequirementId } from '../spec/catalogue.ts';
import type { Level, Operation } from '../spec/requirement.ts';
import { Api } from './api.ts';
import { excuseFor } from './excuse.ts';
import { TransportError } from './http.ts';
import type { Session } from './session.ts';
import type { SideEffect } from './target.ts';
import { CounterexampleFound } from './properties.ts';
import { Blocked, type Verdict, Violation } from './verdict.ts';

/**
 * When a check runs. `together`: side by side with others. `deletions`: one by one afterwards, because lists change.
 * `rateLimit`: alone, because everybody else would wait. `later`: alone, when time has passed, and before a restart can change what
 * it is about. `restart`: alone, because the deployment is restarted in it. `last`: after everything, on all that was seen.
 */
export const phases = ['together', 'deletions', 'rateLimit', 'later', 'restart', 'last'] as const;
export type Phase = (typeof phases)[number];

/** One test of one requirement, of the catalogue unless said otherwise. */
export type Check<Id extends string = RequirementId> = {
  /** The requirement's id, followed by what distinguishes several checks of one requirement. */
  readonly id: string;
  readonly requirement: Id;
  /** The section of the specification that says it; `own` for a vendor's own. */
  readonly section: string;
  readonly sentence: string;
  readonly operation: Operation;
  readonly level: Level;
  /** The id and the catalogue's sentence. */
  readonly title: string;
  readonly phase: Phase;
  /** The side effects it has; each must be allowed by the target file. */
  readonly uses: readonly SideEffect[];
  /** The side effects that it has besides, where the target file allows them. */
  readonly mayUse: readonly SideEffect[];
  /** Times are judged only when they are wrong this many times in a row. */
  readonly tries: number;
  /** It asks more of a promise than other checks of it do: where only its own stage is missing, those have exercised it. */
  readonly further: boolean;
  readonly run: (api: Api) => Promise<void>;
};

export type CheckOptions = {
  /** The operation it tests; needed where the requirement names several. */
  readonly on?: Operation;
  /** Distinguishes several checks of one requirement and operation. */
  readonly variant?: string;
  readonly phase?: Phase;
  readonly uses?: readonly SideEffect[];
  /** Set where it judges what others saw as well, and sends something of everything that is allowed. */
  readonly mayUse?: readonly SideEffect[];
  /** Set to 3 where a slow network could look like a violation. */
  readonly tries?: number;
  /** True for a check that needs more than a usual target declares, beside one that does not. */
  readonly further?: boolean;
};

/** A check of the requirement. Its id is the requirement's, with `/operation` where there are several, and `/variant`. */
export function check(id: RequirementId, run: (api: Api) => Promise<void>, options: CheckOptions = {}): Check {
  const { section, sentence, operations, level } = requirement(id);
  const operation = options.on ?? operations[0];
  if (operation === undefined) throw new Error(`${id} names no operation`);
  const suffix = [options.on, options.variant].filter((part) => part !== undefined).map((part) => `/${part}`);
  const checkId = `${id}${suffix.join('')}`;
  return {
    id: checkId,
    requirement: id,
    section,
    sentence,
    operation,
    level,
    title: `${checkId}: ${sentence}`,
    phase: options.phase ?? 'together',
    uses: options.uses ?? [],
    mayUse: options.mayUse ?? [],
    tries: options.tries ?? 1,
    further: options.further ?? false,
    run,
  };
}

/** Runs a check. Never rejects: whatever happens is a verdict. `replayPath` tries one known counterexample only. */
export async function judge(check: Check<string>, session: Session, replayPath?: string): Promise<Verdict> {
  const forbidden = check.uses.find((effect) => !session.target.allow.has(effect));
  if (forbidden !== undefined) {
    return { kind: 'blocked', reason: `not allowed: add ${forbidden} to allow in the target file`, evidence: [] };
  }
  for (let attempt = 1; ; attempt += 1) {
    const verdict = await judgeOnce(check, session, attempt, replayPath);
    if (verdict.kind !== 'violated' || attempt >= check.tries) return verdict;
  }
}

async function judgeOnce(
  check: Check<string>,
  session: Session,
  attempt: number,
  replayPath?: string,
): Promise<Verdict> {
  const api = new Api(session, check.id, attempt, replayPath);
  try {
    await check.run(api);
    return { kind: 'passed' };
  } catch (error) {
    const verdict = verdictOf(error, api);
    if (verdict.kind !== 'violated' || attempt < check.tries) return verdict;
    const excuse = await excuseFor(api, verdict.evidence);
    return excuse === undefined ? verdict : { kind: 'blocked', reason: excuse, evidence: verdict.evidence };
  } finally {
    for (const chat of api.leased) session.chats.release(chat);
  }
}

function verdictOf(thrown: unknown, api: Api): Verdict {
  const counterexample = thrown instanceof CounterexampleFound ? thrown.counterexample : undefined;
  const error = thrown instanceof CounterexampleFound ? thrown.cause : thrown;
  const last = api.exchanges.slice(-1);
  if (error instanceof Violation) {
    const { expected, actual } = error;
    return {
      kind: 'violated',
      expected,
      actual,
      evidence: error.evidence.length > 0 ? error.evidence : last,
      counterexample,
    };
  }
  if (error instanceof Blocked) return { kind: 'blocked', reason: error.message, evidence: last };
  if (error instanceof TransportError)
    return { kind: 'errored', reason: error.message, evidence: last, fault: 'target' };
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'errored', reason, evidence: last, fault: 'suite' };
}
