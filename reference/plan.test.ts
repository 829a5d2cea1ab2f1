import { expect, test } from 'vitest';
import { choices } from './choices/choices.ts';
import { defaultDataOptions } from './data/options.ts';
import { faults } from './faults/faults.ts';
import { plan } from './plan.ts';
import { specification } from './rules/rules.ts';
import { catalogue } from '../spec/catalogue.ts';

test('Without faults and choices the rules are the specification', () => {
  const { rules, data } = plan([], {});
  expect({ rules, data }).toEqual({ rules: specification, data: defaultDataOptions });
});

test('Choices are applied in the order of their list, however they are given', () => {
  const ahead = { timestamps: 'seconds', 'server-time': 'hour-ahead' };
  const behind = { 'server-time': 'hour-ahead', timestamps: 'seconds' };
  for (const chosen of [ahead, behind]) {
    expect(plan([], chosen).rules.timestamp(0)).toBe('1970-01-01T01:00:00Z');
  }
});

test('An unknown fault is refused with the nearest names', () => {
  expect(() => plan(['cursor-inclusiv'], {})).toThrow(/no fault "cursor-inclusiv".*cursor-inclusive/);
});

test('An unknown axis or value is refused with those that exist', () => {
  expect(() => plan([], { nothing: 'x' })).toThrow(/no choice "nothing".*framing/);
  expect(() => plan([], { framing: 'toString' })).toThrow(/no value "toString".*plain, chunked, gzip, close/);
});

test('What leaves a fault idle is a choice that exists', () => {
  for (const { name, idle } of faults) {
    for (const [axis, values] of Object.entries(idle ?? {})) {
      const known = Object.keys(choices.find((choice) => choice.axis === axis)?.values ?? {});
      expect(known, name).toEqual(expect.arrayContaining([...values]));
    }
  }
});

test('Names of faults and axes are unique, and every axis has its default', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(new Set(choices.map(({ axis }) => axis)).size).toBe(choices.length);
  for (const choice of choices) {
    expect(choice.values[choice.default], choice.axis).toEqual({});
    const touched = [...Object.keys(choice.warns ?? {}), ...Object.keys(choice.blocks ?? {})];
    expect(Object.keys(choice.values), choice.axis).toEqual(expect.arrayContaining(touched));
  }
});

test('Every must that a caller can observe has two faults', () => {
  const musts = catalogue.filter(({ level, unobservable }) => level === 'must' && unobservable === undefined);
  const few = musts.map(({ id }) => ({ id, faults: faults.filter(({ breaks }) => breaks === id).length }));
  expect(few.filter((row) => row.faults < 2)).toEqual([]);
});

test('Every should that a caller can observe has a fault', () => {
  const shoulds = catalogue.filter(({ level, unobservable }) => level === 'should' && unobservable === undefined);
  const unbroken = shoulds.filter(({ id }) => !faults.some(({ breaks }) => breaks === id));
  expect(unbroken.map(({ id }) => id)).toEqual([]);
});

test('Every fault and every choice alters rules and hooks that exist, and no rule stays as it is', () => {
  const variations = choices.flatMap(({ axis, values }) =>
    Object.entries(values).flatMap(([value, { alter }]) =>
      alter === undefined ? [] : [{ name: `${axis}=${value}`, alter }],
    ),
  );
  const { hooks } = plan([], {});
  for (const { name, alter } of [...faults, ...variations]) {
    const altered = Object.entries(alter(specification));
    expect(altered.length, name).toBeGreaterThan(0);
    for (const [part, made] of altered) {
      expect([...Object.keys(specification), ...Object.keys(hooks)], name).toContain(part);
      expect(made, `${name}: ${part}`).not.toBe(Reflect.get(specification, part));
    }
  }
});
