import type { Operation } from '../../spec/requirement.ts';
import { attachOrganization } from './attach-organization.ts';
import { deleteDataSource } from './delete-data-source.ts';
import { getBillingAccount } from './get-billing-account.ts';
import { listDataSources } from './list-data-sources.ts';
import { listModels } from './list-models.ts';
import type { OperationModel } from './operation.ts';
import { sendMessage } from './send-message.ts';

/** The six operations of section 4. */
export const operationModels: Readonly<Record<Operation, OperationModel>> = {
  listModels,
  sendMessage,
  attachOrganization,
  getBillingAccount,
  listDataSources,
  deleteDataSource,
};
