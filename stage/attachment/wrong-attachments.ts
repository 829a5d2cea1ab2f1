import type { Api } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { describe } from '../../core/text.ts';
import { inexactIds, isSurelyAnother, resemblingIds, unknownId } from '../lists/unknown-id.ts';

/** What is wrong with an attachment that must be refused. */
export type RefusalKind = 'missing' | 'not-a-string' | 'unknown-organization' | 'unknown-account' | 'inexact-id';

type Wrong = {
  readonly kind: RefusalKind;
  readonly what: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly contentType?: string;
  readonly account?: string;
};

/** The wrong attachments of an organization that differ from an accepted one in one thing each. */
export function wrongAttachments(api: Api, { billingAccountId, organizationId }: Attachable): readonly Wrong[] {
  const unknownAccount = unknownId(api, billingAccountId);
  return [
    { kind: 'missing', what: 'without organizationId', body: {} },
    { kind: 'missing', what: 'with organization_id instead', body: { organization_id: organizationId } },
    { kind: 'missing', what: 'with null as the body', body: null },
    { kind: 'missing', what: 'with the ID alone as the body', body: organizationId },
    { kind: 'missing', what: 'with an array around the body', body: [{ organizationId }] },
    { kind: 'missing', what: 'with malformed JSON', text: '{"organizationId":' },
    { kind: 'missing', what: 'with plain text', text: 'Attach it.', contentType: 'text/plain' },
    ...[null, true, numberLike(organizationId), [organizationId], { id: organizationId }].map((value): Wrong => ({
      kind: 'not-a-string',
      what: `with organizationId ${describe(value)}`,
      body: { organizationId: value },
    })),
    ...[unknownId(api, organizationId), longId, 'awc\u0000odd', ''].map((id): Wrong => ({
      kind: 'unknown-organization',
      what: `with organizationId ${describe(id, 60)}, which does not exist`,
      body: { organizationId: id },
    })),
    ...inexactOrganizations(api, organizationId).map((id): Wrong => ({
      kind: isSurelyAnother(id, organizationId) ? 'unknown-organization' : 'inexact-id',
      what: `with organizationId ${describe(id)}, where ${describe(organizationId)} exists`,
      body: { organizationId: id },
    })),
    {
      kind: 'unknown-account',
      what: `to the billing account ${describe(unknownAccount)}, which does not exist`,
      body: { organizationId },
      account: unknownAccount,
    },
    ...resemblingIds(
      billingAccountId,
      api.session.target.billingAccounts.map(({ id }) => id),
    ).map((account): Wrong => ({
      kind: 'unknown-account',
      what: `to the billing account ${describe(account)}, where ${describe(billingAccountId)} exists`,
      body: { organizationId },
      account,
    })),
  ];
}

/** An ID in plain words that is longer than columns usually are. */
const longId = 'awc-no-such-thing-'.repeat(20);

/** The ID with spaces around it, with its letters in the other case, and cut short. */
function inexactOrganizations({ session }: Api, organizationId: string): readonly string[] {
  const declared = session.target.organizations.map(({ id }) => id);
  return [` ${organizationId} `, ...inexactIds(organizationId, declared, 'some')];
}

/** The ID as a number, which a lenient parser accepts as the ID; any number if the ID is not numeric. */
function numberLike(id: string): number {
  const number = Number(id);
  return String(number) === id && Number.isFinite(number) ? number : 12_345;
}
