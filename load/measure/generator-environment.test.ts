import { expect, test } from 'vitest';
import { generatorEnvironment, stolenShare, throttledMs } from './generator-environment.ts';

const files: Readonly<Record<string, string>> = {
  'cpu.max': '150000 100000\n',
  'memory.max': '536870912\n',
  'cpu.stat': 'usage_usec 9\nnr_throttled 3\nthrottled_usec 4500\n',
};

test('the environment names the machine, the runtime and the limits of the container', () => {
  const environment = generatorEnvironment((name) => files[name]);
  expect(environment).toMatchObject({ containerCores: 1.5, containerMemoryMb: 512 });
  expect(environment.cores).toBeGreaterThan(0);
  expect(environment.runtime).toBe(`Node ${process.versions.node}`);
  expect(environment.kernel).toMatch(/^\w+ \S+/);
  expect(throttledMs((name) => files[name])).toBe(4.5);
});

test.each([{ 'cpu.max': 'max 100000\n', 'memory.max': 'max\n' }, {}, { 'cpu.max': 'nonsense', 'memory.max': '' }])(
  'without limits it names none: %j',
  (given: Readonly<Record<string, string>>) => {
    const environment = generatorEnvironment((name) => given[name]);
    expect(environment).not.toHaveProperty('containerCores');
    expect(environment).not.toHaveProperty('containerMemoryMb');
    expect(throttledMs((name) => given[name])).toBeUndefined();
  },
);

test('the share of the processor that the host gave to others is that of the time between two looks', () => {
  const look = (idle: number, steal: number) => () =>
    `cpu  100 0 50 ${idle} 0 0 0 ${steal} 7 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n`;
  const before = stolenShare(look(500, 20));
  expect(before?.(look(560, 60))).toBeCloseTo(0.4);
  expect(before?.(look(500, 20))).toBe(0);
  expect(before?.(() => undefined)).toBe(0);
  expect(stolenShare(() => undefined)).toBeUndefined();
  expect(stolenShare(() => 'nonsense')).toBeUndefined();
});
