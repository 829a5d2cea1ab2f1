import { Api, as, type Caller } from '../../engine/api.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { TransportError } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Principal } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import type { Operation } from '../../spec/requirement.ts';
import { pulseOf } from './pulse.ts';

/**
 * What an answer shows. `speaks`: this API answers. `absent`: an admin gets 404 for its own resource. `unauthorized`: 401.
 * `foreign`: another service answers. `silent`: no answer.
 */
type Sign = 'speaks' | 'absent' | 'unauthorized' | 'foreign' | 'silent';

/** One reading request of a principal, and its result. */
export type Probe = {
  readonly principal: Principal;
  readonly operation: Operation;
  /** The ID of an organization or a billing account. */
  readonly resource: string;
  /** Whether the target file says that the principal is admin there. */
  readonly isAdmin: boolean;
  readonly sign: Sign;
  /** The answer, or why there is none, in short. */
  readonly outcome: string;
};

export type Diagnosis = {
  readonly probes: readonly Probe[];
  /** Why no verdict is possible, as one sentence; undefined if the deployment can be judged. */
  readonly unusable: string | undefined;
  /** Notes for the reader of the report. */
  readonly notes: readonly string[];
  readonly requests: number;
  /** The median latency of reads in milliseconds; undefined if none succeeded. */
  readonly latencyMs: number | undefined;
};

/** At most this many principals are tried. */
const maxPrincipals = 12;

/** An organization that does not exist. If the file declares none, a refusal shows that the API answers. */
const noOrganization = 'awc-no-such-organization';

/**
 * Finds out whether a deployment can be judged, with at most three reading requests a principal. Any answer that looks like
 * this API is enough, because finding its bugs is the task of the checks. Never rejects.
 */
export async function diagnose(session: Session): Promise<Diagnosis> {
  const api = new Api(session, 'doctor');
  const principals = session.target.principals.slice(0, maxPrincipals);
  const probes = await Promise.all(principals.flatMap((principal) => probesOf(api, principal)));
  const { baseUrl } = session.target;
  const unusable = whyUnusable(probes, baseUrl);
  const notes = unusable === undefined ? principals.flatMap((principal) => noteOf(principal, probes)) : [];
  return { probes, unusable, notes, requests: api.sent, latencyMs: pulseOf(api.exchanges).latencyMs?.median };
}

function probesOf(api: Api, principal: Principal): readonly Promise<Probe>[] {
  const { organizations, billingAccounts } = api.session.target;
  const { adminOf } = principal;
  const organization = adminOf[0] ?? organizations[0]?.id ?? noOrganization;
  const account = billingAccounts.find(({ owner }) => adminOf.includes(owner)) ?? billingAccounts[0];
  const isAdmin = adminOf.length > 0;
  const impatient = { patient: false };
  const caller = as(principal);

  async function probe(
    operation: Operation,
    resource: string,
    admin: boolean,
    ask: (caller: Caller) => Promise<Answer>,
  ): Promise<Probe> {
    const common = { principal, operation, resource, isAdmin: admin };
    try {
      const answer = await ask(caller);
      const took = `in ${Math.round(answer.elapsedMs)} ms`;
      return { ...common, sign: signOf(answer, admin), outcome: `${describeAnswer(answer)} ${took}` };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const failed = api.exchanges.findLast((exchange) => exchange.operation === operation)?.outcome;
      return { ...common, sign: 'silent', outcome: failed?.kind === 'failed' ? failed.message : error.message };
    }
  }

  return [
    probe('listModels', organization, isAdmin, () => api.listModels(caller, organization, { limit: 1 }, impatient)),
    probe('listDataSources', organization, isAdmin, () =>
      api.listDataSources(caller, organization, { limit: 1 }, impatient),
    ),
    ...(account === undefined
      ? []
      : [
          probe('getBillingAccount', account.id, adminOf.includes(account.owner), () =>
            api.getBillingAccount(caller, account.id, impatient),
          ),
        ]),
  ];
}

/** Faulty deployments must be judged too, so an answer only has to look like JSON. */
function signOf(answer: Answer, isAdmin: boolean): Sign {
  if (isGateways(answer)) return 'silent';
  if (answer.status === 401) return 'unauthorized';
  if (answer.status === 429) return 'speaks';
  if (answer.status >= 300 && answer.status < 400) return 'foreign';
  if (isSuccess(answer) || answer.status >= 500) return meansJson(answer) ? 'speaks' : 'foreign';
  const hasErrorBody = ['title', 'detail'].some((field) => stringAt(answer.json, 'error', field) !== undefined);
  if (!hasErrorBody) return 'foreign';
  return isAdmin && answer.status === 404 ? 'absent' : 'speaks';
}

function meansJson({ exchange, headers }: Answer): boolean {
  if (exchange.outcome.kind === 'failed') return false;
  const start = Buffer.from(exchange.outcome.response.body.subarray(0, 64)).toString('latin1').trimStart();
  return start === '' || start.startsWith('{') || start.startsWith('[') || /json/i.test(headers['content-type'] ?? '');
}

function describeAnswer(answer: Answer): string {
  if (isGateways(answer)) return `${answer.status} from a gateway: the service behind it does not answer.`;
  const location = answer.headers['location'];
  if (location !== undefined) return `${answer.status} to ${shown(location, 200)}`;
  return summary(answer);
}

function whyUnusable(probes: readonly Probe[], baseUrl: string): string | undefined {
  const all = (sign: Sign, of: readonly Probe[]) => of.length > 0 && of.every((probe) => probe.sign === sign);
  const [first] = probes;
  if (first === undefined) return 'The target file names no principal with a key.';
  if (all('silent', probes)) return `Cannot judge ${baseUrl}: ${first.outcome}`;
  const answered = probes.filter(({ sign }) => sign !== 'silent');
  if (all('unauthorized', answered)) {
    return `No key works: every request of ${namesOf(answered)} gets 401. Are the keys for ${baseUrl}?`;
  }
  if (answered.some(({ sign }) => sign === 'speaks' || sign === 'absent')) {
    const ofAdmins = answered.filter(({ isAdmin }) => isAdmin);
    if (all('absent', ofAdmins)) {
      return `${baseUrl} has nothing that the target file declares: every resource of ${namesOf(ofAdmins)} gets 404. Are the base URL and the IDs right?`;
    }
    if (!all('unauthorized', ofAdmins)) return undefined;
    return `No admin key works: every request of ${namesOf(ofAdmins)} gets 401.`;
  }
  const foreign = answered.find(({ sign }) => sign === 'foreign');
  return `This API is not at ${baseUrl}: ${foreign?.operation} gets ${foreign?.outcome}. Is the base URL right?`;
}

function namesOf(probes: readonly Probe[]): string {
  return [...new Set(probes.map(({ principal }) => `${principal.name} (${keyPlace(principal)})`))].join(', ');
}

/** A key that is refused everywhere while others work may be a wrong key or a bug. Only the reader can decide. */
function noteOf(principal: Principal, probes: readonly Probe[]): readonly string[] {
  const own = probes.filter((probe) => probe.principal === principal);
  if (own.length === 0 || own.some(({ sign }) => sign !== 'unauthorized')) return [];
  return [
    `Every request of ${principal.name} gets 401. If ${keyPlace(principal)} is the wrong key, ignore the failures for ${principal.name}.`,
  ];
}

/** Where to find a principal's key. */
export function keyPlace({ variable, isWritten }: Principal): string {
  return isWritten === true ? 'the key in the file' : variable;
}
