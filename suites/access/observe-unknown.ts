import { summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Operation } from '../../spec/requirement.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { keyholder, readablePlace, requestAt, unknownPlace } from '../shared/place.ts';

/** Records the answer about one unknown resource in an otherwise existing path. */
export async function observeUnknown(api: Api, operation: Operation): Promise<void> {
  const principal = keyholder(api);
  const nowhere = unknownPlace(api);
  const place = {
    ...readablePlace(api, principal),
    ...(operation === 'getBillingAccount' ? { billingAccountId: nowhere.billingAccountId } : {}),
    ...(operation.startsWith('list') ? { organizationId: nowhere.organizationId } : {}),
  };
  const answer = await requestAt(api, operation, as(principal), place);
  noteMistake(
    api,
    operation,
    operation === 'deleteDataSource' ? 'about a data source that does not exist' : 'about what does not exist',
    answer,
  );
  api.session.observe('access.unknown-status', `${operation}: ${summary(answer)}`, answer.exchange);
}
