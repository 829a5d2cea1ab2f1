import { describe, expect, test } from 'vitest';
import { createHistogram } from '../measure/histogram.ts';
import { judgeGenerator } from './judge-generator.ts';

describe('the generator', () => {
  const use = { eventLoopUtilization: 0.2, eventLoopDelayP99Ms: 1, processCores: 0.2, machineShare: 0.5, memoryMb: 90 };
  const sockets = { cap: 10, peak: 3, waited: 0 };

  function times(...ms: readonly number[]) {
    const histogram = createHistogram();
    for (const one of ms) histogram.recordValueWithCount(one * 1000, 100);
    return histogram;
  }

  const fit = {
    isThroughputOnly: false,
    cores: 4,
    pacing: 'timer',
    lag: times(1),
    latency: times(50),
    use,
    sockets,
    sent: 1000,
    capped: 0,
    closes: 0,
  } as const;

  test('is fit when it is early enough and has room', () => {
    expect(judgeGenerator(fit)).toMatchObject({
      verdict: 'fit',
      reasons: [],
      isShortOfSockets: false,
      isLatencyValid: true,
    });
  });

  test.each([
    ['late often', { ...fit, lag: times(6) }],
    ['late at times', { ...fit, lag: times(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 40) }],
    ['busy', { ...fit, use: { ...use, eventLoopUtilization: 0.97 } }],
  ])('is the bottleneck when it is %s', (_name, facts) => {
    expect(judgeGenerator(facts)).toMatchObject({ verdict: 'bottleneck', causes: ['bottleneck'], isWholeLoad: true });
  });

  test('is held back, and no bottleneck, when the limit of the target file drops requests', () => {
    const capped = { ...fit, capped: 60 };
    expect(judgeGenerator(capped)).toMatchObject({ verdict: 'held-back', causes: ['held-back'], isWholeLoad: false });
    expect(judgeGenerator({ ...capped, lag: times(6) })).toMatchObject({
      verdict: 'held-back',
      causes: ['held-back', 'bottleneck'],
    });
  });

  const late = { ...fit, lag: times(6) };

  test.each([
    ['nothing else explains it', {}, 'send less, use a faster machine, or divide the load over several'],
    [
      'the container had no processor',
      { throttledMs: 1200, machineShare: 1 },
      'the limit of its container held it back for 1.2 s: raise that limit',
    ],
    [
      'the host gave the processor to others',
      { stolenShare: 0.12, machineShare: 1 },
      'its host gave 12% of the processor to other virtual machines: use another host',
    ],
    [
      'other processes took the processor',
      { machineShare: 0.97 },
      'its machine was 97% busy, and this process took only 5%: use a machine with nothing else to do',
    ],
  ])('that was the bottleneck shows why and what to do: %s', (_name, more, advice) => {
    expect(judgeGenerator({ ...late, use: { ...use, ...more } }).reasons).toEqual([
      expect.stringMatching(/^requests left 6\.0 ms late/),
      advice,
    ]);
    expect(judgeGenerator({ ...fit, use: { ...use, ...more } }).reasons).toEqual([]);
  });

  test('that is too slow for the load is distinguished from a busy machine', () => {
    const busy = { ...use, eventLoopUtilization: 0.97, processCores: 2, machineShare: 0.99 };
    expect(judgeGenerator({ ...fit, use: busy }).reasons).toEqual([
      expect.stringMatching(/^its event loop was busy 97%/),
      'send less, use a faster machine, or divide the load over several',
    ]);
    expect(judgeGenerator({ ...fit, capped: 60 }).reasons).toHaveLength(1);
  });

  function someLate(early: number, late: number, lateMs = 414) {
    const lag = times();
    lag.recordValueWithCount(1000, early);
    lag.recordValueWithCount(lateMs * 1000, late);
    return { ...fit, lag };
  }

  test.each([
    [46, 4, 'p95'],
    [10, 2, 'p90'],
    [3, 2, 'p75'],
  ])('is the bottleneck of few requests too: %i are early and %i are late', (early, late, point) => {
    expect(judgeGenerator(someLate(early, late)).reasons[0]).toContain(`ms late (${point})`);
  });

  test.each([
    ['late by little of what it measures', { ...fit, lag: times(6), latency: times(500) }],
    ['late once in so few requests that no percentile shows it', someLate(49, 1)],
    ['late by so little that few requests prove nothing', someLate(46, 4, 40)],
    ['hardly held back by the limit of the target file', { ...fit, capped: 40 }],
    [
      'busy because it was asked to be precise',
      { ...fit, pacing: 'precise' as const, use: { ...use, eventLoopUtilization: 1 } },
    ],
  ])('is fit when it is %s', (_name, facts) => {
    expect(judgeGenerator(facts).verdict).toBe('fit');
  });

  test('says when requests waited for its sockets, and when connections closed without notice', () => {
    expect(judgeGenerator({ ...fit, sockets: { ...sockets, waited: 11 } })).toMatchObject({
      isShortOfSockets: true,
      notes: [expect.stringContaining('11 requests waited for one of 10 sockets')],
    });
    expect(judgeGenerator({ ...fit, isThroughputOnly: true, closes: 2 })).toMatchObject({
      isLatencyValid: false,
      notes: [expect.stringContaining('not valid')],
    });
  });
});
