import { must } from '../../engine/answer.ts';
import { check, type Check } from '../../engine/check.ts';
import { instantOf } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { sameJson } from '../../core/same-json.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { givenModels } from './model-records.ts';

/** What one model says, and whether it makes sense; undefined where it says nothing about the matter. */
type Sense = { readonly holds: boolean; readonly actual: string } | undefined;

/** One thing that the fields of a model have to do with each other. */
export type ModelSense = {
  readonly id: RequirementId;
  readonly expected: string;
  /** What a model has that says anything about it. */
  readonly needed: string;
  readonly sense: (record: unknown) => Sense;
};

/** Section 2.1: what the fields of a model have to do with each other. */
export const modelSenses: readonly ModelSense[] = [
  {
    id: 'models.time-column-exists',
    expected: 'defaultTimeColumn to name a column',
    needed: 'a defaultTimeColumn',
    sense: (record) => {
      const name = at(record, 'defaultTimeColumn');
      return typeof name === 'string' ? namesColumns(record, [name]) : undefined;
    },
  },

  {
    id: 'models.key-columns-exist',
    expected: 'keyColumns to name columns',
    needed: 'keyColumns',
    sense: (record) => {
      const names = listAt(record, 'keyColumns');
      return names.length === 0 ? undefined : namesColumns(record, names);
    },
  },

  {
    id: 'models.example-is-first-sample',
    expected: 'example to be the first of sampleValues',
    needed: 'columns with samples',
    sense: (record) =>
      eachColumn(record, (column, [first, ...more]) => {
        if (first === undefined && more.length === 0) return undefined;
        const example = at(column, 'example');
        return { holds: sameJson(example, first), actual: `${describe(example)} before ${describe(first)}` };
      }),
  },

  {
    id: 'models.samples-distinct',
    expected: 'distinct sampleValues that are not null',
    needed: 'columns with samples',
    sense: (record) =>
      eachColumn(record, (_column, samples) => {
        if (samples.length === 0) return undefined;
        // Beyond 2^53 two numbers that differ are read as one.
        const exact = samples.filter((sample) => typeof sample !== 'number' || Math.abs(sample) < 2 ** 53);
        const distinct = new Set(exact.map((sample) => (typeof sample === 'object' ? JSON.stringify(sample) : sample)));
        return { holds: distinct.size === exact.length && !samples.includes(null), actual: describe(samples) };
      }),
  },

  {
    id: 'models.updated-after-created',
    expected: 'updatedAt not before createdAt',
    needed: 'createdAt and updatedAt with an offset',
    sense: updatedAfterCreated,
  },
];

/** Every model is judged. Blocked when none says anything about the matter. */
export const modelSense: readonly Check[] = modelSenses.map(({ id, expected, needed, sense }) =>
  check(id, async (api) => {
    let spoke = 0;
    for (const { record, answer } of (await givenModels(api)).models) {
      const verdict = sense(record);
      if (verdict === undefined) continue;
      spoke += 1;
      must(verdict.holds, expected, `model ${describe(at(record, 'id'), 100)}: ${verdict.actual}`, answer);
    }
    if (spoke === 0) throw new Blocked(`no model has ${needed}: give one some`);
  }),
);

/** A model whose columns were never inferred cannot name one. */
function namesColumns(record: unknown, names: readonly unknown[]): Sense {
  const columns = new Set(listAt(record, 'columns').map((column) => at(column, 'name')));
  if (columns.size === 0) return undefined;
  const missing = names.find((name) => !columns.has(name));
  return { holds: missing === undefined, actual: `no column ${describe(missing)}` };
}

/** The first column that makes no sense, or else the last that says something. */
function eachColumn(record: unknown, sense: (column: unknown, samples: readonly unknown[]) => Sense): Sense {
  let last: Sense;
  for (const column of listAt(record, 'columns')) {
    const verdict = sense(column, listAt(column, 'sampleValues'));
    if (verdict === undefined) continue;
    if (!verdict.holds) return { holds: false, actual: `column ${describe(at(column, 'name'))}: ${verdict.actual}` };
    last = verdict;
  }
  return last;
}

/** Where the two are written with unequal precision, less than a second says nothing. */
export function updatedAfterCreated(record: unknown): Sense {
  const [created, updated] = [at(record, 'createdAt'), at(record, 'updatedAt')];
  const [from, to] = [instantOf(created), instantOf(updated)];
  if (from === undefined || to === undefined) return undefined;
  const leewayMs = String(created).length === String(updated).length ? 0 : 1000;
  return { holds: to > from - Math.max(1, leewayMs), actual: `${describe(updated)} before ${describe(created)}` };
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = at(value, field);
  return Array.isArray(list) ? list : [];
}
