import { shown } from '../../core/text.ts';
import type { LoadRecord, PartClock } from '../../reports/load/load-record.ts';
import type { GatherLimits } from './limits.ts';
import type { PartFailure, Phase, PhaseKind, Registration } from './protocol.ts';
import { isNotableClock, skewText, spanText } from './skew-text.ts';
import { whyNotOf, whyNotSame } from './why-refused.ts';

/** How a part ended. */
export type Outcome =
  | { readonly kind: 'record'; readonly record: LoadRecord }
  | { readonly kind: 'failed'; readonly failure: PartFailure };

/** Why a part is refused; undefined if it is not. */
type Refusal = string | undefined;

/** One process that says it is a part. */
export type Caller = { readonly part: number; readonly process: string };

export type MeetingOptions = {
  /** The number of parts. */
  readonly of: number;
  readonly limits: GatherLimits;
  /** The coordinator's clock: milliseconds since the epoch. */
  readonly now: () => number;
  readonly onEvent: (text: string) => void;
};

type Member = {
  readonly process: string;
  readonly registration: Registration;
  clock?: PartClock;
  /** Its requests in progress. */
  requests: number;
  seenAt: number;
  /** Whether its last request was cut off. */
  isCut: boolean;
};

const longestReason = 500;
/** The exit code of a part that another one stopped, or that is lost. */
const missingPart = 6;

/** The parts of one load, from the registration to the records. If one of them fails, all of them stop. */
export class Meeting {
  /** How every part ended, in the order in which they did. */
  readonly over: Promise<ReadonlyMap<number, Outcome>>;
  readonly #options: MeetingOptions;
  readonly #members = new Map<number, Member>();
  readonly #outcomes = new Map<number, Outcome>();
  readonly #end: (outcomes: ReadonlyMap<number, Outcome>) => void;
  #phase: Phase = { kind: 'gathering' };
  #phaseEndsAt: number;
  #turn = Promise.withResolvers<void>();

  constructor(options: MeetingOptions) {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, Outcome>>();
    this.#options = options;
    this.#phaseEndsAt = options.now() + options.limits.withinMs;
    this.#end = resolve;
    this.over = promise;
    const looking = setInterval(() => this.#look(), options.limits.lookMs);
    void promise.then(() => clearInterval(looking));
  }

  register(caller: Caller, registration: Registration): Refusal {
    const { part, process } = caller;
    const { of, now, limits, onEvent } = this.#options;
    const [first] = this.#members.values();
    const reason = this.#whyOther(caller) ?? whyNotSame(registration, of, first?.registration);
    if (reason !== undefined || this.#members.has(part)) return reason;
    if (this.#outcomes.has(part)) return 'it has failed already';
    if (this.#phase.kind === 'stopping') return `the load was stopped: ${this.#phase.reason}`;
    this.#members.set(part, { process, registration, requests: 0, seenAt: now(), isCut: false });
    onEvent(`part ${part} of ${of} is here (${this.#members.size} of ${of})`);
    if (this.#members.size < of) return undefined;
    onEvent('all parts are here, and compare their clocks with this one');
    this.#enter({ kind: 'aligning' }, limits.handOverMs);
    return undefined;
  }

  align(caller: Caller, clock: PartClock): Refusal {
    const { of, limits, onEvent } = this.#options;
    const member = this.#memberOf(caller);
    if (typeof member === 'string') return member;
    if (clock.uncertaintyMs > limits.mostUncertainMs)
      return `its clock can only be read to within ${spanText(clock.uncertaintyMs)}, half of the shortest round trip to the coordinator; parts that start together need ${spanText(limits.mostUncertainMs)}`;
    if (member.clock === undefined && isNotableClock(clock))
      onEvent(`part ${caller.part} of ${of}: ${skewText(clock)}`);
    member.clock = clock;
    const areAligned = [...this.#members.values()].every((one) => one.clock !== undefined);
    if (this.#phase.kind === 'aligning' && areAligned) this.#start(member.registration);
    return undefined;
  }

  handOver(caller: Caller, record: LoadRecord): Refusal {
    const { part } = caller;
    const { of, onEvent } = this.#options;
    const member = this.#memberOf(caller);
    if (typeof member === 'string') return member;
    const outcome = this.#outcomes.get(part);
    if (outcome !== undefined) return outcome.kind === 'record' ? undefined : 'it has already been counted as lost';
    const reason = whyNotOf(record, { ...member.registration, part });
    if (reason !== undefined) return reason;
    onEvent(`part ${part} of ${of} has handed over its record: ${shown(record.sentence, longestReason)}`);
    if (record.result === 'aborted' || record.result === 'interrupted') this.stop(`part ${part} of ${of} ended early`);
    this.#settle(part, { kind: 'record', record });
    return undefined;
  }

  fail(caller: Caller, failure: PartFailure): Refusal {
    const refusal = this.#whyOther(caller);
    if (refusal !== undefined || this.#outcomes.has(caller.part)) return refusal;
    const { of } = this.#options;
    this.#lose({ ...failure, part: caller.part, of, reason: shown(failure.reason, longestReason) });
    return undefined;
  }

  /** Resolves when the phase is another one than the part knows, or after a while. Undefined for a caller that is no part. */
  async wait(caller: Caller, knows: PhaseKind): Promise<Phase | undefined> {
    if (typeof this.#memberOf(caller) === 'string') return undefined;
    if (this.#phase.kind === knows) {
      const { promise: isLong, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, this.#options.limits.holdMs);
      await Promise.race([this.#turn.promise, isLong]);
      clearTimeout(timer);
    }
    return this.#phase;
  }

  /** A request of a part begins. Call the returned function when it is over, and say whether it was cut off. */
  begin(caller: Caller): (isCut: boolean) => void {
    const touch = (change: number, isCut: boolean) => {
      const member = this.#memberOf(caller);
      if (typeof member === 'string') return;
      Object.assign(member, { requests: Math.max(0, member.requests + change), seenAt: this.#options.now(), isCut });
    };
    touch(1, false);
    return (isCut) => touch(-1, isCut);
  }

  /** Asks every part to stop. Those that have not registered are missing, for the reason `whyAbsent`. */
  stop(reason: string, whyAbsent = 'it had not registered when the load was stopped'): void {
    const { limits, onEvent } = this.#options;
    if (this.#phase.kind === 'stopping' || this.#unsettled().length === 0) return;
    onEvent(`the load is stopped: ${reason}`);
    this.#enter({ kind: 'stopping', reason }, limits.handOverMs);
    for (const part of this.#unsettled()) if (!this.#members.has(part)) this.#miss(part, whyAbsent);
  }

  #start({ warmUpMs, longestMs }: Registration): void {
    const { limits, now, onEvent } = this.#options;
    const leadMs = limits.headStartMs + warmUpMs;
    const startAt = now() + leadMs;
    onEvent(`all parts start at ${new Date(startAt).toISOString()}, in ${spanText(leadMs)}`);
    this.#enter({ kind: 'starting', startAt }, leadMs + longestMs + limits.handOverMs);
  }

  #enter(phase: Phase, mostMs: number): void {
    this.#phase = phase;
    this.#phaseEndsAt = this.#options.now() + mostMs;
    this.#turn.resolve();
    this.#turn = Promise.withResolvers();
  }

  #settle(part: number, outcome: Outcome): void {
    this.#outcomes.set(part, outcome);
    if (this.#outcomes.size === this.#options.of) this.#end(this.#outcomes);
  }

  #miss(part: number, reason: string): void {
    this.#lose({ part, of: this.#options.of, reason, exitCode: missingPart });
  }

  #lose(failure: PartFailure): void {
    const { part, of, reason } = failure;
    const text = `part ${part} of ${of}: ${reason}`;
    this.#options.onEvent(text);
    this.#settle(part, { kind: 'failed', failure });
    this.stop(text);
  }

  #unsettled(): readonly number[] {
    const parts = Array.from({ length: this.#options.of }, (_, place) => place + 1);
    return parts.filter((part) => !this.#outcomes.has(part));
  }

  /** Finds the parts that are lost or late. */
  #look(): void {
    const { limits, now } = this.#options;
    const isLate = now() > this.#phaseEndsAt;
    if (isLate && this.#phase.kind === 'gathering') {
      const within = spanText(limits.withinMs);
      return this.stop(`not all parts registered within ${within}`, `it did not register within ${within}`);
    }
    for (const part of this.#unsettled()) {
      const member = this.#members.get(part);
      const silentMs = now() - (member?.seenAt ?? now());
      if (isLate) {
        this.#miss(part, 'it did not hand over its record in time');
      } else if (member?.requests === 0 && silentMs > this.#mostSilentMs(member)) {
        const last = member.isCut ? 'its connection ended' : 'it was last heard of';
        this.#miss(part, `${last} ${spanText(silentMs)} ago, without a record`);
      }
    }
  }

  #mostSilentMs({ isCut }: Member): number {
    const { limits, now } = this.#options;
    const phase = this.#phase;
    const isBeforeStart = phase.kind === 'gathering' || phase.kind === 'aligning';
    const isWaiting = isBeforeStart || (phase.kind === 'starting' && now() < phase.startAt);
    if (!isCut) return limits.lostMs;
    return isWaiting ? limits.cutEarlyMs : limits.cutMs;
  }

  #whyOther({ part, process }: Caller): Refusal {
    const { of } = this.#options;
    if (part > of) return `there is no part ${part}: this load has ${of}`;
    const member = this.#members.get(part);
    return member === undefined || member.process === process
      ? undefined
      : 'another process has registered as this part';
  }

  /** The member that calls, or why there is none. */
  #memberOf(caller: Caller): Member | string {
    return this.#whyOther(caller) ?? this.#members.get(caller.part) ?? 'it has not registered';
  }
}
