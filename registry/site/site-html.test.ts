import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAndReport } from '../../cli/registry/build-and-report.ts';
import { createCollector } from '../../testing/try-awc.ts';
import { axeFindings, inChromium, openUrl } from '../../testing/try-browser.ts';
import { certifySamples, sixCalendar, writeSix } from '../../testing/try-registry.ts';

let folder: string;
let code: number;
const out = createCollector();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awc-site-'));
  await writeSix(join(folder, 'registry'), await certifySamples());
  const today = { calendar: sixCalendar, now: Date.UTC(2026, 0, 31) };
  code = await buildAndReport(join(folder, 'registry'), join(folder, 'site'), { out }, today);
});
afterAll(() => rm(folder, { recursive: true }));

test('the site has a page for each certificate that is not refused, and none for the forged one', async () => {
  expect(code).toBe(1);
  expect(out.text()).toMatch(
    /^refused {2}submissions\/borealis\/forged\/1\.0\n[^]*shows 5 certificates; 1 left out\.\n$/,
  );
  const pages = (await readdir(join(folder, 'site/products'), { recursive: true })).filter((path) =>
    path.endsWith('index.html'),
  );
  expect(pages.toSorted()).toEqual([
    'acme/workspace/1.0/index.html',
    'acme/workspace/2.0/index.html',
    'borealis/insights/5.1/index.html',
    'cobalt/notebook/2026.1/index.html',
    'dune/lake/3.0/index.html',
  ]);
});

test('a certificate that only another suite can judge again is not shown as valid', async () => {
  const read = (path: string) => readFile(join(folder, 'site', path), 'utf8');
  const first = await read('index.html');
  expect(first).toContain('Judged again from the answers in them: 3 certificates. ');
  expect(first).toContain('Only signed and whole, and judged by other versions of the suite: 2 certificates.');
  const rows = new Map(
    [...first.matchAll(/<tr data-row data-state="(\w+)".*?products\/(\w+).*?<\/tr>/gs)].map((row) => [row[2], row]),
  );
  expect(rows.get('acme')?.[1]).toBe('valid');
  expect(rows.get('acme')?.[0]).toContain('✓');
  expect(rows.get('dune')?.[1]).toBe('unjudged');
  expect(rows.get('dune')?.[0]).not.toContain('✓');
  const page = await read('products/dune/lake/3.0/index.html');
  expect(page).toMatch(/class="sentence">Signed and whole, not judged again\. Its report says: /);
  expect(await read('products/dune/lake/3.0/badge.svg')).toContain('not judged again');
  expect(await read('requirements.html')).toMatch(/Dune Lake 3\.0<\/a> <span class="note">not judged again</);
});

test('every link of the site leads to a page and an anchor of the site', async () => {
  const paths = (await readdir(join(folder, 'site'), { recursive: true })).filter((path) => path.endsWith('.html'));
  const broken: string[] = [];
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await readFile(join(folder, 'site', path), 'utf8'));
  for (const [path, text] of texts) {
    for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
      if (/^(data:|https:\/\/\w+\.example\.com|mailto:)/.test(href)) continue;
      const { pathname, hash } = new URL(href, `file:///${path}`);
      const target = texts.get(decodeURIComponent(pathname.slice(1)));
      const isThere = pathname.endsWith('badge.svg') || target?.includes(hash === '' ? '' : ` id="${hash.slice(1)}"`);
      if (isThere !== true) broken.push(`${path}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

inChromium((browser) => {
  function open(path: string, options?: BrowserContextOptions) {
    const root = `${pathToFileURL(join(folder, 'site')).href}/`;
    return openUrl(browser(), root + path, options, root);
  }

  test.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)('axe finds nothing, and nothing lies beside the page: %s, %i pixels', async (colorScheme, width) => {
    const { page, noise } = await open('index.html', { colorScheme, viewport: { width, height: 800 } });
    const first = page.url();
    for (const path of [
      'index.html',
      'requirements.html',
      'choices.html',
      'products/acme/workspace/1.0/index.html',
      'products/borealis/insights/5.1/lists.html',
    ]) {
      await page.goto(new URL(path, first).href);
      expect(await axeFindings(page), path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
      expect(noise(), path).toEqual([]);
    }
  });

  test('products are searched and filtered, and lead to their versions', async () => {
    const { page } = await open('index.html');
    const shown = () => page.locator('tbody tr:visible th').allTextContents();
    expect(await shown()).toEqual(['Acme Workspace', 'Borealis Insights', 'Cobalt Notebook', 'Dune Lake']);
    await page.getByLabel('Search').fill('note');
    expect([await shown(), await page.locator('#shown').textContent()]).toEqual([['Cobalt Notebook'], '1 of 4']);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Vendor').selectOption('Acme');
    await page.getByRole('link', { name: 'Acme Workspace' }).click();
    await page.getByRole('link', { name: '1.0' }).click();
    expect(await page.locator('header .sentence').textContent()).toMatch(/^Expired on 2025-12-01\. /);
    expect(await page.locator('h1').textContent()).toBe('Acme Workspace 1.0');
  });

  test('the evidence of a requirement is one click away', async () => {
    const { page } = await open('requirements.html');
    const row = page.locator('tr', { has: page.getByText('paging.walk', { exact: true }) });
    await row.getByRole('link').nth(1).click();
    expect(page.url()).toMatch(/borealis\/insights\/5\.1\/lists\.html#paging\.walk$/);
    await page.locator('[id="paging.walk"] .evidence summary').first().click();
    expect(await page.locator('[id="paging.walk"] .timeline li').first().textContent()).toMatch(/GET.*\/models.*200/s);
  });

  test('two products are compared at each open point', async () => {
    const { page } = await open('choices.html');
    const points = () => page.locator('tbody tr:visible code').allTextContents();
    await page.locator('[name=differs]').selectOption('yes');
    expect(await points()).toEqual(expect.arrayContaining(['paging.limit-out-of-range', 'values.message-role']));
    await page.locator('[name=column]').first().selectOption('acme/workspace');
    await page.getByLabel('Compared with').selectOption('borealis/insights');
    expect(await points()).toEqual(expect.arrayContaining(['paging.limit-out-of-range', 'idempotency.header']));
    expect(await points()).not.toContain('values.message-role');
    expect(await page.locator('thead th:visible').count()).toBe(3);
  });

  test('without scripts everything is there, and no control that does nothing', async () => {
    const { page } = await open('choices.html', { javaScriptEnabled: false });
    expect(await page.locator('tbody tr:visible').count()).toBeGreaterThan(30);
    expect(await page.locator('#controls').isVisible()).toBe(false);
  });
});
