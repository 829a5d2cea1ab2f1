import type { OpenPointName } from '../../spec/open-points.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { type ChatPool, createChatPool } from './chat-pool.ts';
import type { Clock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import type { Deployment, HttpRequest } from '../../core/http.ts';
import type { Outages } from '../../core/outages.ts';
import { describe } from '../../core/text.ts';
import { withOwnHeaders } from '../../core/headers/own-headers.ts';
import { createEntryPoints, type EntryPoints } from './entry-points.ts';
import { createSlots, type Slots } from './slots.ts';
import { RunMemory } from './run-memory.ts';
import { createSender, type Sender } from './sender.ts';
import { createTraces } from './trace.ts';
import type { Target } from '../../core/target.ts';
import type { Violation } from '../verdict.ts';

/** A promise that is judged on every answer of the run, whichever check sent the request. Never throws. */
export type Invariant = {
  readonly requirement: RequirementId;
  /** Judges an exchange, and its answer where there was one. Undefined if they say nothing about the promise. */
  readonly judge: (exchange: Exchange, answer: Answer | undefined) => Violation | 'kept' | undefined;
};

export type InvariantRecord = {
  kept: number;
  /** The plainest one, which hardly depends on the order of the checks: that of the shortest request path. */
  violation: Violation | undefined;
  /** The first {@link maxViolations}, for invariants whose violations have to be confirmed. */
  readonly violations: Violation[];
};

/** Violations that are remembered of one invariant. */
const maxViolations = 20;

/** Bounds of the sample: answers of one operation and status, answers in all, and bytes of one answer. */
const maxSampledOfKind = 8;
const maxSampled = 400;
const maxSampledBytes = 64 * 1024;

/** A choice of the deployment at a point that the specification leaves open. */
export type Observation = {
  readonly point: OpenPointName;
  readonly value: string;
  readonly exchange: Exchange | undefined;
};

/** The number of distinct values recorded for one open point. */
const maxValuesPerPoint = 40;

/** What the checks of one run share. */
export type Session = {
  readonly target: Target;
  readonly clock: Clock;
  /** Determines every random choice of the run. */
  readonly seed: number;
  /** Part of the keys and IDs that the run makes up, so that they can be recognised. */
  readonly runId: string;
  readonly sender: Sender;
  readonly entryPoints: EntryPoints;
  readonly outages: Outages;
  readonly chats: ChatPool;
  readonly slots: Slots;
  readonly memory: RunMemory;
  /** Judges an exchange by every invariant and remembers the result. */
  readonly see: (exchange: Exchange) => void;
  readonly invariant: (requirement: RequirementId) => Readonly<InvariantRecord>;
  /** The first few answers of each operation and status, for judging that is too slow to do for every answer. */
  readonly sampled: () => readonly Answer[];
  readonly observe: (point: OpenPointName, value: string, exchange?: Exchange) => void;
  readonly observations: () => readonly Observation[];
};

export type SessionOptions = {
  readonly deployment: Deployment;
  readonly target: Target;
  readonly clock: Clock;
  readonly seed: number;
  readonly invariants: readonly Invariant[];
  readonly outages?: Outages;
  /** Reads that succeeded before the session began. They show whether the deployment is gone. */
  readonly answered?: readonly Exchange[] | undefined;
};

export function createSession(options: SessionOptions): Session {
  const { deployment, target, clock, seed, invariants, outages = {}, answered } = options;
  const records = new Map<RequirementId, InvariantRecord>(
    invariants.map(({ requirement }) => [requirement, { kept: 0, violation: undefined, violations: [] }]),
  );
  const samples: Answer[] = [];
  const samplesOfKind = new Map<string, number>();
  const observed = new Map<string, Observation>();
  const valuesOf = new Map<OpenPointName, number>();

  function see(exchange: Exchange): void {
    const answer = answerOf(exchange);
    for (const invariant of invariants) {
      const record = records.get(invariant.requirement);
      const verdict = record === undefined ? undefined : invariant.judge(exchange, answer);
      if (record === undefined || verdict === undefined) continue;
      if (verdict === 'kept') {
        record.kept += 1;
        continue;
      }
      if (record.violation === undefined || isPlainer(verdict, record.violation)) record.violation = verdict;
      if (record.violations.length < maxViolations) record.violations.push(verdict);
    }
    if (answer !== undefined) sample(answer);
  }

  function sample(answer: Answer): void {
    const { operation, outcome } = answer.exchange;
    if (outcome.kind === 'failed' || outcome.response.body.length > maxSampledBytes) return;
    const kind = `${operation} ${answer.status}`;
    const count = samplesOfKind.get(kind) ?? 0;
    if (count >= maxSampledOfKind || samples.length >= maxSampled) return;
    samplesOfKind.set(kind, count + 1);
    samples.push(answer);
  }

  function observe(point: OpenPointName, value: string, exchange?: Exchange): void {
    const key = `${point} ${value}`;
    const count = valuesOf.get(point) ?? 0;
    if (observed.has(key) || count >= maxValuesPerPoint) return;
    valuesOf.set(point, count + 1);
    observed.set(key, { point, value, exchange });
  }

  const runId = (seed >>> 0).toString(36).padStart(7, '0') + Math.floor(clock.now()).toString(36).slice(-6);
  const ownHeaders = withOwnHeaders(target);
  const traceOf = createTraces(runId);
  const complete = (request: HttpRequest, ordinal: number): HttpRequest => ({
    ...ownHeaders(request),
    trace: traceOf(ordinal),
  });
  return {
    target,
    clock,
    seed,
    runId,
    sender: createSender(deployment, clock, target.limits.maxRequestsPerSecond, { complete, answered }),
    entryPoints: createEntryPoints(target, seed),
    outages,
    chats: createChatPool(target),
    slots: createSlots(),
    memory: new RunMemory(),
    see,
    invariant: (id) => records.get(id) ?? { kept: 0, violation: undefined, violations: [] },
    sampled: () => samples,
    observe,
    observations: () => [...observed.values()],
  };
}

/** Whether the first exchange of a violation has a shorter request path than that of another, or one that sorts before it. */
function isPlainer(one: Violation, other: Violation): boolean {
  const [path, otherPath] = [one, other].map(({ evidence }) => evidence[0]?.request.path);
  if (path === undefined || otherPath === undefined) return otherPath === undefined && path !== undefined;
  return path.length === otherPath.length ? path < otherPath : path.length < otherPath.length;
}

/** Formats a value for an observation. */
export function observedValue(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : describe(value, 100);
}
