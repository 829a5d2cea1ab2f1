import { TransportError } from '../../core/http.ts';
import { Api } from '../../engine/api.ts';
import type { Check } from '../../engine/check.ts';
import { CounterexampleFound } from '../../engine/properties.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Exchange } from '../../core/exchange.ts';
import { Away, Blocked, Certain, Doubtful, Late, type Verdict, Violation } from '../../engine/verdict.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Alone } from './in-turn.ts';
import { confounderOf, revokedKey } from '../../stage/confounder.ts';

/** A late answer is a violation only if it is late in at least this many tries. */
const triesIfLate = 2;

/** A process that stood still for longer, in milliseconds, may itself be why an answer was late. */
const mostStalledMs = 250;

/** So many more tries may show whether an answer is late when the process runs all the time. */
const triesAfterStalls = 2;

/** Requirements with a known violation. Their other checks run only once, and do not watch for other traffic. */
const violatedIn = perRun(() => new Set<string>());

type Violated = Extract<Verdict, { kind: 'violated' }>;

type Manner = {
  /** Tries only this known counterexample. */
  readonly replayPath?: string | undefined;
  /** Awaited before a check is tried again, so that nothing else in this run can explain a violation. */
  readonly alone?: Alone;
};

/** Runs a check. Never rejects: every outcome is a verdict. */
export async function judge(
  check: Check<string>,
  session: Session,
  { replayPath, alone = async () => {} }: Manner = {},
): Promise<Verdict> {
  const forbidden = check.uses.find((effect) => !session.target.allow.has(effect));
  if (forbidden !== undefined) {
    return { kind: 'blocked', reason: `not allowed: add ${forbidden} to allow in the target file`, evidence: [] };
  }
  const violated = violatedIn(session);
  const isKnown = violated.has(check.requirement);
  let violation: Violated | undefined;
  const { lifeline } = session.sender;
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) await alone();
    const gone = lifeline.gone();
    if (gone !== undefined) return withoutTarget(gone, []);
    const evidence = violation?.evidence ?? [];
    const { verdict, again } = await judgeOnce(check, session, { attempt, replayPath, isKnown, evidence });
    if (verdict.kind === 'blocked' && violation !== undefined) return unconfirmed(violation, verdict.reason);
    if (again && verdict.kind === 'violated') violation = verdict;
    else {
      if (verdict.kind === 'violated') violated.add(check.requirement);
      return verdict;
    }
  }
}

/** A violation that has to be seen again, by a check that could not be repeated. */
function unconfirmed({ expected, actual, evidence }: Violated, why: string): Verdict {
  const reason = `violated once (expected ${expected}; got ${actual}) and not confirmed: the repetition was blocked: ${why}`;
  return { kind: 'blocked', reason, evidence };
}

function stalledReason(stalledMs: number): string {
  return `this process itself stood still for ${Math.round(stalledMs)} ms meanwhile, so the delay may be its own: run the suite on a machine that has less to do`;
}

type Attempt = {
  readonly attempt: number;
  readonly replayPath: string | undefined;
  readonly isKnown: boolean;
  /** What showed the violation in the attempt before. */
  readonly evidence: readonly Exchange[];
};

/** A verdict, and whether the check has to be tried again because it may be an accident. */
type Judged = { readonly verdict: Verdict; readonly again: boolean };

async function judgeOnce(
  check: Check<string>,
  session: Session,
  { attempt, replayPath, isKnown, evidence }: Attempt,
): Promise<Judged> {
  const api = new Api(session, check.id, attempt, replayPath);
  api.isKnown = isKnown;
  // One entry point may be late each time, and the others never.
  if (attempt > 1) api.beginAt(evidence);
  // Nodes may count the requests of a caller apart.
  if (check.phase === 'rateLimit') api.stayAt(session.target.baseUrl);
  const final = (verdict: Verdict): Judged => ({ verdict, again: false });
  const longestStallMs = session.clock.watchStalls?.() ?? (() => 0);
  try {
    await check.run(api);
    return final({ kind: 'passed' });
  } catch (error) {
    const verdict = verdictOf(error, api);
    const gone = isUnanswered(error, verdict) ? await session.sender.lifeline.whyGone() : undefined;
    if (gone !== undefined) return final(withoutTarget(gone, api.exchanges.slice(-1)));
    if (verdict.kind !== 'violated') return final(verdict);
    const stalledMs = longestStallMs();
    const isStalled = error instanceof Late && stalledMs > mostStalledMs;
    const tries = error instanceof Late ? Math.max(triesIfLate, check.tries) : check.tries;
    if (attempt < tries + (isStalled ? triesAfterStalls : 0) && !isKnown) return { verdict, again: true };
    if (isStalled) return final({ kind: 'blocked', reason: stalledReason(stalledMs), evidence: verdict.evidence });
    // Other traffic is another explanation of a violation.
    const isImmune = isKnown || check.isImmune || error instanceof Certain;
    const confounder = isImmune ? revokedKey : confounderOf;
    const reason = await confounder(api, verdict.evidence, check.phase === 'rateLimit');
    if (reason === undefined) return final(verdict);
    const certain = error instanceof Doubtful && !isImmune ? await certainlyOf(error) : undefined;
    return final(
      certain === undefined ? { kind: 'blocked', reason, evidence: verdict.evidence } : verdictOf(certain, api),
    );
  } finally {
    longestStallMs();
    for (const chat of api.leased) session.chats.release(chat);
  }
}

/** What shows that other traffic is not the cause of a violation, if anything does. */
async function certainlyOf(violation: Doubtful): Promise<Certain | undefined> {
  try {
    await violation.excludeOthers();
  } catch (error) {
    if (error instanceof Certain) return error;
    if (!(error instanceof Blocked || error instanceof TransportError)) throw error;
  }
  return undefined;
}

/** A check that says nothing, because the deployment is gone: one reason for all of them. */
function withoutTarget(reason: string, evidence: readonly Exchange[]): Verdict {
  return { kind: 'blocked', reason, evidence, fault: 'target' };
}

/** Whether a check ended because a request got no answer from the deployment. */
function isUnanswered(thrown: unknown, verdict: Verdict): boolean {
  const error = thrown instanceof CounterexampleFound ? thrown.cause : thrown;
  if (error instanceof TransportError || error instanceof Away) return true;
  return verdict.kind === 'violated' && verdict.evidence.some(({ outcome }) => outcome.kind === 'failed');
}

function verdictOf(thrown: unknown, api: Api): Verdict {
  const counterexample = thrown instanceof CounterexampleFound ? thrown.counterexample : undefined;
  const error = thrown instanceof CounterexampleFound ? thrown.cause : thrown;
  const last = api.exchanges.slice(-1);
  if (error instanceof Violation) {
    const { expected, actual, lanes } = error;
    return {
      kind: 'violated',
      expected,
      actual,
      evidence: error.evidence.length > 0 ? error.evidence : last,
      counterexample,
      lanes,
    };
  }
  if (error instanceof Blocked) return { kind: 'blocked', reason: error.message, evidence: last };
  if (error instanceof TransportError)
    return { kind: 'errored', reason: error.message, evidence: last, fault: 'target' };
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'errored', reason, evidence: last, fault: 'suite' };
}
