import { expect, test } from 'vitest';
import { billingAccountSchema } from '../../schemas/billing-account.ts';
import { countCodePoints } from '../../schemas/code-points.ts';
import { dataSourceSchema } from '../../schemas/data-source.ts';
import { type Model, modelSchema } from '../../schemas/model.ts';
import { choices } from '../choices/choices.ts';
import { createWorldData } from './create-world-data.ts';
import { newestFirst } from './item.ts';
import { type DataOptions, defaultDataOptions } from './options.ts';

const world = createWorldData(4, defaultDataOptions);
const organizations = [...world.organizations.values()];
const main = organizations[0] ?? { models: [], sources: [], disposable: [], chats: [] };
const models: readonly Model[] = main.models.map(({ record }) => modelSchema.parse(record));

const variants: readonly (readonly [string, DataOptions])[] = choices.flatMap(({ axis, values }) =>
  Object.entries(values).flatMap(([value, { data }]) =>
    data === undefined ? [] : [[`${axis}=${value}`, { ...defaultDataOptions, ...data }] as const],
  ),
);

test.each([['default', defaultDataOptions] as const, ...variants])(
  'Every record of %s is to its schema',
  (_, options) => {
    const { organizations: all, accounts } = createWorldData(4, options);
    const ids = new Set<string>();
    for (const [organizationId, { models: shown, sources }] of all) {
      const scope = options.ids === 'per-organization' ? organizationId : '';
      for (const item of shown) expect(modelSchema.safeParse(item.record).error).toBeUndefined();
      for (const item of sources) expect(dataSourceSchema.safeParse(item.record).error).toBeUndefined();
      for (const { id } of shown) ids.add(`${scope} model ${id}`);
      for (const { id } of sources) ids.add(`${scope} source ${id}`);
      expect(shown.toSorted(newestFirst)).toEqual(shown);
      expect(shown.every(({ sourceId }) => sources.some(({ id }) => id === sourceId))).toBe(true);
    }
    for (const { record } of accounts.values()) {
      expect(billingAccountSchema.safeParse({ ...record, organizationCount: 1 }).error).toBeUndefined();
    }
    expect(ids.size).toBe([...all.values()].reduce((sum, { models: m, sources: s }) => sum + m.length + s.length, 0));
  },
);

test('There are enough items for two borders of pages, with equal creation times across both', () => {
  expect(main.models).toHaveLength(130);
  expect(main.sources).toHaveLength(112);
  for (const items of [main.models, main.sources]) {
    for (const border of [50, 100]) {
      expect(items[border - 1]?.createdAtMs).toBe(items[border]?.createdAtMs);
      expect(items[border - 1]?.createdAtMs).not.toBe(items[border - 10]?.createdAtMs);
    }
  }
});

test('One data source has more models than a page, each disposable one has some, and some have none', () => {
  const counts = main.sources.map(({ id }) => main.models.filter(({ sourceId }) => sourceId === id).length);
  expect(counts.filter((count) => count > 50)).toHaveLength(1);
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(10);
  for (const id of main.disposable) expect(main.models.some(({ sourceId }) => sourceId === id)).toBe(true);
});

test('Every value of every shown enumeration is there, and every null and optional field both ways', () => {
  const columns = models.flatMap((model) => model.columns);
  const expressions = models.flatMap((model) => [...model.measures, ...model.segments]);
  const warnings = models.flatMap((model) => model.warnings);
  expect(new Set(columns.map(({ type }) => type)).size).toBe(10);
  expect(new Set(models.flatMap((model) => model.relationships.map(({ cardinality }) => cardinality))).size).toBe(3);
  expect(new Set(warnings.map(({ code }) => code)).size).toBe(4);
  expect(new Set(warnings.map(({ field }) => field)).size).toBe(4);
  const bothWays = [
    warnings.map(({ name }) => name),
    columns.map(({ description }) => description),
    columns.map(({ sampleValues }) => sampleValues),
    expressions.map(({ synonyms }) => synonyms),
    models.map(({ verifiedAt }) => verifiedAt ?? undefined),
    models.map(({ verifiedByMemberId }) => verifiedByMemberId ?? undefined),
    models.map(({ defaultTimeColumn }) => defaultTimeColumn ?? undefined),
  ];
  for (const values of bothWays) expect(new Set(values.map((value) => value === undefined)).size).toBe(2);
});

test('Lengths and counts reach their bounds, in characters of four bytes too', () => {
  const longest = (texts: readonly string[]): number => Math.max(...texts.map(countCodePoints));
  const everywhere = organizations.flatMap((organization) => organization.models);
  const all: readonly Model[] = everywhere.map(({ record }) => modelSchema.parse(record));
  const columns = all.flatMap((model) => model.columns);
  const expressions = all.flatMap((model) => [...model.measures, ...model.segments]);
  expect(longest(all.map(({ grain }) => grain))).toBe(10_000);
  expect(longest(all.map(({ description }) => description))).toBe(10_000);
  expect(longest(all.map(({ usageGuidance }) => usageGuidance))).toBe(10_000);
  expect(longest(all.map(({ defaultTimeColumn }) => defaultTimeColumn ?? ''))).toBe(256);
  expect(longest(columns.map(({ description }) => description ?? ''))).toBe(10_000);
  expect(longest(expressions.map(({ sql }) => sql))).toBe(10_000);
  expect(longest(expressions.map(({ name }) => name))).toBe(100);
  expect(longest(all.flatMap(({ synonyms }) => synonyms))).toBe(100);
  expect(all.some(({ grain }) => grain.length === 20_000)).toBe(true);
  const most = (lists: readonly (readonly unknown[])[]): number => Math.max(...lists.map(({ length }) => length));
  expect(most(all.map(({ measures }) => measures))).toBe(50);
  expect(most(all.map(({ segments }) => segments))).toBe(50);
  expect(most(all.map(({ relationships }) => relationships))).toBe(50);
  expect(most(all.map(({ keyColumns }) => keyColumns))).toBe(10);
  expect(most(all.map(({ synonyms }) => synonyms))).toBe(20);
});

test('Keys are long, differ, and follow from the seed', () => {
  const keys = world.callers.map(({ key }) => key);
  expect(keys.every((key) => /^awc_test_[A-Za-z0-9]{40}$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(keys.length);
  expect(createWorldData(4, { ...defaultDataOptions }).callers).toEqual(world.callers);
  expect(createWorldData(5, defaultDataOptions).callers.map(({ key }) => key)).not.toEqual(keys);
});

test('The data of the latest worlds is kept, and that of older ones is made anew', () => {
  const first = createWorldData(900, defaultDataOptions);
  expect(createWorldData(900, defaultDataOptions)).toBe(first);
  for (let seed = 901; seed < 920; seed += 1) createWorldData(seed, defaultDataOptions);
  const again = createWorldData(900, defaultDataOptions);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
