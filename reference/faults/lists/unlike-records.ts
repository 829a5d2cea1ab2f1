import type { Json, JsonObject } from '../../http/json.ts';
import { isFiltered, type Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, isSingle } from '../shared/requests.ts';
import { secondOf, without } from '../shared/values.ts';

/** Every admin but one is shown other records. */
function toOthers(point: 'modelShown' | 'sourceShown', alter: (record: JsonObject) => JsonObject): Fault['alter'] {
  return () => ({
    [point]: (record: JsonObject, { caller }: Request) => (caller?.name === 'alice' ? record : alter(record)),
  });
}

/** Whether a page of one item is asked for behind a cursor. */
function isLaterSingle(request: Request): boolean {
  return hasCursor(request) && isSingle(request);
}

function anHourBefore(time: unknown): string {
  return new Date(Date.parse(String(time)) - 3_600_000).toISOString();
}

/** That long after the first deletion, relationships of all models have that target. */
function withTargets(targetModelId: Json, afterMs: number): Fault['alter'] {
  return () => {
    let endedAt = Number.POSITIVE_INFINITY;
    const changed = (relationships: Json | undefined): Json =>
      Array.isArray(relationships) ? relationships.map((one: JsonObject) => ({ ...one, targetModelId })) : [];
    return {
      onDeleted: (_item, { at }) => (endedAt = Math.min(endedAt, at + afterMs)),
      modelShown: (model, { at }) =>
        at < endedAt ? model : { ...model, relationships: changed(model['relationships']) },
    };
  };
}

/** After the first deletion, all listed data sources are shown in another way. */
function afterDeletion(alter: (source: JsonObject) => JsonObject): Fault['alter'] {
  return () => {
    let isAfter = false;
    return {
      onDeleted: () => (isAfter = true),
      sourceShown: (source) => (isAfter ? alter(source) : source),
    };
  };
}

/** Records that differ between two answers, though nothing changed them. */
export const unlikeRecordFaults = faultsOf({
  'paging.same-records': {
    'created-an-hour-early-with-limit': {
      sentence: 'Pages with a limit read createdAt from a column without a time zone, so that it is an hour too early.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, { query }) =>
          query.has('limit') ? { ...model, createdAt: anHourBefore(model['createdAt']) } : model,
      }),
    },
    'model-created-this-second': {
      sentence: 'createdAt of every model has the time of the reading as its default, in whole seconds.',
      idle: { models: ['0'] },
      alter: () => ({ modelShown: (model, { at }) => ({ ...model, createdAt: secondOf(at) }) }),
    },
    'source-created-this-second': {
      sentence: 'createdAt of every data source is the time of the answer, in whole seconds.',
      idle: { sources: ['0'] },
      alter: () => ({ sourceShown: (source, { at }) => ({ ...source, createdAt: secondOf(at) }) }),
    },
    'reference-name-made-anew': {
      sentence: 'referenceName is generated again for every answer.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, { turn }) => ({ ...model, referenceName: `${String(model['referenceName'])}_${turn}` }),
      }),
    },
    'measures-turn-around': {
      sentence: 'Measures come in the order of a hash, which differs from answer to answer.',
      idle: { models: ['0', '1', '3'], texts: ['short', 'long-astral'] },
      alter: () => ({
        modelShown: (model, { turn }) => {
          const { measures } = model;
          return turn % 2 === 0 && Array.isArray(measures) ? { ...model, measures: measures.toReversed() } : model;
        },
      }),
    },
    'verifier-is-the-reader': {
      sentence: 'verifiedByMemberId is the member who reads the list.',
      idle: { models: ['0', '1', '3'] },
      alter: () => ({
        modelShown: (model, { caller }) =>
          model['verifiedAt'] === null ? model : { ...model, verifiedByMemberId: caller?.memberId ?? null },
      }),
    },
    'verifier-for-one-admin': {
      sentence: 'verifiedByMemberId is null for every admin but one, because members are joined with their rights.',
      idle: { models: ['0', '1', '3'], nullable: ['null'] },
      alter: toOthers('modelShown', (model) => ({ ...model, verifiedByMemberId: null })),
    },
    'filtered-description-escaped': {
      sentence: 'Under a filter, description is escaped for HTML.',
      idle: { models: ['0', '1', '3'] },
      alter: () => ({
        modelShown: (model, request) =>
          isFiltered(request) ? { ...model, description: String(model['description']).replaceAll('<', '&lt;') } : model,
      }),
    },
    'host-lost-after-cursor': {
      sentence: 'Pages after a cursor are read without the join that finds the host, which is null there.',
      idle: { sources: ['0', '1'], optional: ['absent'], nullable: ['null'] },
      alter: () => ({
        sourceShown: (source, request) => (hasCursor(request) ? { ...source, host: null } : source),
      }),
    },
    'reference-name-for-later-single-models': {
      sentence:
        'A page of one model after a cursor comes from an index, which has referenceName in the place of the name.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, request) =>
          isLaterSingle(request) ? { ...model, name: model['referenceName'] ?? null } : model,
      }),
    },
    'database-lost-on-later-single-sources': {
      sentence: 'A page of one data source after a cursor shows its host as databaseName.',
      idle: { sources: ['0', '1'], optional: ['absent'], nullable: ['null'] },
      alter: () => ({
        sourceShown: (source, request) =>
          isLaterSingle(request) ? { ...source, databaseName: source['host'] ?? null } : source,
      }),
    },
    'dialect-for-one-admin': {
      sentence: 'Every admin but one sees the dialect POSTGRES, because the dialect is loaded with their settings.',
      idle: { sources: ['0', '1'] },
      alter: toOthers('sourceShown', (source) => ({ ...source, dialect: 'POSTGRES' })),
    },
  },
  'models.required-fields': {
    'later-filtered-models-without-segments': {
      sentence: 'Filtered pages after the first come from an older index, which has no segments.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, request) =>
          isFiltered(request) && hasCursor(request) ? without(model, 'segments') : model,
      }),
    },
    'later-single-models-without-grain': {
      sentence: 'A page of one model after a cursor comes from an index, which has no grain.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, request) => (isLaterSingle(request) ? without(model, 'grain') : model),
      }),
    },
    'sql-for-one-admin': {
      sentence: 'sqlQuery is shown to the admin who created the organization alone.',
      alter: toOthers('modelShown', (model) => without(model, 'sqlQuery')),
    },
  },
  'models.relationships': {
    'targets-null-after-deletion': {
      sentence: 'A deletion sets the target of relationships to null, as the foreign key says.',
      idle: { models: ['0', '1'] },
      alter: withTargets(null, 0),
    },
    'targets-blank-after-cleanup': {
      sentence: 'A job that runs ten seconds after a deletion sets the target of relationships to an empty text.',
      idle: { models: ['0', '1'] },
      alter: withTargets('', 10_000),
    },
  },
  'models.columns': {
    'columns-null-after-deletion': {
      sentence: 'A deletion clears the inferred columns of all models of the organization, to null.',
      idle: { models: ['0', '1'] },
      alter: () => {
        let isAfter = false;
        return {
          onDeleted: () => (isAfter = true),
          modelShown: (model) => (isAfter ? { ...model, columns: null } : model),
        };
      },
    },
  },
  'models.warnings': {
    'later-warnings-null': {
      sentence: 'Outside the main organization, warnings are null on every page after the first.',
      alter: () => ({
        modelShown: (model, request) =>
          hasCursor(request) && request.ids.organizationId !== 'org_main' ? { ...model, warnings: null } : model,
      }),
    },
  },
  'models.date-times': {
    'models-untouched-since-deletion': {
      sentence: 'A deletion resets updatedAt of all models to null.',
      idle: { models: ['0', '1'] },
      alter: () => {
        let isReset = false;
        return {
          onDeleted: () => (isReset = true),
          modelShown: (model) => (isReset ? { ...model, updatedAt: null } : model),
        };
      },
    },
  },
  'sources.types': {
    'status-number-after-deletion': {
      sentence: 'A cleanup job sets lastSyncStatus of all data sources of the organization to a number.',
      idle: { sources: ['0', '1'] },
      alter: afterDeletion((source) => ({ ...source, lastSyncStatus: 3 })),
    },
    'port-text-on-later-single-sources': {
      sentence: 'A page of one data source after a cursor has port as a string.',
      idle: { sources: ['0', '1'] },
      alter: () => ({
        sourceShown: (source, request) =>
          isLaterSingle(request) ? { ...source, port: String(source['port']) } : source,
      }),
    },
    'port-text-deep-in': {
      sentence: 'Pages of 50 that begin after the hundredth data source have port as a string.',
      idle: { sources: ['0', '1', '3', '50', '51', '100'] },
      alter: () => {
        let start = 0;
        return {
          pageStart: (place) => (start = place),
          sourceShown: (source, request) =>
            hasCursor(request) && !request.query.has('limit') && start >= 100
              ? { ...source, port: String(source['port']) }
              : source,
        };
      },
    },
  },
  'sources.date-times': {
    'never-synced-after-deletion': {
      sentence: 'After a deletion, lastSyncAttemptAt of the data sources that are left is "pending".',
      idle: { sources: ['0', '1'] },
      alter: afterDeletion((source) => ({ ...source, lastSyncAttemptAt: 'pending' })),
    },
  },
  'sources.no-secret': {
    'password-after-deletion': {
      sentence: 'A deletion empties the cache of records without secrets, and the list then comes from the database.',
      idle: { sources: ['0', '1'] },
      alter: afterDeletion((source) => ({ ...source, password: 'hunter2-hunter2' })),
    },
    'password-for-other-admins': {
      sentence: 'Every admin but one sees the password, by a role that was meant for operators.',
      alter: toOthers('sourceShown', (source) => ({ ...source, password: 'hunter2-hunter2' })),
    },
  },
});
