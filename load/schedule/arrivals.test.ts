import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrivals, type Schedule } from './arrivals.ts';
import { createDraw } from './draw.ts';
import { rateCurve, type Stage } from './rate-curve.ts';

function load(ratePerSecond: number, stages: readonly Stage[], kind: Schedule['arrivals']): Schedule {
  return { arrivals: kind, ratePerSecond, stages };
}

/** The area under the rate until that instant, by adding up the stages. */
function scheduledBy(ms: number, first: number, stages: readonly Stage[]): number {
  let area = 0;
  let startMs = 0;
  let before = first;
  for (const { ratePerSecond, overMs } of stages) {
    const part = overMs === 0 ? 0 : Math.min(1, Math.max(0, (ms - startMs) / overMs));
    area += ((before + (part * (ratePerSecond - before)) / 2) * part * overMs) / 1000;
    startMs += overMs;
    before = ratePerSecond;
  }
  return area;
}

const stagesArbitrary = fc.array(
  fc.record({ ratePerSecond: fc.integer({ min: 1, max: 400 }), overMs: fc.constantFrom(0, 1, 250, 1000) }),
  { minLength: 1, maxLength: 5 },
);

describe('the curve', () => {
  const curve = rateCurve(10, [
    { ratePerSecond: 110, overMs: 10_000 },
    { ratePerSecond: 50, overMs: 0 },
    { ratePerSecond: 50, overMs: 2000 },
  ]);

  test.each([
    [0, 0],
    [5000, 50 + 125],
    [10_000, 600],
    [11_000, 650],
    [12_000, 700],
  ])('by %d ms %d are scheduled', (ms, scheduled) => {
    expect(curve.timeOf(scheduled)).toBeCloseTo(ms, 6);
  });

  test('what is never scheduled has no time', () => {
    expect(curve.timeOf(700.01)).toBe(Number.POSITIVE_INFINITY);
    expect(curve.durationMs).toBe(12_000);
    expect(curve.total).toBe(700);
  });

  test('an arrival takes hardly longer to find among ten thousand stages than among ten', () => {
    const spentMs = (count: number) => {
      const many = rateCurve(
        100,
        Array.from({ length: count }, (_, index) => ({ ratePerSecond: 90 + (index % 20), overMs: 1000 })),
      );
      const times = Array.from({ length: 10 }, () => {
        const from = performance.now();
        for (let scheduled = 0; scheduled < 500; scheduled += 1) many.timeOf(scheduled);
        return performance.now() - from;
      });
      return Math.min(...times);
    };
    spentMs(10);
    expect(spentMs(10_000) / spentMs(10)).toBeLessThan(20);
  });

  test('the area until an instant is what is scheduled by then, whatever the stages', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        stagesArbitrary,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rate, stages, share) => {
          const drawn = rateCurve(rate, stages);
          const wanted = drawn.total * share;
          expect(scheduledBy(drawn.timeOf(wanted), rate, stages)).toBeCloseTo(wanted, 4);
        },
      ),
    );
  });
});

describe('arrivals', () => {
  test('constant ones are evenly spaced', () => {
    const found = [...arrivals(load(200, [{ ratePerSecond: 200, overMs: 1000 }], 'constant'), 1)];
    expect(found).toHaveLength(200);
    expect(found[0]).toEqual({ index: 0, atMs: 2.5 });
    expect(found[199]?.atMs).toBeCloseTo(997.5, 6);
  });

  test('Poisson ones have the rate, and gaps that vary as much as their mean', () => {
    const times = [...arrivals(load(1000, [{ ratePerSecond: 1000, overMs: 60_000 }], 'poisson'), 7)].map(
      ({ atMs }) => atMs,
    );
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(times.length).toBeGreaterThan(59_000);
    expect(times.length).toBeLessThan(61_000);
    expect(mean).toBeCloseTo(1, 1);
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
  });

  test('the same seed gives the same schedule, another one another', () => {
    const of = (seed: number) => [...arrivals(load(50, [{ ratePerSecond: 90, overMs: 2000 }], 'poisson'), seed)];
    expect(of(3)).toEqual(of(3));
    expect(of(3)).not.toEqual(of(4));
  });

  test('the union of the shards is the unsharded schedule', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('poisson' as const, 'constant' as const),
        fc.integer({ min: 1, max: 300 }),
        stagesArbitrary,
        fc.integer({ min: 1, max: 9 }),
        fc.integer(),
        (kind, rate, stages, of, seed) => {
          const whole = [...arrivals(load(rate, stages, kind), seed)];
          const parts = Array.from({ length: of }, (_, index) => [
            ...arrivals(load(rate, stages, kind), seed, { index: index + 1, of }),
          ]);
          expect(parts.flat().toSorted((one, other) => one.index - other.index)).toEqual(whole);
          expect(whole.every(({ atMs }, index) => atMs >= (whole[index - 1]?.atMs ?? 0))).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('draw', () => {
  test('is even over places, labels and seeds', () => {
    for (const of of [
      (place: number) => createDraw(1).at(place, 0),
      (place: number) => createDraw(1).at(0, place),
      (place: number) => createDraw(place).at(0, 0),
    ]) {
      const cells = Array.from({ length: 10 }, () => 0);
      for (let place = 0; place < 20_000; place += 1) {
        const cell = Math.floor(of(place) * 10);
        cells[cell] = (cells[cell] ?? 0) + 1;
      }
      for (const count of cells) expect(Math.abs(count - 2000)).toBeLessThan(250);
    }
  });
});
