import { Api, as } from '../../engine/api.ts';
import { type Answer, answerOf, bodyOf, type Exchange, isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { TransportError } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import { baseUrlsOf } from '../../core/network/address.ts';
import { proxyOf } from '../../core/network/proxy.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Principal } from '../../core/target.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import type { Operation } from '../../spec/requirement.ts';
import { describePage } from './foreign-page.ts';
import { pulseOf } from './pulse.ts';
import { keyPlace, mayBeTls, type Probe, type Sign, whyUnreadable, whyUnusable } from './why-unusable.ts';

export type Diagnosis = {
  readonly probes: readonly Probe[];
  /** Why no verdict is possible, as one sentence; undefined if the deployment can be judged. */
  readonly unusable: string | undefined;
  /** Why nothing can be read, as one sentence; undefined if something can. A run could still judge the errors. */
  readonly unreadable: string | undefined;
  /** Notes for the reader of the report. */
  readonly notes: readonly string[];
  readonly requests: number;
  /** A read of each entry point that succeeded, without what it returned. */
  readonly answered: readonly Exchange[];
  /** The median latency of reads in milliseconds; undefined if none succeeded. */
  readonly latencyMs: number | undefined;
};

/** Looks at the way to an entry point instead of its answers: a sentence with a remedy, or undefined. Never rejects. */
export type Advise = (baseUrl: string) => Promise<string | undefined>;

/** At most this many principals are tried. */
const maxPrincipals = 12;

/** An organization that does not exist. If the file declares none, a refusal shows that the API answers. */
const noOrganization = 'awc-no-such-organization';

/**
 * Finds out whether a deployment can be judged, with at most three reading requests a principal at each entry point. Any answer that looks like
 * this API is enough, because finding its bugs is the task of the checks. `advise` is asked why nothing usable is answered.
 * Never rejects.
 */
export async function diagnose(
  session: Session,
  advise: Advise = () => Promise.resolve(undefined),
): Promise<Diagnosis> {
  const principals = session.target.principals.slice(0, maxPrincipals);
  const looks = await Promise.all(
    baseUrlsOf(session.target).map(async (url) => {
      const api = new Api(session, 'doctor');
      api.stayAt(url);
      const probes = await Promise.all(principals.flatMap((principal) => probesOf(api, principal)));
      return { url, api, probes, unusable: whyUnusable(probes, url), unreadable: whyUnreadable(probes, url) };
    }),
  );
  const probes = looks.flatMap((look) => look.probes);
  const broken = looks.find((look) => look.unusable !== undefined);
  const advice = broken === undefined ? undefined : await adviceOnTheWay(session, broken, advise);
  const unusable = broken === undefined ? undefined : whyUnusable(broken.probes, broken.url, advice);
  const unreadable = looks.find((look) => look.unreadable !== undefined)?.unreadable;
  const notes = unusable === undefined ? principals.flatMap((principal) => noteOf(principal, probes)) : [];
  const latencyMs = pulseOf(looks.flatMap(({ api }) => api.exchanges)).latencyMs?.median;
  const answered = looks.flatMap(({ api }) => withoutContent(api.exchanges.find(isAnswered)));
  const requests = looks.reduce((sum, { api }) => sum + api.sent, 0);
  return { probes, unusable, unreadable, notes, requests, answered, latencyMs };
}

function isAnswered(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && isSuccess(answer);
}

function withoutContent(exchange: Exchange | undefined): readonly Exchange[] {
  if (exchange?.outcome.kind !== 'answered') return [];
  const { status } = exchange.outcome.response;
  const response = { status, headers: {}, body: new Uint8Array() };
  return [{ ...exchange, outcome: { kind: 'answered', response } }];
}

/** What may be wrong on the way to an entry point that gives no usable answer. */
async function adviceOnTheWay(
  { target }: Session,
  { url, probes }: { readonly url: string; readonly probes: readonly Probe[] },
  advise: Advise,
): Promise<string | undefined> {
  const proxy = proxyOf({ ...target, baseUrl: url });
  if (proxy?.kind !== 'forward') return mayBeTls(probes) ? await advise(url) : undefined;
  if (probes.every(({ answer }) => answer === undefined)) return undefined;
  return `The request went through the proxy ${proxy.name} from ${proxy.from}: the page may be its own.`;
}

function probesOf(api: Api, principal: Principal): readonly Promise<Probe>[] {
  const { organizations, billingAccounts } = api.session.target;
  const { adminOf } = principal;
  const organization = adminOf[0] ?? organizations[0]?.id ?? noOrganization;
  const account = billingAccounts.find(({ owner }) => adminOf.includes(owner)) ?? billingAccounts[0];
  const isAdmin = adminOf.length > 0;
  const impatient = { patient: false };
  const redactor = redactorOf(api.session.target);
  const caller = as(principal);

  async function probe(
    operation: Operation,
    resource: string,
    admin: boolean,
    ask: () => Promise<Answer>,
  ): Promise<Probe> {
    const common = { principal, operation, resource, isAdmin: admin };
    try {
      const answer = await ask();
      const sign = signOf(answer, admin);
      const outcome = sign === 'foreign' || sign === 'silent' ? describePage(answer) : summary(answer);
      return { ...common, sign, answer, outcome: redactor.text(outcome) };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const failed = api.exchanges.findLast((exchange) => exchange.operation === operation)?.outcome;
      return {
        ...common,
        sign: 'silent',
        answer: undefined,
        outcome: failed?.kind === 'failed' ? failed.message : error.message,
      };
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
  const asked = answer.headers['www-authenticate'] ?? '';
  if (answer.status === 401) return gatewaySchemes.test(asked) ? 'foreign' : 'unauthorized';
  if (answer.status === 429) return 'speaks';
  if (answer.status >= 300 && answer.status < 400) return 'foreign';
  if (isSuccess(answer) || answer.status >= 500) return meansJson(answer) ? 'speaks' : 'foreign';
  const hasErrorBody = ['title', 'detail'].some((field) => stringAt(answer.json, 'error', field) !== undefined);
  if (!hasErrorBody) return 'foreign';
  return isAdmin && answer.status === 404 ? 'absent' : 'speaks';
}

function meansJson({ exchange, headers }: Answer): boolean {
  const start = Buffer.from(bodyOf(exchange).subarray(0, 64)).toString('latin1').trimStart();
  return start === '' || start.startsWith('{') || start.startsWith('[') || /json/i.test(headers['content-type'] ?? '');
}

/** How a gateway that has credentials of its own asks for them, and how this API never does. */
const gatewaySchemes = /^\s*(basic|digest|negotiate|ntlm)\b/i;

/** A key that is refused everywhere while others work may be a wrong key or a bug. Only the reader can decide. */
function noteOf(principal: Principal, probes: readonly Probe[]): readonly string[] {
  const own = probes.filter((probe) => probe.principal === principal);
  if (own.length === 0 || own.some(({ sign }) => sign !== 'unauthorized')) return [];
  return [
    `The key of ${principal.name} is refused: every request with it gets 401, and another key works. If ${keyPlace(principal)} is wrong, correct it: until then, all that needs ${principal.name} fails. If it is right, the deployment refuses a valid key.`,
  ];
}
