import type { Api, Caller, Options, Query } from '../../engine/api.ts';
import type { Answer } from '../../core/exchange.ts';
import { keyholderOf } from '../../core/headers/own-headers.ts';
import { perCheck } from '../../engine/session/run-memory.ts';
import type { Principal } from '../../core/target.ts';
import { homeOf } from '../../stage/lists/home-of.ts';
import { unknownId } from '../../stage/lists/unknown-id.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Operation } from '../../spec/requirement.ts';

/** What requests have besides IDs: other code may answer a list with other parameters, or a message with `wait` or without a key. */
export type Form = { readonly query: Query; readonly message?: { readonly wait?: number; readonly key?: null } };

export const forms: Readonly<Record<'usual' | 'bare' | 'short' | 'whole' | 'later' | 'filtered', Form>> = {
  usual: { query: { limit: 1 } },
  bare: { query: {}, message: { wait: 1 } },
  short: { query: { limit: 20 }, message: { key: null } },
  whole: { query: { limit: 100 }, message: { wait: 1, key: null } },
  /** The cursor is no ID. */
  later: { query: { limit: 1, cursor: 'none' }, message: { wait: 1 } },
  /** The data source does not exist. */
  filtered: { query: { databaseConnectionId: 'none' }, message: { key: null } },
};

/** The IDs that the six operations take. */
export type Place = {
  readonly organizationId: string;
  readonly sourceId: string;
  readonly chatId: string;
  readonly billingAccountId: string;
  /** The organization that a body names for attachment. */
  readonly attachedId: string;
};

/** The principal that is admin of the most organizations. */
export function keyholder({ session }: Api): Principal {
  const keyholder = keyholderOf(session.target.principals);
  if (keyholder === undefined) throw new Blocked('no principal is declared');
  return keyholder;
}

/** A place with unknown IDs that look like those of the target. Created once for each check, which may use it repeatedly. */
export const unknownPlace = perCheck((api: Api): Place => {
  const { organizations, billingAccounts } = api.session.target;
  const organizationId = organizations[0]?.id ?? 'org_4k7m2p9q';
  const sourceId = organizations.flatMap(({ disposableDataSources }) => disposableDataSources)[0];
  const chatId = organizations.flatMap(({ chats }) => chats)[0];
  return {
    organizationId: unknownId(api, organizationId, 'organization'),
    sourceId: unknownId(api, sourceId ?? 'ds_4k7m2p9q', 'source'),
    chatId: unknownId(api, chatId ?? 'chat_4k7m2p9q', 'chat'),
    billingAccountId: unknownId(api, billingAccounts[0]?.id ?? 'ba_4k7m2p9q', 'account'),
    attachedId: unknownId(api, organizationId, 'attached'),
  };
});

/**
 * What exists for the principal where it is read, as far as the target file declares it; what a write would change does
 * not exist, so that a request to this place is harmless whatever comes of it.
 */
export function readablePlace(api: Api, principal: Principal): Place {
  const unknown = unknownPlace(api);
  const { billingAccounts } = api.session.target;
  const account = billingAccounts.find(({ owner }) => principal.adminOf.includes(owner)) ?? billingAccounts[0];
  return {
    ...unknown,
    organizationId: homeOf(api.session.target, principal) ?? unknown.organizationId,
    billingAccountId: account?.id ?? unknown.billingAccountId,
  };
}

/** A well-formed request for the operation at the place, by default in the usual form. */
export function requestAt(
  api: Api,
  operation: Operation,
  caller: Caller,
  place: Place,
  { form = forms.usual, ...options }: Options & { readonly form?: Form | undefined } = {},
): Promise<Answer> {
  const { organizationId, sourceId, chatId, billingAccountId, attachedId } = place;
  switch (operation) {
    case 'listModels':
      return api.listModels(caller, organizationId, form.query, options);
    case 'listDataSources':
      return api.listDataSources(caller, organizationId, form.query, options);
    case 'getBillingAccount':
      return api.getBillingAccount(caller, billingAccountId, options);
    case 'deleteDataSource':
      return api.deleteDataSource(caller, organizationId, sourceId, options);
    case 'attachOrganization':
      return api.attachOrganization(caller, billingAccountId, { organizationId: attachedId }, options);
    case 'sendMessage': {
      const message = api.session.target.assistant.quickPrompt;
      const outgoing = { message, key: api.freshKey(), ...form.message };
      return api.sendMessage(caller, { organizationId, chatId }, outgoing, options);
    }
  }
}
