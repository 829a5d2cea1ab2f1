import type { Api } from '../harness/api.ts';
import type { Exchange } from '../harness/exchange.ts';
import { TransportError } from '../harness/http.ts';
import { Blocked, type Violation } from '../harness/verdict.ts';

/** Requests that are sent again, and how often each. */
const maxAgain = 5;
const repeats = 2;

/** Broken answers of one kind that are no chance any more, even when each request is answered when it is sent again. */
const tooMany = 3;

/**
 * The first of the failed exchanges that is no accident of the network; undefined where there is none. A GET has to fail
 * each time it is sent again. A write is never sent again: a broken answer to it counts at once, a missing one when
 * another write of the operation got none either.
 */
export async function confirmed(api: Api, violations: readonly Violation[]): Promise<Violation | undefined> {
  const failed = violations.flatMap((violation) =>
    violation.evidence.slice(0, 1).map((exchange) => ({ violation, exchange })),
  );
  const failures = failed.map(({ exchange }) => exchange);
  const certain = failed.find(({ exchange }) => isCertain(exchange, failures));
  if (certain !== undefined) return certain.violation;
  const reads = new Map(failed.map((one) => [one.exchange.request.path, one] as const));
  for (const { violation, exchange } of [...reads.values()].slice(0, maxAgain)) {
    if (exchange.request.method === 'GET' && (await failsAgain(api, exchange))) return violation;
  }
  return undefined;
}

function isCertain(exchange: Exchange, all: readonly Exchange[]): boolean {
  const { operation, request } = exchange;
  const alike = all.filter((other) => other.operation === operation && isBroken(other) === isBroken(exchange));
  if (isBroken(exchange)) return request.method !== 'GET' || alike.length >= tooMany;
  return request.method !== 'GET' && alike.filter((other) => other.request.method !== 'GET').length >= 2;
}

/** Something came, and it was no whole HTTP answer. */
function isBroken({ outcome }: Exchange): boolean {
  return outcome.kind === 'failed' && (outcome.failure === 'truncated' || outcome.failure === 'malformed');
}

async function failsAgain(api: Api, { operation, caller, request }: Exchange): Promise<boolean> {
  for (let again = 0; again < repeats; again += 1) {
    try {
      await api.session.sender.send({ operation, caller, request, patient: true, regardless: true }, () => undefined);
      return false;
    } catch (error) {
      if (error instanceof Blocked) return false;
      if (!(error instanceof TransportError)) throw error;
      if (error.failure === 'refused' || error.failure === 'too-large') return false;
    }
  }
  return true;
}
