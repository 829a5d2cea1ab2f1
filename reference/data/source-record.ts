import type { Json, JsonObject } from '../http/json.ts';
import type { DataOptions } from './options.ts';
import { timestamp } from './timestamp.ts';

const words = {
  upper: {
    dialects: ['ELASTICSEARCH', 'POSTGRES', 'BIGQUERY', 'SNOWFLAKE', 'ATHENA', 'SPANNER'],
    sync: ['PENDING', 'SUCCESS', 'FAILED'],
    health: ['HEALTHY', 'UNHEALTHY'],
  },
  lower: {
    dialects: ['elasticsearch', 'postgres', 'bigquery'],
    sync: ['pending', 'done'],
    health: ['healthy', 'down'],
  },
  'unheard-of': { dialects: ['QUANTUM_DB', ''], sync: ['A_SYNC_STATE'], health: ['?', 'GREEN-ISH'] },
} as const satisfies Readonly<Record<DataOptions['words'], Readonly<Record<string, readonly string[]>>>>;

function word(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}

export type SourceSeed = {
  readonly index: number;
  readonly id: string;
  readonly createdAtMs: number;
};

/** The fields that depend on the kind of connection. They are set on some records and null on others. */
function connection(index: number): Readonly<Record<string, Json>> {
  const ssh = index % 4 === 0;
  return {
    description: index % 3 === 0 ? null : `Warehouse ${index}`,
    databaseName: `db_${index}`,
    username: 'reader',
    host: `db${index}.example.com`,
    port: 5432 + (index % 3),
    sslCustomCertificatesEnabled: index % 5 === 0,
    sshEnabled: ssh,
    sshHost: ssh ? 'bastion.example.com' : null,
    sshPort: ssh ? 22 : null,
    sshUsername: ssh ? 'tunnel' : null,
    bigQueryProjectId: index % 6 === 2 ? 'project-1' : null,
    spannerInstanceId: index % 6 === 5 ? 'instance-1' : null,
    athenaWorkgroup: index % 6 === 4 ? 'primary' : null,
    athenaOutputLocation: index % 6 === 4 ? 's3://bucket/out/' : null,
    athenaCatalog: index % 6 === 4 ? 'AwsDataCatalog' : null,
    snowflakeAccountId: index % 6 === 3 ? 'xy12345' : null,
    snowflakeWarehouse: index % 6 === 3 ? 'COMPUTE_WH' : null,
    snowflakeRole: index % 6 === 3 ? 'READER' : null,
    syncErrorMessage: index % 3 === 2 ? 'The host did not answer.' : null,
  };
}

/** A value where `nullable: set` requires one. */
function filled(name: string): Json {
  return name === 'sshPort' ? 22 : `some ${name}`;
}

function optional(fields: Readonly<Record<string, Json>>, index: number, options: DataOptions): JsonObject {
  if (options.optional === 'absent') return {};
  const entries = Object.entries(fields).map(([name, value]): [string, Json] => {
    if (options.nullable === 'null') return [name, null];
    return [name, options.nullable === 'set' && value === null ? filled(name) : value];
  });
  const absent = options.optional === 'mixed' && index % 3 !== 0;
  return Object.fromEntries(absent ? entries.filter(([, value]) => value !== null) : entries);
}

function activity(seed: SourceSeed, options: DataOptions): Readonly<Record<string, Json>> {
  const at = (minutes: number): string => timestamp(options.timestamps, seed.createdAtMs + minutes * 60_000);
  const synced = seed.index % 3 !== 0 || options.nullable === 'set';
  return {
    lastSuccessfulSyncAt: synced ? at(5) : null,
    lastSyncAttemptAt: at(6),
    lastSyncStatus: word(words[options.words].sync, seed.index),
    lastHealthyAt: synced ? at(7) : null,
    lastHealthCheckAttemptAt: at(8),
    lastHealthStatus: word(words[options.words].health, seed.index),
  };
}

/** The record of one data source. */
export function sourceRecord(seed: SourceSeed, options: DataOptions): JsonObject {
  const { index } = seed;
  const extra = options.extraFields === 'none' ? {} : { region: 'eu-central-1', tags: ['a'], deletedAt: null };
  return {
    id: seed.id,
    displayName: `Source ${index}`,
    dialect: word(words[options.words].dialects, index),
    ...optional({ ...connection(index), ...activity(seed, options) }, index, options),
    sslEnabled: index % 2 === 0,
    hasCompletedFirstSync: index % 3 !== 0,
    isDemo: index === 1,
    isServiceWarehouse: index === 2,
    createdAt: timestamp(options.timestamps, seed.createdAtMs),
    updatedAt: timestamp(options.timestamps, seed.createdAtMs + 600_000),
    ...extra,
  };
}
