import { at } from '../core/json.ts';
import { sameJson } from '../core/same-json.ts';
import { describe } from '../core/text.ts';
import { type RecordSense, type Sense, senseOf, notBefore, updatedAfterCreated } from './record-sense.ts';

const sense = senseOf('model');

/** Section 2.1: what the fields of a model have to do with each other. The suite makes a check of each. */
export const modelSenses: readonly RecordSense[] = [
  sense(
    'models.time-column-exists',
    'defaultTimeColumn to name a column',
    'a defaultTimeColumn and columns',
    (record) => {
      const name = at(record, 'defaultTimeColumn');
      return typeof name === 'string' ? namesColumns(record, [name]) : undefined;
    },
  ),

  sense('models.key-columns-exist', 'keyColumns to name columns', 'keyColumns and columns', (record) => {
    const names = listAt(record, 'keyColumns');
    return names.length === 0 ? undefined : namesColumns(record, names);
  }),

  sense('models.example-is-first-sample', 'example to be the first of sampleValues', 'columns with samples', (record) =>
    eachColumn(record, (column, [first, ...more]) => {
      if (first === undefined && more.length === 0) return undefined;
      const example = at(column, 'example');
      return { holds: sameJson(example, first), actual: () => `${describe(example)} before ${describe(first)}` };
    }),
  ),

  sense('models.samples-distinct', 'distinct sampleValues that are not null', 'columns with samples', (record) =>
    eachColumn(record, (_column, samples) => {
      if (samples.length === 0) return undefined;
      // Beyond 2^53 two numbers that differ are read as one.
      const exact = samples.filter((sample) => typeof sample !== 'number' || Math.abs(sample) < 2 ** 53);
      const distinct = new Set(exact.map((sample) => (typeof sample === 'object' ? JSON.stringify(sample) : sample)));
      return { holds: distinct.size === exact.length && !samples.includes(null), actual: () => describe(samples) };
    }),
  ),

  sense(
    'models.updated-after-created',
    'updatedAt not before createdAt',
    'createdAt and updatedAt in RFC 3339, with an offset',
    updatedAfterCreated,
  ),

  sense(
    'models.verified-after-created',
    'verifiedAt not before createdAt',
    'createdAt and verifiedAt in RFC 3339, with an offset',
    (record) => notBefore(at(record, 'createdAt'), at(record, 'verifiedAt')),
  ),

  sense('models.verified-by', 'verifiedByMemberId null, as verifiedAt is', 'a verifiedAt that is null', (record) => {
    const [verified, by] = [at(record, 'verifiedAt'), at(record, 'verifiedByMemberId')];
    return verified === null ? { holds: by === null || by === undefined, actual: () => describe(by) } : undefined;
  }),
];

/** A model whose columns were never inferred cannot name one. */
function namesColumns(record: unknown, names: readonly unknown[]): Sense {
  const columns = new Set(listAt(record, 'columns').map((column) => at(column, 'name')));
  if (columns.size === 0) return undefined;
  const missing = names.find((name) => !columns.has(name));
  return { holds: missing === undefined, actual: () => `no column ${describe(missing)}` };
}

/** The first column that makes no sense, or else the last that says something. */
function eachColumn(record: unknown, sense: (column: unknown, samples: readonly unknown[]) => Sense): Sense {
  let last: Sense;
  for (const column of listAt(record, 'columns')) {
    const verdict = sense(column, listAt(column, 'sampleValues'));
    if (verdict === undefined) continue;
    if (!verdict.holds)
      return { holds: false, actual: () => `column ${describe(at(column, 'name'))}: ${verdict.actual()}` };
    last = verdict;
  }
  return last;
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = at(value, field);
  return Array.isArray(list) ? list : [];
}
