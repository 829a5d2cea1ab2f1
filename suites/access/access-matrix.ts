import { hash } from '../../core/hash.ts';
import { type Api, as } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { adminOf, givenLongestList } from '../../stage/lists/lists.ts';
import { listOperations } from '../../core/page.ts';
import { requestOnce, widest } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { forms, keyholder, readablePlace, requestAt } from '../shared/place.ts';

/** The operations that read: every principal may request every resource without side effects. */
export const readOperations = ['listModels', 'listDataSources', 'getBillingAccount'] as const;
export type ReadOperation = (typeof readOperations)[number];

/** One principal and one resource of the target file. */
type Pair = {
  readonly principal: Principal;
  /** The organization or billing account. */
  readonly resource: string;
  /** The organization whose admins may read it. */
  readonly organizationId: string;
};

/** The answer to one principal's request for one resource. */
export type Cell = Pair & { readonly answer: Answer };

/** Every declared principal against every declared resource. */
export type Matrix = {
  /** By those whom the target file declares admins. */
  readonly granted: readonly Cell[];
  /** By all others. */
  readonly denied: readonly Cell[];
};

/** A matrix without principals whose key no operation accepts: their answers show nothing about roles. */
type JudgedMatrix = Matrix & { readonly keyless: readonly string[] };

/** Requests for each half of a matrix: a larger one is thinned out evenly. */
const maxCells = 60;

/**
 * Up to this many pairs to deny, each list tries all of them; if there are more, {@link mostOfMany} of every other one, and the principals
 * without any role in the organization with the longest list.
 */
const fewPairs = 12;
const mostOfMany = 6;

/** In turn, for those who are no admins. Other checks send them whole pages, cursors and filters. */
const deniedForms = [forms.usual, forms.bare, forms.short] as const;

/** A limit that no other check uses. */
const unusualLimit = 83;

const matrixOf = shared(async (api: Api, name: string): Promise<Matrix> => {
  const operation = readOperations.find((known) => known === name) ?? 'listModels';
  const pairs = pairsOf(api, operation);
  const isAdmin = ({ principal, organizationId }: Pair): boolean => principal.adminOf.includes(organizationId);
  const strangers = askedOf(
    api,
    operation,
    pairs.filter((pair) => !isAdmin(pair)),
  );
  const chosen = new Set([...thinned(api, pairs.filter(isAdmin)), ...thinned(api, strangers)]);
  // One resource after the other, so that callers alternate: a role of the request before would show.
  const tried = await cellsOf(
    api,
    operation,
    pairs.filter((pair) => chosen.has(pair)),
    knownReading,
  );
  const telling = chosen.size < pairs.length ? await ofMembers(api, operation, pairs) : [];
  const left = telling.filter((pair) => !chosen.has(pair));
  const cells = [...tried, ...(await cellsOf(api, operation, left))];
  const granted = cells.filter(isAdmin);
  const denied = cells.filter((cell) => !isAdmin(cell));
  for (const { answer } of denied.slice(0, 1)) noteMistake(api, operation, 'without the role', answer);
  return { granted, denied };
});

/** The matrix of an operation, requested once in a run. Blocked if no operation accepts any key. */
async function givenMatrix(api: Api, operation: ReadOperation): Promise<JudgedMatrix> {
  const { granted, denied } = await matrixOf(api, operation);
  const doubtful = new Set(
    [...granted, ...denied].filter(({ answer }) => answer.status === 401).map(({ principal }) => principal),
  );
  for (const other of doubtful.size === 0 ? [] : readOperations) {
    const cells = await matrixOf(api, other);
    for (const { principal, answer } of [...cells.granted, ...cells.denied]) {
      if (answer.status !== 401) doubtful.delete(principal);
    }
  }
  for (const principal of doubtful) if (await isAcceptedElsewhere(api, principal)) doubtful.delete(principal);
  const hasKey = ({ principal }: Cell): boolean => !doubtful.has(principal);
  const keyless = [...doubtful].map(({ name }) => name);
  const judged = { granted: granted.filter(hasKey), denied: denied.filter(hasKey), keyless };
  if (keyless.length > 0 && judged.granted.length + judged.denied.length === 0) throw new Blocked(whyKeyless(keyless));
  return judged;
}

/** A 401 may be cached for its URL from another caller, so the key is tried with a URL that was not used before. */
async function isAcceptedElsewhere(api: Api, principal: Principal): Promise<boolean> {
  const { organizationId } = readablePlace(api, principal);
  const answer = await api.listDataSources(as(principal), organizationId, { limit: unusualLimit });
  return answer.status !== 401;
}

/** The principals that are not admins of an organization and have a key that works. */
export async function strangersTo(
  api: Api,
  operation: ReadOperation,
  organizationId: string,
): Promise<readonly Principal[]> {
  const { keyless } = await givenMatrix(api, operation);
  return api.session.target.principals.filter(
    ({ name, adminOf }) => !adminOf.includes(organizationId) && !keyless.includes(name),
  );
}

/** Blocked if a principal was left out because no operation accepts its key. */
export async function givenEveryKey(api: Api, operation: ReadOperation): Promise<void> {
  const { keyless } = await givenMatrix(api, operation);
  if (keyless.length > 0) throw new Blocked(whyKeyless(keyless));
}

function whyKeyless(names: readonly string[]): string {
  return `no operation accepts the key of ${names.join(', ')}`;
}

/** The granted half. Blocked if the target file declares no principal who may read anything. */
export async function givenGranted(api: Api, operation: ReadOperation): Promise<readonly Cell[]> {
  const { granted } = await givenMatrix(api, operation);
  if (granted.length > 0) return granted;
  throw new Blocked(
    operation === 'getBillingAccount'
      ? 'no principal is adminOf the owner of a billing account: declare billingAccounts.<id>.owner and such a principal'
      : 'no principal is adminOf any organization: declare one in the target file',
  );
}

/** The denied half. Blocked when there is none. */
export async function givenDenied(api: Api, operation: ReadOperation): Promise<readonly Cell[]> {
  const { denied } = await givenMatrix(api, operation);
  if (denied.length > 0) return denied;
  if (operation === 'getBillingAccount' && api.session.target.billingAccounts.length === 0)
    throw new Blocked('no billing account is declared: declare billingAccounts.<id>.owner');
  throw new Blocked(
    `there is no principal to deny access to: declare a principal that is not adminOf ${resources[operation]}`,
  );
}

/** Blocked unless a resource was refused to one principal and shown to its admin: only then is the role the cause. */
export async function givenDeniedForTheRole(api: Api, operation: ReadOperation): Promise<void> {
  const { granted, denied } = await givenMatrix(api, operation);
  const shownTo = new Set(granted.filter(({ answer }) => isSuccess(answer)).map(({ resource }) => resource));
  if (denied.some(({ resource }) => shownTo.has(resource))) return;
  throw new Blocked(
    `no request was denied for a resource that its own admin can read: declare a principal that is adminOf ${resources[operation]}, and one that is not`,
  );
}

const resources = {
  listModels: 'an organization',
  listDataSources: 'an organization',
  getBillingAccount: 'the owner of a billing account',
} as const satisfies Readonly<Record<ReadOperation, string>>;

function pairsOf(api: Api, operation: ReadOperation): readonly Pair[] {
  const { principals, organizations, billingAccounts } = api.session.target;
  const resources =
    operation === 'getBillingAccount'
      ? billingAccounts.map(({ id, owner }) => ({ resource: id, organizationId: owner }))
      : organizations.map(({ id }) => ({ resource: id, organizationId: id }));
  return resources.flatMap((resource) => principals.map((principal) => ({ ...resource, principal })));
}

/**
 * The pairs to deny for one operation. Both lists belong to organizations, so each of them tries every other pair if there are
 * many, and all pairs in which the ID resembles one of the principal's own.
 */
function askedOf(api: Api, operation: ReadOperation, pairs: readonly Pair[]): readonly Pair[] {
  const turn = ['listModels', 'listDataSources'].indexOf(operation);
  if (turn < 0 || pairs.length <= fewPairs) return pairs;
  const resembles = ({ principal, resource }: Pair): boolean =>
    principal.adminOf.some((id) => id.startsWith(resource) || resource.startsWith(id));
  const { principals, organizations } = api.session.target;
  const place = ({ principal, resource }: Pair): number =>
    principals.indexOf(principal) + organizations.findIndex(({ id }) => id === resource);
  const own = pairs.filter((pair) => place(pair) % 2 === turn && !resembles(pair));
  return [...pairs.filter(resembles), ...thinned(api, own, mostOfMany)];
}

/** The pairs of a principal without any role and the organization with the longest list: few others show that roles are ignored. */
async function ofMembers(api: Api, operation: ReadOperation, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const list = listOperations.find((known) => known === operation);
  const longest = list === undefined ? undefined : await unlessBlocked(() => givenLongestList(api, list, 1));
  const members = pairs.filter(
    ({ principal, resource }) => principal.adminOf.length === 0 && resource === longest?.organizationId,
  );
  return thinned(api, members, fewPairs);
}

/** Requests each pair that has no `known` answer, one after the other. */
export async function cellsOf(
  api: Api,
  operation: ReadOperation,
  pairs: readonly Pair[],
  known: typeof knownReading = async () => undefined,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  let denied = 0;
  for (const pair of pairs) {
    const { principal, resource } = pair;
    const isAdmin = principal.adminOf.includes(pair.organizationId);
    const form = isAdmin ? forms.usual : deniedForms[denied % deniedForms.length];
    const place = { ...readablePlace(api, principal), organizationId: resource, billingAccountId: resource };
    // Over the connection of the request before, which may have kept a role.
    const how = { form, follows: !isAdmin };
    const answer = (await known(api, operation, pair)) ?? (await requestAt(api, operation, as(principal), place, how));
    if (!isAdmin) denied += 1;
    cells.push({ ...pair, answer });
  }
  return cells;
}

/** What the keyholder reads with its own key, asked for once in a run: the twin of requests that have no or a wrong key. */
export const ownReading = shared((api: Api, name: string): Promise<Answer> => {
  const principal = keyholder(api);
  const place = readablePlace(api, principal);
  const list = listOperations.find((known) => known === name);
  if (list === undefined) return requestAt(api, 'getBillingAccount', as(principal), place);
  return requestOnce(api, { list, admin: principal, organizationId: place.organizationId }, { limit: 1 });
});

/**
 * What the keyholder reads of its own, or the page with which other checks begin to walk the list. Undefined if the principal does not
 * walk it, or gets no page of that size.
 */
async function knownReading(
  api: Api,
  operation: ReadOperation,
  { principal, resource }: Pair,
): Promise<Answer | undefined> {
  const { organizationId, billingAccountId } = readablePlace(api, keyholder(api));
  const isOwn = resource === (operation === 'getBillingAccount' ? billingAccountId : organizationId);
  if (isOwn && principal === keyholder(api)) return ownReading(api, operation);
  // Requests without a key ask for the same, and a cache may answer others as it answered them.
  if (operation === 'getBillingAccount' || isOwn || adminOf(api, resource) !== principal) return undefined;
  const answer = await requestOnce(api, { list: operation, admin: principal, organizationId: resource }, widest);
  return isSuccess(answer) ? answer : undefined;
}

/** Evenly, by the seed: every row and every column of a large matrix keeps some of its cells. */
function thinned(api: Api, pairs: readonly Pair[], most = maxCells): readonly Pair[] {
  if (pairs.length <= most) return pairs;
  const drawn = ({ principal, resource }: Pair): number => hash(`${api.seed} ${principal.name} ${resource}`);
  return pairs.toSorted((one, other) => drawn(one) - drawn(other)).slice(0, most);
}
