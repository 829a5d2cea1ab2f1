import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { axeFindings, inChromium, openPage, outline } from '../../../testing/try-browser.ts';
import { attacks, everywhere } from '../../../testing/try-hostile.ts';
import { type LoadRecord, loadRecordSchema } from '../load-record.ts';
import { renderLoadHtml } from './html.ts';
import { emptyLoadRecord, sampleLoadRecord } from '../../../testing/samples/load-records.ts';

const { capacity, ...rest } = sampleLoadRecord();

/** Of the capacity, only the proof holds text of the target. */
const filledWith = (text: string): LoadRecord =>
  loadRecordSchema.parse({
    ...z.record(z.string(), z.unknown()).parse(everywhere(rest, text)),
    capacity: {
      ...capacity,
      trials: capacity?.trials.map((trial) =>
        trial.broke === undefined ? trial : { ...trial, broke: [text], failed: [text] },
      ),
      broke: everywhere(capacity?.broke, text),
    },
  });

/** With more violations and steps than fit on a screen. */
function longRecord(): LoadRecord {
  const { violations, steps, slowest, ...record } = sampleLoadRecord();
  const thirty = Array.from({ length: 30 }, (_, index) => index);
  return {
    ...record,
    violations: thirty.flatMap((index) =>
      violations.slice(0, 1).map((one) => ({ ...one, sentence: `Sentence number ${index}.` })),
    ),
    steps: thirty.flatMap((index) =>
      steps.slice(0, 1).map((one) => ({ ...one, name: `step${index}`, slowest: slowest.slice(0, 1) })),
    ),
    slowest,
  };
}

function withoutScript(page: string): string {
  return page.replace(/<script>[^]*<\/script>/, '');
}

/** A load without a search, and with a figure that answers its question. */
function withFacts(changed: Partial<LoadRecord> = {}): LoadRecord {
  const { capacity: _capacity, ...record } = sampleLoadRecord();
  const [first, ...others] = record.facts;
  const quota = { name: 'quota', value: '400 requests', figure: { text: '400', unit: 'requests' } };
  return { ...record, facts: first === undefined ? [] : [first, quota, ...others], ...changed };
}

test('a search shows what broke first, with its proof', () => {
  const page = renderLoadHtml(sampleLoadRecord());
  expect(page).toMatch(/broke first<\/span> <code>idempotency\.after<\/code> <span>at 200\/s<\/span>/);
  expect(page).toContain('>broke idempotency.after</td>');
  expect(page).toContain('<p class="lead">Failed at 200/s: latency.p95 &#60; 5ms (1 of 1 trial).</p>');
});

test('the page fetches nothing, and every chart has its table', () => {
  const page = renderLoadHtml(filledWith('a plain text'));
  expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
  expect(page.match(/ (src|srcset|action|formaction|style|on\w+)=|@import|url\(/g)).toBeNull();
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, href]) => /^(#[a-z0-9-]+|data:,)$/.test(href ?? ''))).toBe(
    true,
  );
  expect(page.match(/<figure/g)).toHaveLength(8);
  expect(page.match(/<summary>Table/g)).toHaveLength(8);
  expect(withoutScript(page).match(/NaN|undefined|Infinity/g)).toBeNull();
});

test('steps of a flow and phases have their tables, unless there are none', () => {
  const page = renderLoadHtml(sampleLoadRecord());
  expect(page).toMatch(/<h2 id="steps-title">[\s\S]*<th scope="row">open<\/th>/);
  expect(page).toMatch(/<h2 id="phases-title">[\s\S]*<th scope="row">TLS handshake<\/th>/);
  expect(renderLoadHtml(emptyLoadRecord())).not.toMatch(/id="(steps|phases)"/);
});

test('what was used up comes after everything that was found', () => {
  const page = renderLoadHtml(sampleLoadRecord());
  expect(page.match(/<h2 id="[a-z-]+"/g)?.at(-1)).toBe('<h2 id="used-up-title"');
  expect(page).toContain('<li>Deleted data sources: ds_8 of org_main</li>');
  expect(page).toContain('<li>12 messages sent to chat_1; idempotency keys begin with awc-</li>');
  expect(renderLoadHtml(emptyLoadRecord())).not.toContain('id="used-up"');
});

test('service times and the lag have no percentile that there are too few answers for', () => {
  const { operations, generator } = sampleLoadRecord();
  const few = <Times extends { readonly count: number }>(times: Times) => ({ ...times, count: 1, p50: 777, p99: 777 });
  const page = renderLoadHtml(
    sampleLoadRecord({
      operations: operations.map(({ outcomes, ...one }) => ({
        ...one,
        outcomes: outcomes.map((outcome) => ({ ...outcome, service: few(outcome.service) })),
      })),
      generator: { ...generator, ...(generator.lag && { lag: few(generator.lag) }) },
    }),
  );
  expect(page).toMatch(/p50 –, p99 –, max [\d.]+ ms/);
  expect(page).not.toContain('777');
});

test('thresholds are lines in the charts that show what they are about, unless these would become flat', () => {
  const limited = (limit: number) => {
    const thresholds = [{ text: 'latency.p95 < 5ms', actual: 8, limit, verdict: 'missed' as const }];
    return renderLoadHtml(sampleLoadRecord({ thresholds }));
  };
  expect(limited(5).match(/<path class="limit s-p95" d="M0.0,[\d.]+H1000.0"/g)).toHaveLength(2);
  expect(limited(5).match(/<path class="limit s-all"/g)).toHaveLength(1);
  expect(limited(5)).toMatch(/<li class="s-p95 limit">[^]*latency\.p95 &#60; 5ms<\/li>/);
  expect(limited(1e6)).not.toMatch(/class="limit/);
});

test.each<[string, Partial<LoadRecord>, string]>([
  [
    'the answer to the question of the profile',
    { facts: [{ name: 'quota', value: '400 requests', verdict: 'good', figure: { text: '400', unit: 'requests' } }] },
    '<b>400 <small>requests</small></b> <span>quota</span>',
  ],
  ['how long a flow took', { facts: [] }, '<b>3.00 <small>ms</small></b> <span>p50 of a flow</span>'],
  ['latencies', { facts: [], steps: [] }, '<span>p50</span>'],
  [
    'first the rate, where the answers set the pace',
    { facts: [], steps: [], profile: { ...rest.profile, kind: 'closed' } },
    '<div class="tiles"><a class="tile" href="#operations"><b>149 <small>/s</small></b> <span>succeeded</span></a>',
  ],
])('the large figures are %s', (_name, changed, wanted) => {
  const { capacity: _capacity, ...record } = sampleLoadRecord(changed);
  expect(renderLoadHtml(record)).toContain(wanted);
});

test.each<[string, LoadRecord]>([
  ['a search', sampleLoadRecord()],
  ['a load that answers a question', withFacts()],
  ['a flow', withFacts({ facts: [] })],
  ['a load at a rate', withFacts({ facts: [], steps: [] })],
  ['nothing that was sent', emptyLoadRecord()],
])('every link of %s leads to something on the page', (_name, record) => {
  const page = renderLoadHtml(record);
  const missing = [...page.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !page.includes(` id="${id}"`));
  expect(missing.map(([link]) => link)).toEqual([]);
});

test('the figures in the heading lead to what they are from', () => {
  const places = (record: LoadRecord) =>
    [...renderLoadHtml(record).matchAll(/<a class="tile[^"]*"[^>]* href="(#[^"]+)"><b>/g)].map(([, href]) => href);
  expect(places(withFacts()).slice(0, 2)).toEqual(['#answer-2', '#violations']);
  expect(places(withFacts({ facts: [] })).slice(0, 5)).toEqual([...Array<string>(4).fill('#steps'), '#violations']);
  expect(places(withFacts({ facts: [], steps: [] })).slice(0, 5)).toEqual([
    ...Array<string>(4).fill('#operations'),
    '#violations',
  ]);
  expect(places(sampleLoadRecord()).slice(0, 5)).toEqual([...Array<string>(4).fill('#capacity'), '#violations']);
});

test('the verdict stands on top, with what it rests on', () => {
  const page = renderLoadHtml(sampleLoadRecord());
  const places = ['</span> Failed</h1>', 'Missed: p99 20 ms', 'latency.p95 &#60; 5ms', 'the bottleneck'].map((text) =>
    page.indexOf(text),
  );
  expect(places).toEqual(places.filter((place) => place > 0).toSorted((one, other) => one - other));
});

test.each<[string, LoadRecord]>([
  ['nothing that was sent', emptyLoadRecord()],
  [
    'answers that all took the same',
    sampleLoadRecord({ slices: [{ due: 1, classes: { ok: 1 }, lagMaxUs: 0, latency: { listModels: [[0, 1]] } }] }),
  ],
  ['a time that no schedule has', sampleLoadRecord({ measuredMs: 1e300, sliceMs: 1e300 })],
  [
    'more slices than a picture has points',
    sampleLoadRecord({
      slices: Array.from({ length: 700 }, () => ({
        due: 9,
        classes: { ok: 9 },
        lagMaxUs: 9,
        latency: { listModels: [[1, 9]] },
      })),
    }),
  ],
  [
    'a capacity of one trial',
    sampleLoadRecord({
      capacity: {
        trials: [{ ratePerSecond: 10, outcome: 'broke', throughputPerSecond: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0 }],
        result: { kind: 'below', ratePerSecond: 10, limit: 'target' },
      },
    }),
  ],
])('a page can be made of %s', (_what, record) => {
  const page = renderLoadHtml(record);
  expect(withoutScript(page).match(/NaN|undefined|Infinity/g)).toBeNull();
  expect(page.length).toBeLessThan(800_000);
});

test('no character that hides or turns text is left in the page', () => {
  expect(renderLoadHtml(filledWith(attacks))).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

inChromium((browser) => {
  const open = (record: LoadRecord, options?: BrowserContextOptions) =>
    openPage(browser(), renderLoadHtml(record), options);

  test('long lists of violations and steps are folded, and a filter opens what fits', async () => {
    const { page, noise } = await open(longRecord());
    const shown = () => page.locator('#violations .finding:visible, #slow-steps tbody:visible').count();
    expect(await shown()).toBe(0);
    await page.locator('#violations').getByLabel('Search').fill('number 23');
    await page.locator('#slow-steps').getByLabel('Search').fill('step17');
    expect(await page.locator('#violations h3:visible').allTextContents()).toEqual(['Sentence number 23.']);
    expect(await page.locator('#violations .finding[open]').count()).toBe(0);
    expect(await page.locator('#slow-steps tbody:visible th[scope=row]').allTextContents()).toEqual(['step17']);
    expect(noise()).toEqual([]);
  });

  test('a tile of an outcome shows only its rows, until it is clicked again or something else is asked for', async () => {
    const { page, noise } = await open(sampleLoadRecord(), { viewport: { width: 1200, height: 900 } });
    const rows = (id: string) =>
      page.locator(`#${id} tbody tr:visible`).evaluateAll((all) => all.map((row) => row.textContent ?? ''));
    const all = [await rows('operations'), await rows('steps'), await rows('slowest')];
    const tile = page.locator('.tile', { hasText: 'timed out' });
    expect(await tile.locator('b').textContent()).toBe('300');
    await tile.click();
    expect(await tile.getAttribute('aria-current')).toBe('true');
    expect(await rows('operations')).toEqual([expect.stringMatching(/^\s*listModels\s*timeout\s*300/)]);
    expect(await rows('steps')).toEqual([
      expect.stringMatching(/^\s*flow\s*timeout/),
      expect.stringMatching(/^\s*open\s*timeout/),
    ]);
    expect(await rows('slowest')).toEqual([expect.stringMatching(/^\s*listModels\s*timeout/)]);
    expect(await page.locator('#thresholds, #violations, #charts').filter({ visible: true }).count()).toBe(3);
    await tile.click();
    expect([await rows('operations'), await rows('steps'), await rows('slowest')]).toEqual(all);

    await page.locator('.tile', { hasText: 'rate limited' }).click();
    expect(await page.locator('#slowest').isVisible()).toBe(false); // none of the slowest was refused
    await page.locator('nav a', { hasText: 'slowest' }).click();
    expect([await rows('operations'), await rows('steps'), await rows('slowest')]).toEqual(all);
    expect(await page.locator('.tile[aria-current]').count()).toBe(0);
    expect(noise()).toEqual([]);
  });

  test('without scripts every row is there, and no control that does nothing', async () => {
    const { page } = await open(longRecord(), { javaScriptEnabled: false });
    expect(await page.locator('#operations tbody tr[data-status]').filter({ visible: true }).count()).toBe(6);
    expect(await page.locator('.controls').filter({ visible: true }).count()).toBe(0);
  });

  test('whatever stands in the record stays text: the same elements, no script, no request', async () => {
    const evil = await open(filledWith(attacks));
    const plain = await open(filledWith('x'));
    expect(await outline(evil.page)).toBe(await outline(plain.page));
    expect(await evil.page.evaluate('window.pwned')).toBeUndefined();
    expect(await evil.page.locator('.facts, .judged').allTextContents()).toContainEqual(
      expect.stringContaining('\\u202eEVIL'),
    );
    expect([...evil.noise(), ...plain.noise()]).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing, and nothing lies beside the page: %s, %i pixels', async (colorScheme, width) => {
    for (const record of [sampleLoadRecord(), filledWith(attacks), emptyLoadRecord()]) {
      const { page } = await open(record, { colorScheme, viewport: { width, height: 800 } });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  test('pointing at a chart shows the values of that interval, and its table has them for the keyboard', async () => {
    const { page } = await open(sampleLoadRecord(), { viewport: { width: 1000, height: 900 } });
    const chart = page.locator('.chart', { has: page.locator('#latency-over-time-title') });
    await chart.locator('.bin').nth(30).locator('rect').hover({ force: true });
    const values = chart.locator('.bin .values').filter({ visible: true });
    expect(await values.allTextContents()).toEqual([
      expect.stringMatching(/^answers 141 · p50 2\.30 ms · p95 5\.01 ms · p99 5\.01 ms · max 901 ms$/),
    ]);
    await chart.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Table of Latency over time');
  });

  test('on a phone, the links to the sections do not cover the title of one', async () => {
    const { page } = await open(sampleLoadRecord(), { viewport: { width: 360, height: 800 } });
    await page.locator('.tile', { hasText: 'timed out' }).click();
    const boxes = [await page.locator('nav').boundingBox(), await page.locator('#operations-title').boundingBox()];
    const [nav, title] = boxes;
    expect(title?.y).toBeGreaterThanOrEqual((nav?.y ?? Infinity) + (nav?.height ?? 0));
  });

  test('on paper the pictures stand without their long tables', async () => {
    const { page } = await open(sampleLoadRecord());
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.chart .picture').filter({ visible: true }).count()).toBe(8);
    expect(await page.locator('.chart details, nav').filter({ visible: true }).count()).toBe(0);
  });
});
