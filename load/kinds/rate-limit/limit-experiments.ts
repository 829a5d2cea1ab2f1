import type { Principal, Target } from '../../../core/target.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import { billingRequest, listRequest, type LoadRequest } from '../../schedule/load-request.ts';
import { insistenceFact, obedienceFact } from './limit-facts.ts';
import type { LimitedTarget } from './limited-target.ts';
import type { Observed } from './observe-windows.ts';

/** Longer windows are too long to watch a herd in. */
const longestHerdMs = 10_000;
const insistMs = 250;
const mostInsisted = 100;
/** What each client sends after it woke, and for how long it is watched. */
const herdRequests = 3;
const afterWakingMs = 300;

export type Subject = {
  readonly principal: Principal;
  readonly organizationId: string;
  readonly request: LoadRequest;
  readonly note: readonly string[];
};

/** Who asks for what, again and again: the cheapest thing that every target has. */
export function subjectOf({ principals }: Target, timeoutMs: number): Subject {
  const admin = principals.find(({ adminOf }) => adminOf.length > 0);
  const principal = admin ?? principals[0];
  if (principal === undefined) throw new Error('a target without a principal');
  const organizationId = principal.adminOf[0] ?? 'unknown';
  const note =
    admin === undefined
      ? ['No principal is admin of anything: what is counted as accepted are refusals for that reason.']
      : [];
  return {
    principal,
    organizationId,
    request: listRequest('listModels', principal, organizationId, 1, timeoutMs),
    note,
  };
}

/** While one principal is refused: whether another is too, and whether it is refused everywhere. */
export async function sharingFacts(
  limited: LimitedTarget,
  subject: Subject,
  target: Target,
  timeoutMs: number,
): Promise<readonly Fact[]> {
  const { principal, organizationId } = subject;
  const facts: Fact[] = [];
  const other = target.principals.find((candidate) => candidate !== principal);
  if (other !== undefined) {
    const { sample } = await limited.send(
      listRequest('listModels', other, other.adminOf[0] ?? organizationId, 1, timeoutMs),
    );
    const value =
      sample.kind === 'limited'
        ? `yes: ${other.name} is refused with ${principal.name}`
        : `no: ${other.name} gets through while ${principal.name} is refused`;
    facts.push({ name: 'shared between principals', value });
  }
  const account = target.billingAccounts.find(({ owner }) => principal.adminOf.includes(owner));
  const elsewhere = [
    listRequest('listDataSources', principal, organizationId, 1, timeoutMs),
    ...(account === undefined ? [] : [billingRequest(principal, account.id, timeoutMs)]),
  ];
  const free: string[] = [];
  for (const request of elsewhere)
    if ((await limited.send(request)).sample.kind !== 'limited') free.push(request.operation);
  facts.push({
    name: 'shared between operations',
    value: free.length === 0 ? 'yes' : `no: ${free.join(' and ')} got through`,
  });
  return facts;
}

/** All clients insist while they are refused; nothing where the window is over too soon to see it. */
export async function insist(limited: LimitedTarget): Promise<readonly Fact[]> {
  const { retryAfterMs = 0 } = await limited.probe();
  if (retryAfterMs < 2 * insistMs) return [];
  const samples = await limited.herd({ obeys: false, from: 0, forMs: insistMs, most: mostInsisted });
  return [insistenceFact(samples)];
}

/** All clients wait as the last refusals told them, and wake together. */
export async function obey(
  limited: LimitedTarget,
  { windows, sent }: Observed,
  connections: number,
  budget: number,
): Promise<readonly Fact[]> {
  const last = windows.at(-1);
  const told = last?.refused.findLast(({ retryAfterMs }) => retryAfterMs !== undefined);
  if (last === undefined || last.reopened !== undefined || told === undefined) return [];
  const from = told.receivedAt + (told.retryAfterMs ?? 0);
  const waitMs = from - performance.now();
  const most = Math.min(budget - sent, herdRequests * connections);
  if (waitMs > longestHerdMs || most < connections) return [];
  const samples = await limited.herd({ obeys: true, from, forMs: Math.max(0, waitMs) + afterWakingMs, most });
  return [obedienceFact(samples, from, connections)];
}
