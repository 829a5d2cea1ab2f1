import { expect, test } from 'vitest';
import { axeFindings, inChromium, openPage } from '../../../testing/try-browser.ts';
import { type ComparisonRecord, comparisonRecordSchema } from '../comparison-record.ts';
import { renderComparisonHtml } from './comparison-html.ts';

const build = {
  target: { name: 'Staging <script>alert(1)</script>', baseUrl: 'http://127.0.0.1:1' },
  profile: 'steady',
  runs: 8,
  startedAt: '2026-01-15T12:00:00.000Z',
};

const record: ComparisonRecord = {
  format: 'awc-load-comparison/1',
  suite: { name: 'suite', version: '1.0.0' },
  verdict: 'worse',
  sentence: 'B is worse than A: p95, 1 reason other than speed.',
  margin: 0.05,
  required: ['p95'],
  confidence: 0.95,
  a: build,
  b: { ...build, target: { ...build.target, name: 'Candidate' } },
  unit: 'round',
  figures: [
    {
      figure: 'p95',
      unit: 'ms',
      a: 10,
      b: 12.5,
      ratio: 1.25,
      verdict: 'worse',
      basis: { interval: { low: 1.1, high: 1.4 }, atWorst: 1.39, detectable: 0.2, power: 0.9, roundsToTell: 9 },
      sentence: 'p95 is worse.',
    },
    {
      figure: 'throughput',
      unit: 'per second',
      a: null,
      b: 30,
      ratio: null,
      verdict: 'cannot-tell',
      sentence: 'Nothing.',
    },
    {
      figure: 'throughput',
      unit: 'per second',
      a: 30,
      b: 29.9,
      ratio: 0.997,
      verdict: 'kept-up',
      shortfall: { missing: 0.01, beyondChance: 0 },
      sentence: 'Both builds kept up.',
    },
  ],
  worse: ['B fails more often.'],
  notes: ['1 of 8 rounds excluded.'],
};

test('a comparison is a page with the verdict, every figure, and what else is worse', () => {
  expect(comparisonRecordSchema.parse(record)).toEqual(record);
  const html = renderComparisonHtml(record);
  for (const text of ['Worse</h1>', record.sentence, '12.5 ms', '1.10 to 1.40', '95% interval', '20%', '30/s'])
    expect(html).toContain(text);
  for (const text of ['B fails more often.', '1 of 8 rounds excluded.', 'cannot tell', 'rounds of both builds'])
    expect(html).toContain(text);
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('&#60;script&#62;');
  expect(html.indexOf('B fails more often.')).toBeLessThan(html.indexOf('<table'));
});

test('the noise floor is the one that the terminal shows', () => {
  const basis = { interval: { low: 1, high: 1 }, atWorst: 1, power: 1 };
  const floorOf = (unit: 'ms' | 'per second', detectable: number) => {
    const figures = record.figures.slice(0, 1).map((figure) => ({ ...figure, unit, basis: { ...basis, detectable } }));
    return /<td class="number">([^<]*)<\/td><\/tr>/.exec(renderComparisonHtml({ ...record, figures }))?.[1];
  };
  expect(renderComparisonHtml(record)).toContain('Noise floor');
  expect([floorOf('ms', 0.002), floorOf('ms', 0.11), floorOf('ms', 1)]).toEqual(['0.2%', '11%', '100%']);
  expect([floorOf('per second', 1), floorOf('per second', 0.0021)]).toEqual(['50%', '0.2%']);
});

inChromium((browser) => {
  test('a tile shows only the figures with its verdict, until it is clicked again', async () => {
    const { page, noise } = await openPage(browser(), renderComparisonHtml(record));
    const rows = () =>
      page.locator('#figures tbody tr:visible th').evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
    expect(await page.locator('.tile').allTextContents()).toEqual([
      '1 ✗ other than speed',
      '1 ✗ worse',
      '1 ? cannot tell',
      '0 ✓ no worse',
      '1 ✓ both kept up',
      '0 ✓ better',
    ]);
    const tile = page.locator('.tile', { hasText: 'cannot tell' });
    await tile.click();
    expect([await rows(), await page.locator('#other-reasons').isVisible()]).toEqual([['throughput'], true]);
    await tile.click();
    expect(await rows()).toEqual(['p95', 'throughput', 'throughput']);
    expect(noise()).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing, and nothing lies beside the page: %s, %i pixels', async (colorScheme, width) => {
    const { page } = await openPage(browser(), renderComparisonHtml(record), {
      colorScheme,
      viewport: { width, height: 800 },
    });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});
