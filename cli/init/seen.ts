import { Api, as } from '../../engine/api.ts';
import { summary } from '../../core/exchange.ts';
import { realClock } from '../../core/clock.ts';
import { TransportError } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { type ListOperation, readPage } from '../../core/page.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { tlsAdvice } from '../../core/network/tls-advice.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import { createSession } from '../../engine/session/session.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { diagnose } from '../../targets/doctor/doctor.ts';
import { readAccount } from '../../targets/doctor/fixtures.ts';
import { answeredTarget } from './answered-target.ts';
import type { Answers } from './answers.ts';
import { type SeenOrganization, targetText } from './target-text.ts';

export type Seen = {
  readonly organizations: readonly SeenOrganization[];
  /** Why the deployment cannot be reached, as one sentence. */
  readonly problem?: string;
  /** The owner that a billing account shows; undefined if no principal can read it. */
  readonly ownerOf: (accountId: string) => Promise<string | undefined>;
  readonly close: () => void;
};

/** At most this many organizations are read. */
const maxOrganizations = 20;

/** How long a look at the way to the deployment may take, in milliseconds. */
const adviceMs = 5000;

const nothingSeen = { organizations: [], ownerOf: async () => undefined };

/** Reads what the principals can reach, if their keys are in the environment. Rejects with UserError for invalid answers. */
export async function seeTarget(
  answers: Answers,
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Seen> {
  const principals = answers.principals.filter(({ variable }) => (environment[variable] ?? '') !== '');
  if (principals.length === 0) return { ...nothingSeen, close: () => {} };
  const unset = Object.fromEntries(Object.values(answers.headers).map((variable) => [variable, '']));
  const target = answeredTarget(targetText({ ...answers, principals }, []), path, { ...unset, ...environment });
  const { deployment, close } = networkDeployment(target);
  const session = createSession({ deployment, target, clock: realClock, seed: 1, invariants: [] });
  const { unusable } = await diagnose(session, () => tlsAdvice(target, adviceMs));
  if (unusable !== undefined) return { ...nothingSeen, problem: unusable, close };
  const api = new Api(session, 'init');
  const organizations: SeenOrganization[] = [];
  for (const { id } of target.organizations.slice(0, maxOrganizations)) {
    const admin = target.principals.find(({ adminOf }) => adminOf.includes(id));
    if (admin !== undefined) organizations.push(await seeOrganization(api, admin, id));
  }
  const ownerOf = async (accountId: string) =>
    stringAt(await readAccount(api, target.principals, accountId), 'ownerOrganizationId');
  return { organizations, ownerOf, close };
}

async function seeOrganization(api: Api, admin: Principal, id: string): Promise<SeenOrganization> {
  const models = await seeList(api, 'listModels', admin, id);
  const sources = await seeList(api, 'listDataSources', admin, id);
  const nameOf = (record: unknown) => stringAt(record, 'displayName') ?? stringAt(record, 'dialect') ?? 'no name';
  const { text } = redactorOf(api.session.target);
  const sourceNames = sources.items.map((item) => text(`${item.id} (${nameOf(item.record)})`));
  return { id, by: admin.name, models: text(models.text), sources: text(sources.text), sourceNames };
}

async function seeList(api: Api, list: ListOperation, admin: Principal, organizationId: string) {
  const noun = list === 'listModels' ? 'models' : 'data sources';
  const unreadable = (why: string) => ({ text: `${noun} unreadable: ${why}`, items: [] });
  try {
    const answer = await requestPage(api, list, as(admin), organizationId, { limit: 100 });
    const page = readPage(answer);
    if (page === undefined) return unreadable(answer.problem ?? summary(answer));
    return { text: `${page.items.length}${page.hasMore ? ' or more' : ''} ${noun}`, items: page.items };
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return unreadable(error.message);
    throw error;
  }
}
