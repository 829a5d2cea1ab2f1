import type { CheckRecord, ExchangeRecord } from '../record/record.ts';
import { waiverSentence } from '../record/waivers.ts';
import { duration } from './figures.ts';

/** What was expected and what came, in one line, or the reason where nothing was compared. */
export function findingText({ expected, actual, reason }: CheckRecord): string | undefined {
  return expected === undefined ? reason : `expected ${expected}; got ${actual ?? 'no value'}`;
}

/** What a report says about a check that did not pass: name and text of each part there is. */
export function findingParts(check: CheckRecord): readonly (readonly [name: string, text: string])[] {
  const { expected, actual, reason, counterexample, waived, exchanges } = check;
  const last = exchanges.at(-1);
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['waiver', waived && waiverSentence(waived)],
    ['expected', expected],
    ['actual', actual],
    ['reason', reason],
    ['exchange', last && statusLine(last)],
    ['input', counterexample?.values],
    ['note', earlierSentence(check)],
  ];
  return parts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
}

/** What the curl line needs to have been sent before, if anything. */
export function earlierSentence({ curl, earlierRequests }: CheckRecord): string | undefined {
  if (curl === undefined || earlierRequests === undefined) return undefined;
  return `the curl line sends the last request alone; the finding also needs the earlier requests of this check: ${earlierRequests}`;
}

/** An exchange in one line. */
export function statusLine({ request, caller, outcome, durationMs, traceUrl, requestId }: ExchangeRecord): string {
  const answer = outcome.kind === 'answered' ? `${outcome.status}` : `no answer (${outcome.failure})`;
  const id = requestId === undefined ? '' : `, request id ${requestId}`;
  const trace = traceUrl === undefined ? '' : `, trace ${traceUrl}`;
  return `${request.method} ${request.url} as ${caller}: ${answer} in ${duration(durationMs)}${id}${trace}`;
}

/** What a report says about `tls.insecure`. */
export const insecureSentence = 'tls.insecure accepts every certificate: another server may have answered.';
