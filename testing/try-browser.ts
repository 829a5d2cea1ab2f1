/** For the tests of pages: Debian's chromium, where it is installed, without a window and all that belongs to one. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';

/** The shell needs less than half of the processor time. */
const programs = ['chromium-headless-shell', 'chromium'] as const;
const executablePath = programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** Why there is nothing to open pages in; undefined where there is. */
export const noBrowser =
  executablePath === undefined
    ? `there is no ${programs.join(' or ')}, so nothing was tried in a browser (apt-get install ${programs[0]})`
    : undefined;

export function startBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet];
  return chromium.launch({ executablePath: executablePath ?? '', args });
}

/** Tests that share a browser. Where there is none, they are skipped, with the reason. */
export function inChromium(tests: (browser: () => Browser) => void): void {
  test('there has to be a browser for the rest', ({ skip }) => {
    if (noBrowser === undefined) return;
    console.warn(noBrowser); // the reason of a skip alone is not shown
    skip(noBrowser);
  });
  describe.skipIf(noBrowser !== undefined)('in chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());
    tests(() => browser);
  });
}

/** A page as it is opened from a file, until the test ends, and every request and complaint while it was there. */
export async function openPage(browser: Browser, html: string, options: BrowserContextOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'awc-html-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = pathToFileURL(join(folder, 'report.html')).href;
  await writeFile(new URL(url), html);
  return openUrl(browser, url, options);
}

/** How long something on a page is waited for, in milliseconds: a machine with much to do takes its time to draw. */
const patienceMs = 120_000;

/** A page until the test ends, and every complaint and every request in that time that does not begin with `within`. */
export async function openUrl(browser: Browser, url: string, options: BrowserContextOptions = {}, within = url) {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const noise: string[] = [];
  page.on('request', (request) => void (request.url().startsWith(within) || noise.push(request.url())));
  page.on('console', (message) => void noise.push(message.text()));
  page.on('pageerror', (error) => void noise.push(error.message));
  page.on('dialog', (dialog) => void noise.push(dialog.message()));
  await page.goto(url);
  return { page, noise: () => noise.filter((text) => text !== 'data:,') };
}

/** The names of all elements, in order. */
export function outline(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('*')].map((one) => one.tagName).join(' ')`);
}

/** What axe finds when everything that can be opened is open. */
export async function axeFindings(page: Page): Promise<unknown> {
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
}
