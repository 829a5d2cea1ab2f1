import type { Principal, Target } from '../../../core/target.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import { billingRequest, listRequest, type LoadRequest } from '../../schedule/load-request.ts';
import { insistenceFact, obedienceFact } from './limit-facts.ts';
import type { LimitSample } from './limit-sample.ts';
import type { LimitedTarget } from './limited-target.ts';
import type { Observed } from './observe-windows.ts';

/** Longer windows take too long for this experiment. */
const longestHerdMs = 10_000;
const insistMs = 250;
const mostInsisted = 100;
/** How many requests each client sends after its wait, and for how long they are observed. */
const herdRequests = 3;
const afterWakingMs = 300;

export type Subject = {
  readonly principal: Principal;
  readonly organizationId: string;
  readonly request: LoadRequest;
  readonly note: readonly string[];
};

/** The request that is repeated: the cheapest one that every target supports. */
export function subjectOf({ principals }: Target, timeoutMs: number): Subject {
  const admin = principals.find(({ adminOf }) => adminOf.length > 0);
  const principal = admin ?? principals[0];
  if (principal === undefined) throw new Error('a target without a principal');
  const organizationId = principal.adminOf[0] ?? 'unknown';
  const note =
    admin === undefined
      ? ['No principal is an admin of an organization: refusals for that reason count as accepted.']
      : [];
  return {
    principal,
    organizationId,
    request: listRequest('listModels', principal, organizationId, 1, timeoutMs),
    note,
  };
}

/** How often one question is asked of a limiter that accepts requests in between. */
const mostAsked = 4;
/** So many requests in a row are accepted while the repeated one is refused. */
const leastAccepted = 2;
const notShown = 'not shown: no refusal lasted long enough';

/** A limiter, as far as one client can ask it. */
type Asked = Pick<LimitedTarget, 'probe'> & {
  readonly send: (request: LoadRequest) => Promise<{ readonly sample: LimitSample }>;
};

/** While one principal is refused: is another one refused too, and are other operations? */
export async function sharingFacts(
  limited: Asked,
  subject: Subject,
  target: Target,
  timeoutMs: number,
): Promise<readonly Fact[]> {
  const { principal, organizationId } = subject;
  const facts: Fact[] = [];
  const other = target.principals.find((candidate) => candidate !== principal);
  if (other !== undefined) {
    const list = listRequest('listModels', other, other.adminOf[0] ?? organizationId, 1, timeoutMs);
    const value = {
      refused: `yes: ${other.name} is refused with ${principal.name}`,
      accepted: `no: ${other.name} is accepted while ${principal.name} is refused`,
      unclear: notShown,
    }[await whileRefused(limited, list)];
    facts.push({ name: 'shared between principals', value });
  }
  const account = target.billingAccounts.find(({ owner }) => principal.adminOf.includes(owner));
  const elsewhere = [
    listRequest('listDataSources', principal, organizationId, 1, timeoutMs),
    ...(account === undefined ? [] : [billingRequest(principal, account.id, timeoutMs)]),
  ];
  const seen: { readonly operation: string; readonly result: Meanwhile }[] = [];
  for (const request of elsewhere)
    seen.push({ operation: request.operation, result: await whileRefused(limited, request) });
  const free = seen.flatMap(({ operation, result }) => (result === 'accepted' ? [operation] : []));
  const isShared = seen.every(({ result }) => result === 'refused');
  const value =
    free.length > 0 ? `no: ${free.join(' and ')} ${free.length === 1 ? 'is' : 'are'} not refused` : undefined;
  facts.push({ name: 'shared between operations', value: value ?? (isShared ? 'yes' : notShown) });
  return facts;
}

type Meanwhile = 'refused' | 'accepted' | 'unclear';

/** What becomes of a request while the repeated one is refused, before and after it, for longer than it takes. */
async function whileRefused(limited: Asked, request: LoadRequest): Promise<Meanwhile> {
  let accepted = 0;
  let before = await limited.probe();
  for (let asked = 0; asked < mostAsked; asked += 1) {
    if (before.kind === 'limited') {
      const { sample } = await limited.send(request);
      if (sample.kind === 'limited') return 'refused';
      // Once its wait is over, any request may be accepted, and use up what the repeated one waits for.
      const isInTime = sample.receivedAt < before.sentAt + (before.retryAfterMs ?? 0);
      before = await limited.probe();
      // A bucket that states when it is full frees single requests before: that hardly happens twice.
      accepted = isInTime && before.kind === 'limited' ? accepted + 1 : 0;
      if (accepted === leastAccepted) return 'accepted';
    } else before = await limited.probe();
  }
  return 'unclear';
}

/** All clients keep sending while they are refused; no fact if the window is too short to observe that. */
export async function insist(limited: LimitedTarget): Promise<readonly Fact[]> {
  const { retryAfterMs = 0 } = await limited.probe();
  if (retryAfterMs < 2 * insistMs) return [];
  const samples = await limited.herd({ obeys: false, from: 0, forMs: insistMs, most: mostInsisted });
  return [insistenceFact(samples)];
}

/** All clients wait as long as the last refusal asks, and resume together. */
export async function obey(
  limited: LimitedTarget,
  { windows, sent }: Observed,
  connections: number,
  budget: number,
): Promise<readonly Fact[]> {
  const last = windows.at(-1);
  const stated = last?.refused.findLast(({ retryAfterMs }) => retryAfterMs !== undefined);
  if (last === undefined || last.reopened !== undefined || stated === undefined) return [];
  const from = stated.receivedAt + (stated.retryAfterMs ?? 0);
  const waitMs = from - performance.now();
  const most = Math.min(budget - sent, herdRequests * connections);
  if (waitMs > longestHerdMs || most < connections) return [];
  const samples = await limited.herd({ obeys: true, from, forMs: Math.max(0, waitMs) + afterWakingMs, most });
  return [obedienceFact(samples, from, connections)];
}
