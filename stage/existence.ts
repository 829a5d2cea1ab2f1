import { type Answer, isSuccess } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import type { Principal } from '../core/target.ts';
import { type Api, as, type Caller } from '../engine/api.ts';
import { shared } from '../engine/fixture.ts';
import { unknownId } from './lists/unknown-id.ts';

/** At most this many principals are asked. */
const maxPrincipals = 8;

/** A limit that no other check uses, so that no cache has its answer. */
const unusualLimit = 79;

/** An organization or a billing account that a target file declares, and the organization whose admins may read it. */
export type Declared = { readonly kind: 'organization' | 'account'; readonly id: string; readonly ownerId: string };

export const organization = (id: string): Declared => ({ kind: 'organization', id, ownerId: id });

/**
 * Whether the ID in the target file may be wrong: a declared admin got 404, and nothing shows that the organization or account
 * exists. Returns the sentence for the user, or undefined if the answer is the deployment's own fault.
 */
export async function mistyped(api: Api, declared: Declared, who: Principal, got: Answer): Promise<string | undefined> {
  if (got.status !== 404 || wasSeen(api, declared)) return undefined;
  const { id } = declared;
  if (await isShown(api, JSON.stringify(declared))) return undefined;
  return `${id} answers 404 to its declared admin ${who.name}: is the ID right?`;
}

/** Whether any request about it, such as a message or an attachment, succeeded in this run. */
function wasSeen({ session }: Api, { kind, id }: Declared): boolean {
  const part = `/${kind === 'organization' ? 'organizations' : 'billing-accounts'}/${encodeURIComponent(id)}`;
  return session
    .sampled()
    .some((answer) => isSuccess(answer) && `${answer.exchange.request.path.split('?')[0]}/`.includes(`${part}/`));
}

/** Whether any principal can read it, or its admins get another answer than for an ID that does not exist. Looked for once. */
const isShown = shared(async (api: Api, key: string): Promise<boolean> => {
  const { kind, id, ownerId }: Declared = JSON.parse(key);
  const { principals } = api.session.target;
  const isAdmin = ({ adminOf }: Principal) => adminOf.includes(ownerId);
  const byRole = principals.toSorted((a, b) => Number(isAdmin(b)) - Number(isAdmin(a)));
  for (const principal of byRole.slice(0, maxPrincipals)) {
    for (const ask of kind === 'organization' ? organizationReads(api) : accountReads(api)) {
      const answer = await ask(as(principal), id);
      if (isSuccess(answer)) return true;
      const other = isAdmin(principal) ? await ask(as(principal), unknownId(api, id)) : answer;
      if (tells(answer) && tells(other) && answer.status !== other.status) return true;
    }
  }
  return kind === 'organization' && (await ownsAccount(api, id));
});

type Ask = (caller: Caller, id: string) => Promise<Answer>;

function organizationReads(api: Api): readonly Ask[] {
  return [
    (caller, id) => api.listModels(caller, id, { limit: unusualLimit }),
    (caller, id) => api.listDataSources(caller, id, { limit: unusualLimit }),
  ];
}

function accountReads(api: Api): readonly Ask[] {
  return [(caller, id) => api.getBillingAccount(caller, id)];
}

/** Whether a refusal depends on what is asked for. */
function tells({ status }: Answer): boolean {
  return status < 500 && status !== 401 && status !== 429;
}

/** Whether the record of a billing account names it as the owner. */
async function ownsAccount(api: Api, organizationId: string): Promise<boolean> {
  const { principals, billingAccounts } = api.session.target;
  const admin = principals.find(({ adminOf }) => adminOf.includes(organizationId));
  if (admin === undefined) return false;
  for (const { id, owner } of billingAccounts) {
    if (owner !== organizationId) continue;
    const answer = await api.getBillingAccount(as(admin), id);
    if (isSuccess(answer) && at(answer.json, 'data', 'ownerOrganizationId') === organizationId) return true;
  }
  return false;
}
