import type { Target } from '../../core/target.ts';
import type { MixEntry, OnceOperation } from '../profile/mix.ts';
import { billingRequest, listRequest, type LoadRequest } from './load-request.ts';

/** Every possible request of an entry, created once, so that equal requests are the same object. */
export function requestVariants(
  entry: Exclude<MixEntry, { operation: 'sendMessage' | OnceOperation }>,
  { organizations, principals, billingAccounts }: Target,
  timeoutMs: number,
): readonly LoadRequest[] {
  const admins = (organizationId: string) => principals.filter(({ adminOf }) => adminOf.includes(organizationId));
  switch (entry.operation) {
    case 'listModels':
    case 'listDataSources': {
      const limits = entry.limits.length === 0 ? [undefined] : entry.limits;
      return organizations.flatMap(({ id }) =>
        admins(id).flatMap((admin) => limits.map((limit) => listRequest(entry.operation, admin, id, limit, timeoutMs))),
      );
    }
    case 'getBillingAccount':
      return billingAccounts.flatMap(({ id, owner }) =>
        admins(owner).map((admin) => billingRequest(admin, id, timeoutMs)),
      );
  }
}
