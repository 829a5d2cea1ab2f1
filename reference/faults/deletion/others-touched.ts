import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';

/** What a deletion does to data sources that it is not about, and to models. */
export const othersTouchedFaults = faultsOf({
  'delete.models-removed': {
    'models-moved-to-another-source': {
      sentence: 'The models of a deleted data source are not removed, but moved to another one.',
      alter: () => {
        const deleted = new Set<string>();
        let other: string | undefined;
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          cleanupRemoves: () => false,
          models: (all) => {
            other = all.find(({ sourceId }) => !deleted.has(sourceId))?.sourceId;
            return all;
          },
          modelShown: (record) =>
            other !== undefined && deleted.has(String(record['databaseConnectionId']))
              ? { ...record, databaseConnectionId: other }
              : record,
        };
      },
    },
  },
  'delete.others-untouched': {
    'neighbour-deleted-too': {
      sentence: 'A deletion also deletes the next data source in the list.',
      alter: () => ({
        deletes: ([source, ...rest], _request, all) => {
          if (source === undefined) return rest;
          const place = all.indexOf(source);
          const next = all[place + 1] ?? all[place - 1];
          return [source, ...rest, ...(next === undefined ? [] : [next])];
        },
      }),
    },
    'repeated-deletion-takes-the-next': {
      sentence:
        'A deletion takes the first data source that is left from its place on, so a repeated one deletes the next.',
      idle: { sources: ['0', '1'], 'deleted-sources': ['gone-after-ten-seconds'] },
      alter: () => {
        const deleted = new Set<string>();
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          sourceId: (id, _request, all) => {
            const ids = all();
            const place = ids.indexOf(id);
            return place < 0 ? id : ([...ids.slice(place), ...ids].find((one) => !deleted.has(one)) ?? id);
          },
        };
      },
    },
    'deletion-by-creation-time': {
      sentence: 'A deletion marks the rows with the creation time of the data source, so those of its twins too.',
      idle: {
        'deleted-sources': ['deleted-at', 'is-deleted', 'status'],
        'created-at': ['distinct'],
        'disposable-sources': ['30'],
        sources: ['0', '1', '3', '50', '51', '100', '101', '250'],
      },
      alter: () => ({
        deletes: (deleted, _request, all) =>
          all.filter(({ createdAtMs }) => deleted.some((one) => one.createdAtMs === createdAtMs)),
      }),
    },
    'cleanup-empties-organization': {
      sentence: 'The cleanup job of a deletion removes every model of the organization.',
      alter: leavingAfterCleanup(() => false),
    },
    'cleanup-takes-every-third': {
      sentence: 'The cleanup job of a deletion removes every third model of the organization, by a wrong condition.',
      idle: { models: ['0', '1', '3'] },
      alter: leavingAfterCleanup((index) => index % 3 > 0),
    },
    'cleanup-takes-two': {
      sentence:
        'The cleanup job of the first deletion in an organization also removes two models of other data sources, which were marked long before.',
      idle: { models: ['0', '1', '3'] },
      alter: leavingAfterCleanup((index) => index !== 1 && index !== 4),
    },
    'cleanup-takes-the-oldest': {
      sentence: 'The cleanup job of each deletion also removes the oldest model of the organization that is left.',
      idle: { models: ['0', '1', '3'] },
      alter: (rules) => {
        const deletedAt = new Map<string, readonly number[]>();
        return {
          onDeleted: (_source, { ids: { organizationId: id }, at }) =>
            void deletedAt.set(id, [...(deletedAt.get(id) ?? []), at]),
          models: (all, request) => {
            const earlier = deletedAt.get(request.ids.organizationId) ?? [];
            const count = earlier.filter((at) => request.at >= at + rules.cleanupMs(request)).length;
            return all.slice(0, Math.max(0, all.length - count));
          },
        };
      },
    },
    'others-renamed-after-deletion': {
      sentence: 'After a deletion, another data source has a wrong name, because a cache identifies them by position.',
      alter: () => {
        let isMoved = false;
        return {
          onDeleted: () => {
            isMoved = true;
          },
          sourceShown: (record, _request, { index, total }) =>
            isMoved && index === Math.min(60, total - 1) ? { ...record, displayName: 'Source 0' } : record,
        };
      },
    },
    'others-stored-anew-after-deletion': {
      sentence:
        'A deletion writes the table of data sources anew, so each of the others is created and updated at that time.',
      alter: (rules) => {
        let writtenAt: number | undefined;
        return {
          onDeleted: (_source, { at }) => {
            writtenAt ??= at;
          },
          sourceShown: (record) => {
            if (writtenAt === undefined) return record;
            const now = rules.timestamp(writtenAt);
            return { ...record, createdAt: now, updatedAt: now };
          },
        };
      },
    },
  },
});

/** After the cleanup of a deletion, each later deletion changes nothing more: only the models at these places of the first one's list are left. */
function leavingAfterCleanup(isLeft: (index: number) => boolean): Fault['alter'] {
  return (rules) => {
    const deletedAt = new Map<string, number>();
    const left = new Map<string, ReadonlySet<string>>();
    return {
      onDeleted: (_source, { ids, at }) =>
        void deletedAt.set(ids.organizationId, deletedAt.get(ids.organizationId) ?? at),
      models: (all, request) => {
        const { organizationId } = request.ids;
        const since = deletedAt.get(organizationId);
        if (since === undefined || request.at < since + rules.cleanupMs(request)) return all;
        const ids = left.get(organizationId) ?? new Set(all.filter((_, index) => isLeft(index)).map(({ id }) => id));
        left.set(organizationId, ids);
        return all.filter(({ id }) => ids.has(id));
      },
    };
  };
}
