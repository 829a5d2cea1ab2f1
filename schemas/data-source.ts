import { z } from 'zod';
import { listOf } from './pagination.ts';
import { booleanIfAny, dateTimeIfAny, numberIfAny, openEnumeration, textIfAny } from './primitives.ts';

/** Section 2.5. Only `id` must be there, because other promises are about it. */
export const dataSourceSchema = z.looseObject({
  id: z.string(),
  displayName: textIfAny,
  description: textIfAny,
  databaseName: textIfAny,
  username: textIfAny,
  host: textIfAny,
  dialect: openEnumeration('ELASTICSEARCH').nullish(),
  port: numberIfAny,
  sshPort: numberIfAny,
  sslEnabled: booleanIfAny,
  sslCustomCertificatesEnabled: booleanIfAny,
  sshEnabled: booleanIfAny,
  hasCompletedFirstSync: booleanIfAny,
  isDemo: booleanIfAny,
  isServiceWarehouse: booleanIfAny,
  sshHost: textIfAny,
  sshUsername: textIfAny,
  bigQueryProjectId: textIfAny,
  spannerInstanceId: textIfAny,
  athenaWorkgroup: textIfAny,
  athenaOutputLocation: textIfAny,
  athenaCatalog: textIfAny,
  snowflakeAccountId: textIfAny,
  snowflakeWarehouse: textIfAny,
  snowflakeRole: textIfAny,
  lastSuccessfulSyncAt: dateTimeIfAny,
  lastSyncAttemptAt: dateTimeIfAny,
  lastHealthyAt: dateTimeIfAny,
  lastHealthCheckAttemptAt: dateTimeIfAny,
  createdAt: dateTimeIfAny,
  updatedAt: dateTimeIfAny,
  lastSyncStatus: openEnumeration('PENDING').nullish(),
  syncErrorMessage: textIfAny,
  lastHealthStatus: openEnumeration('HEALTHY').nullish(),
});

/** Section 4.5, the answer: one page of data sources. */
export const dataSourceListSchema = listOf(dataSourceSchema);

/** Section 4.6, the answer: the record of the deleted data source. */
export const dataSourceAnswerSchema = z.looseObject({ data: dataSourceSchema });

export type DataSource = z.infer<typeof dataSourceSchema>;
export type DataSourceList = z.infer<typeof dataSourceListSchema>;
export type DataSourceAnswer = z.infer<typeof dataSourceAnswerSchema>;
