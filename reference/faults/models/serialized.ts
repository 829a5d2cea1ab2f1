import type { JsonObject } from '../../http/json.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { every, few, models, sources } from '../shared/records.ts';
import { set } from '../shared/values.ts';

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

function asText(name: string): (record: JsonObject) => JsonObject {
  return (record) => ({ ...record, [name]: JSON.stringify(record[name]) });
}

/** What databases, mappers and serializers make of values. */
export const serializedFaults = faultsOf({
  'models.required-fields': {
    'empty-values-omitted': {
      sentence: 'Empty lists and texts are omitted by the serializer.',
      alter: models(every, withoutEmpty),
    },
  },
  'models.text-fields': {
    'models-orphaned': {
      sentence: 'Deleting a data source leaves its models, with databaseConnectionId null: ON DELETE SET NULL.',
      idle: { models: ['0', '1', '3'], sources: ['0', '1', '3'] },
      alter: () => {
        const deleted = new Set<string>();
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          cleanupRemoves: () => false,
          modelShown: (model) =>
            deleted.has(String(model['databaseConnectionId'])) ? { ...model, databaseConnectionId: null } : model,
        };
      },
    },
  },
  'models.date-times': {
    'model-created-sql': {
      sentence: 'createdAt is written as the database shows it, with a space and without an offset.',
      alter: models(every, set({ createdAt: '2025-11-01 09:30:15.250' })),
    },
  },
  'models.columns': {
    'columns-by-name': {
      sentence: 'columns is an object of columns by name.',
      alter: models(few, set({ columns: { day: { name: 'day', type: 'date', nullable: false, example: null } } })),
    },
  },
  'models.measures': {
    'measures-in-text': {
      sentence: 'measures is the text of a JSON column, not parsed.',
      alter: models(every, asText('measures')),
    },
  },
  'models.column-type': {
    'column-type-capital': {
      sentence: 'The type of a column is the name of a constant, in capital letters.',
      alter: models(few, set({ columns: [{ name: 'day', type: 'DATE', nullable: false, example: null }] })),
    },
  },
  'sources.types': {
    'dialect-ordinal': {
      sentence: 'dialect is the number of a constant.',
      alter: sources(every, set({ dialect: 3 })),
    },
    'port-in-two-halves': {
      sentence: 'port is an integer of 64 bits, which is written as an object of two halves.',
      alter: sources(few, set({ port: { low: 5432, high: 0, unsigned: false } })),
    },
  },
  'sources.date-times': {
    'healthy-on-the-zeroth': {
      sentence: 'lastHealthyAt of a data source that was never healthy is the zero date of the database.',
      alter: sources(few, set({ lastHealthyAt: '0000-00-00 00:00:00' })),
    },
  },
});
