import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { type RunRecord, recordSchema } from '../../record/record.ts';
import { sampleRecord, waivedRecord } from '../../../testing/samples/run-records.ts';
import { renderHtml } from './html.ts';
import { axeFindings, inChromium, openPage, outline } from '../../../testing/try-browser.ts';
import { attacks, everywhere } from '../../../testing/try-hostile.ts';

const { checks, waivers } = waivedRecord();

const full = sampleRecord({
  checks: [...sampleRecord().checks, ...checks.filter(({ waived }) => waived !== undefined)],
  waivers,
  target: { name: 'x', baseUrl: 'x', embedded: { faults: ['x'], choices: { x: 'x' } } },
  only: ['x'],
  problems: ['x'],
  usedUp: {
    runId: 'x',
    deletions: [{ organizationId: 'x', dataSourceId: 'x', certain: true }],
    attachments: [{ billingAccountId: 'x', organizationId: 'x', certain: false }],
    messages: [{ organizationId: 'x', chatId: 'x', count: 2 }],
  },
});
const filledWith = (text: string) => recordSchema.parse(everywhere(full, text));

/** A record as an honest deployment leaves it. */
function plainRecord(changed: Partial<RunRecord> = {}): RunRecord {
  const record = filledWith('a plain text');
  const requirements = record.requirements.map((requirement, index) => ({
    ...requirement,
    id: `area.requirement-${index}`,
    section: index < 3 ? '4.1' : '10',
    sentence: `Sentence number ${index}.`,
    checks: [`area.check-${index}`],
  }));
  const checks = record.checks.map((check, index) => ({ ...check, id: `area.check-${index}` }));
  return { ...record, requirements, checks, ...changed };
}

test('the page holds everything that the record says, and fetches nothing', () => {
  const page = renderHtml(plainRecord());
  expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
  expect(page).not.toMatch(/ (src|srcset|action|formaction|style|on\w+)=|@import|url\(/);
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, href]) => /^(#[a-z0-9-]+|data:,)$/.test(href ?? ''))).toBe(
    true,
  );
  for (const { sentence } of plainRecord().requirements) expect(page).toContain(sentence);
});

test('what the run used up comes after every finding and observation', () => {
  const page = renderHtml(plainRecord());
  const places = ['failed', 'errored', 'warned', 'waived', 'blocked', 'observations', 'used-up'].map((id) =>
    page.indexOf(`<section id="${id}"`),
  );
  expect(places).toEqual(places.filter((place) => place > 0).toSorted((one, other) => one - other));
});

test('no character that hides or turns text is left in the page', () => {
  expect(renderHtml(filledWith(attacks))).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

test.each([
  ['https://tracing.example.com/x', true],
  ['javascript:alert(1)', false],
  ['//evil.test', false],
  ['file:///etc/passwd', false],
])('a trace at %s is a link: %s', (traceUrl, isLink) => {
  const record = plainRecord();
  const marked = { traceId: 'a'.repeat(32), traceUrl };
  const checks = record.checks.map((check) => ({
    ...check,
    exchanges: check.exchanges.map((exchange) => ({ ...exchange, ...marked })),
  }));
  const page = renderHtml({ ...record, checks });
  expect(page).toContain(marked.traceId);
  expect(page.includes(`href="${traceUrl}"`)).toBe(isLink);
});

inChromium((browser) => {
  const open = (record: RunRecord, options?: BrowserContextOptions) => openPage(browser(), renderHtml(record), options);

  test('whatever stands in the record stays text: the same elements, no script, no request', async () => {
    const evil = await open(filledWith(attacks));
    const plain = await open(filledWith('x'));
    expect(await outline(evil.page)).toBe(await outline(plain.page));
    expect(await evil.page.evaluate('window.pwned')).toBeUndefined();
    expect(await evil.page.title()).toContain('<script>window.pwned=1</script>');
    expect(await evil.page.locator('.labelled .value').first().textContent()).toContain('\\u202eEVIL');
    expect([...evil.noise(), ...plain.noise()]).toEqual([]);
  });

  test.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)('axe finds nothing, and nothing lies beside the page: %s, %i pixels', async (colorScheme, width) => {
    for (const record of [plainRecord({ result: 'conformant' }), filledWith(attacks)]) {
      const { page } = await open(record, { colorScheme, viewport: { width, height: 800 } });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  test.each([360, 1200])('each request of the lanes has its number in a place of its own: %i pixels', async (width) => {
    const requestAt = (sentMs: number, answeredMs: number) => {
      return { caller: 'alice', request: 'sendMessage', shows: 'message', answer: '202', sentMs, answeredMs };
    };
    const times = Array.from({ length: 40 }, (_, index) => 50 * index);
    const lanes = { requests: times.map((time) => requestAt(time, time + 5)), failsMs: 1951 };
    const record = plainRecord();
    const checks = record.checks.map((check) => (check.verdict === 'failed' ? { ...check, lanes } : check));
    const { page } = await open({ ...record, checks }, { viewport: { width, height: 800 } });
    const overlaps = await page.evaluate(`
      const marks = [...document.querySelectorAll('.lane text, .lane rect.fails')].map((one) => [one, one.getBoundingClientRect()]);
      const meet = ([, a], [, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      marks.flatMap((one, index) => marks.slice(index + 1).filter((other) => meet(one, other)).map(([mark]) => mark.outerHTML))`);
    expect(overlaps).toEqual([]);
    expect(await page.locator('.lanes').first().locator('text').count()).toBe(40);
  });

  test('requirements are narrowed down by words, level and verdict', async () => {
    const { page } = await open(plainRecord());
    const shown = () => page.locator('.requirement:visible .sentence').allTextContents();
    const status = page.locator('#shown');
    await page.locator('#requirements').getByLabel('Search').fill('number 2');
    expect([await shown(), await status.textContent()]).toEqual([['Sentence number 2.'], '1 of 5 requirements']);
    await page.locator('#requirements').getByLabel('Search').fill('');
    await page.getByLabel('Level').selectOption('should');
    expect(await shown()).toEqual(['Sentence number 2.']);
    await page.getByLabel('Level').selectOption('all');
    await page.getByLabel('passed').uncheck();
    expect(await shown()).toHaveLength(4);
    await page.locator('#requirements').getByLabel('Search').fill('no such words');
    expect(await page.locator('#nothing-fits').isVisible()).toBe(true);
    expect(await page.locator('#requirements .group:visible').count()).toBe(0);
  });

  test('a tile shows only what has its status, until it is clicked again or something else is asked for', async () => {
    const { page } = await open(plainRecord());
    const sections = () => page.locator('#failed, #warned, #errored, #waived').filter({ visible: true }).count();
    const requirements = () => page.locator('.requirement:visible').count();
    const all = [await sections(), await requirements()];
    const tile = page.locator('.tile', { hasText: 'failed' });
    await tile.click();
    expect(await page.locator('#failed').isVisible()).toBe(true);
    expect([await sections(), await requirements()]).toEqual([1, 1]);
    expect(await tile.getAttribute('aria-current')).toBe('true');
    await tile.click();
    expect([await sections(), await requirements()]).toEqual(all);
    await tile.click();
    await page.locator('nav a', { hasText: 'warned' }).click();
    expect([await sections(), await requirements()]).toEqual(all);
    expect(await tile.getAttribute('aria-current')).toBeNull();
  });

  test('long lists are folded, and a filter opens what fits', async () => {
    const { requirements, observations } = plainRecord();
    const [requirement, observation] = [requirements.find(({ verdict }) => verdict === 'passed'), observations[0]];
    if (requirement === undefined || observation === undefined) throw new Error('the sample lacks something');
    const long = plainRecord({
      requirements: Array.from({ length: 40 }, (_, index) => ({
        ...requirement,
        id: `area.number-${index}`,
        section: index < 20 ? '4.1' : '4.2',
        sentence: `Sentence number ${index}.`,
      })),
      observations: Array.from({ length: 20 }, (_, index) => ({ ...observation, point: `point.number-${index}` })),
    });
    const { page } = await open(long);
    const shown = () => page.locator('.requirement:visible, .observations tbody tr:visible').count();
    expect(await shown()).toBe(0);
    expect(await page.locator('#requirements summary').allTextContents()).toContain('4.1 List models 20 passed');
    await page.locator('#requirements').getByLabel('Search').fill('number 33');
    await page.locator('#observations').getByLabel('Search').fill('number-7');
    expect(await page.locator('.requirement:visible .sentence').allTextContents()).toEqual(['Sentence number 33.']);
    expect(await page.locator('.observations tbody th code:visible').allTextContents()).toEqual(['point.number-7']);
  });

  test('many reasons of blocked checks are folded, and the tile of blocked checks opens them', async () => {
    const record = plainRecord();
    const blocked = record.checks.find(({ verdict }) => verdict === 'blocked');
    if (blocked === undefined) throw new Error('the sample has no blocked check');
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...blocked,
      id: `area.blocked-${index}`,
      reason: `reason number ${index}`,
    }));
    const { page } = await open({ ...record, checks: [...record.checks, ...many] });
    const reasons = page.locator('#blocked .reason').filter({ visible: true });
    expect(await reasons.count()).toBe(0);
    await page.locator('.tile', { hasText: 'blocked' }).click();
    expect(await reasons.count()).toBe(13);
    await page.locator('#blocked').getByLabel('Search').fill('number 7');
    expect(await reasons.locator('p').first().textContent()).toBe('Reason number 7');
  });

  test('the line for a shell is copied, and a link to a finding opens it', async () => {
    const { page } = await open(plainRecord(), { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('a plain text');
    await page.evaluate(`for (const one of document.querySelectorAll('.finding')) one.open = false`);
    await page.locator('.requirement a').first().click();
    expect(await page.locator('.finding[open]').count()).toBe(1);
  });

  test('without scripts everything is there, and no control that does nothing', async () => {
    const { page, noise } = await open(plainRecord(), { javaScriptEnabled: false });
    expect(await page.locator('.requirement:visible').count()).toBe(5);
    expect(await page.locator('.controls, .copy').filter({ visible: true }).count()).toBe(0);
    expect(noise()).toEqual([]);
  });

  test('on paper the exchanges of a finding are open, and controls are gone', async () => {
    const { page } = await open(plainRecord());
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.finding .exchange pre').first().isVisible()).toBe(true);
    expect(await page.locator('.controls, .copy, nav').filter({ visible: true }).count()).toBe(0);
  });
});
