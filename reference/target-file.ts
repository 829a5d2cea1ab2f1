import { stringify } from 'yaml';
import type { Target } from '../core/target.ts';

/** The target file of a served reference. It contains the keys, which are valid nowhere else. */
export function targetFile(target: Target): string {
  const { name, baseUrl, principals, organizations, billingAccounts, idempotencyHeader, assistant, allow } = target;
  const written = {
    name,
    ...(target.baseUrls === undefined ? { baseUrl } : { baseUrls: [...target.baseUrls] }),
    principals: Object.fromEntries(
      principals.map(({ name: who, key, adminOf, headers }) => [
        who,
        { key, adminOf, ...(headers === undefined ? {} : { headers }) },
      ]),
    ),
    organizations: Object.fromEntries(
      organizations.map(({ id, chats, disposableDataSources }) => [
        id,
        {
          ...(chats.length > 0 ? { chats } : {}),
          ...(disposableDataSources.length > 0 ? { disposableDataSources } : {}),
        },
      ]),
    ),
    billingAccounts: Object.fromEntries(
      billingAccounts.map(({ id, owner, attachable }) => [id, { owner, attachable }]),
    ),
    ...(idempotencyHeader === undefined ? {} : { choices: { idempotencyHeader } }),
    assistant,
    allow: [...allow],
  };
  return stringify(written, { lineWidth: 0 });
}
