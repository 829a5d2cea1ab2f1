import type { Check } from '../../engine/check.ts';
import { curlLine } from '../../core/curl.ts';
import type { Exchange } from '../../core/exchange.ts';
import type { Redactor } from '../../core/redaction/redact.ts';
import { shown } from '../../core/text.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { freshKeyIn } from '../../engine/session/repeated-keys.ts';
import { exchangeRecord, type ShownTarget } from './exchange-record.ts';
import type { CheckRecord, LanesRecord } from './record.ts';
import type { Lanes } from '../../engine/history/lanes.ts';

/** In characters, of each sentence of a verdict. */
const maxSentence = 2000;

export type RecordOptions = {
  readonly target: ShownTarget;
  readonly redactor: Redactor;
  /** Whether a violated should counts as failed. */
  readonly strict: boolean;
  /** Whether an earlier request of the run had the same idempotency key. Without it, curl lines keep their keys. */
  readonly isRepetition?: (exchange: Exchange) => boolean;
};

/** A check with its verdict as it leaves the run: redacted and bounded. */
export function checkRecord(
  check: Check<string>,
  verdict: Verdict,
  durationMs: number,
  options: RecordOptions,
): CheckRecord {
  const { target, redactor, isRepetition } = options;
  const { id, requirement, operation, level, title } = check;
  const common = { id, requirement, operation, level, title, durationMs: Math.round(durationMs * 1000) / 1000 };
  const sentence = (text: string) => shown(redactor.text(text), maxSentence);
  if (verdict.kind === 'passed') return { ...common, verdict: 'passed', exchanges: [] };

  const judged = verdict.kind === 'violated' ? `${verdict.expected} ${verdict.actual}` : verdict.reason;
  const last = verdict.evidence.at(-1);
  const repeats = last === undefined ? undefined : isRepetition?.(last);
  const unique = last === undefined || repeats !== false ? undefined : freshKeyIn(last);
  const curl = last === undefined ? undefined : curlLine(last, target, redactor, unique);
  const earlier = Math.max(verdict.evidence.length - 1, repeats === true ? 1 : 0);
  const proof = {
    exchanges: ends(verdict.evidence).map((exchange) => exchangeRecord(exchange, target, redactor, judged)),
    ...(curl === undefined ? {} : { curl }),
  };
  switch (verdict.kind) {
    case 'blocked':
      return {
        ...common,
        verdict: 'blocked',
        reason: sentence(verdict.reason),
        ...(verdict.fault === undefined ? {} : { fault: verdict.fault }),
        ...proof,
      };
    case 'errored':
      return {
        ...common,
        verdict: 'errored',
        reason: sentence(oneLine(verdict.reason)),
        fault: verdict.fault,
        ...proof,
      };
    case 'violated': {
      const { counterexample, lanes } = verdict;
      return {
        ...common,
        verdict: level === 'must' || options.strict ? 'failed' : 'warned',
        expected: sentence(verdict.expected),
        actual: sentence(verdict.actual),
        ...(counterexample === undefined
          ? {}
          : { counterexample: { ...counterexample, values: sentence(counterexample.values) } }),
        ...(lanes === undefined ? {} : { lanes: lanesRecord(lanes, redactor) }),
        ...proof,
        ...(curl === undefined || earlier === 0 ? {} : { earlierRequests: earlier }),
      };
    }
  }
}

/** The reason may be a stack trace. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** The first and the last three of more than six. */
function ends(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.length > 6 ? [...exchanges.slice(0, 3), ...exchanges.slice(-3)] : exchanges;
}

/** The most requests that are recorded: the last ones before every order fails. */
const maxRequests = 40;
/** In characters. */
const maxText = 120;

/** Overlapping requests as they leave the run: redacted and bounded, with times since the first of them was sent. */
export function lanesRecord({ requests, failsAt }: Lanes, redactor: Redactor): LanesRecord {
  const text = (value: string) => shown(redactor.text(value), maxText);
  const recorded = requests
    .filter(({ exchange }) => exchange.sentAt <= failsAt)
    .toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt)
    .slice(-maxRequests);
  const startAt = Math.min(...recorded.map(({ exchange }) => exchange.sentAt));
  const since = (time: number) => Math.max(0, Math.round(time - startAt));
  return {
    requests: recorded.map(({ exchange, shows }) => {
      const { caller, operation, request, sentAt, receivedAt, outcome } = exchange;
      const [, wait] = /[?&](wait=[^&]*)/.exec(request.path) ?? [];
      return {
        caller: text(caller),
        request: text([operation, ...(wait === undefined ? [] : [wait])].join(' ')),
        shows: text(shows),
        answer: outcome.kind === 'answered' ? `${outcome.response.status}` : outcome.failure,
        sentMs: since(sentAt),
        answeredMs: since(receivedAt),
      };
    }),
    failsMs: since(failsAt),
  };
}
