import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servedReference, startAwc, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';
import { axeFindings, inChromium, openPage, openUrl } from '../../testing/try-browser.ts';

/** How long a figure may take to change on a busy machine. */
const patiently = { timeout: 120_000 };

async function profileFile(seconds: number): Promise<string> {
  const path = join(await temporaryFolder(), 'short.yaml');
  const mix = 'operations:\n  listModels: { weight: 1, limits: [5] }\n';
  await writeFile(
    path,
    `question: Why?\nload:\n  open: { rate: 40 }\nduration: ${seconds}s\n${mix}thresholds: [violations == 0]\n`,
  );
  return path;
}

inChromium((browser) => {
  test('a load shows its figures while it goes on, keeps what is open, and ends as the report that it writes', async () => {
    const out = await temporaryFolder();
    const profile = await profileFile(8);
    const { says, ended } = startAwc([
      'load',
      '--profile',
      profile,
      '--out',
      out,
      '--live',
      '--choice',
      'pace=sluggish',
    ]);
    const { page, noise } = await openUrl(browser(), await says(/Live page: (\S+)/));
    await page.locator('h1', { hasText: 'Running' }).waitFor();
    await page.locator('#clock', { hasText: /^[1-5] of 8 s$/ }).waitFor();
    expect(await page.title()).toBe('Running: short on Embedded reference');
    const table = page.locator('.chart details', { hasText: 'Table of Throughput' });
    await table.locator('summary').click();
    const sent = page.locator('.part[data-part=now] .facts');
    const before = await sent.textContent();
    await expect.poll(() => sent.textContent(), patiently).not.toBe(before);
    expect(await table.getAttribute('open')).toBe('');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');

    const { err } = await ended;
    await page.locator('#status', { hasText: 'over' }).waitFor();
    expect(await page.locator('#stop').isVisible()).toBe(false);
    expect(await readdir(out)).toEqual(['load.html', 'load.json']);
    const frozen = await openPage(browser(), await readFile(join(out, 'load.html'), 'utf8'));
    const mainOf = (of: typeof page) => of.locator('main').textContent();
    expect(await mainOf(page)).toBe(await mainOf(frozen.page));
    expect([...noise(), ...frozen.noise()], err).toEqual([]);
  });

  test('a run shows areas that fill up and failures as they happen, and ends as the report that it writes', async () => {
    const out = await temporaryFolder();
    const slow = { faults: ['later-pages-short'], latencyMs: [100, 100] } as const;
    const target = await writtenTarget(await servedReference(slow));
    const { says, ended } = startAwc(['run', target, '--only', 'lists', '--out', out, '--live']);
    const { page, noise } = await openUrl(browser(), await says(/Live page: (\S+)/));
    await page.locator('h1', { hasText: 'Running' }).waitFor();
    await page.locator('#areas tfoot', { hasText: /all[1-9]\d* of \d+/ }).waitFor();
    await page.locator('#failed .finding', { hasText: 'paging.limit/listModels' }).first().waitFor();
    expect(await page.locator('h1').textContent()).toMatch(/Running$/);

    expect((await ended).code).toBe(1);
    await page.locator('#status', { hasText: 'over' }).waitFor();
    const frozen = await openPage(browser(), await readFile(join(out, 'report.html'), 'utf8'));
    const mainOf = (of: typeof page) => of.locator('main').textContent();
    expect(await mainOf(page)).toBe(await mainOf(frozen.page));
    await page.locator('#requirements').getByLabel('Search').fill('no such words');
    expect(await page.locator('#nothing-fits').isVisible()).toBe(true);
    expect([...noise(), ...frozen.noise()]).toEqual([]);
  });

  test('the stop button ends a run as Ctrl-C does, and no key is in what the page gets', async () => {
    const served = await servedReference({ latencyMs: [100, 100] });
    const { says, ended } = startAwc(['run', await writtenTarget(served), '--only', 'lists', '--live']);
    const { page } = await openUrl(browser(), await says(/Live page: (\S+)/));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.locator('h1', { hasText: 'Running' }).waitFor();
    await page.locator('#stop').click();
    await page.locator('#status', { hasText: 'over' }).waitFor();
    const text = await page.content();
    for (const { key } of served.principals) expect(text).not.toContain(key);
    expect(await page.locator('h1').textContent()).toMatch(/Interrupted$/);
    expect((await ended).code).toBe(130);
  });

  test('axe finds nothing on a live page, nothing lies beside it on a phone, and its stop button ends a load as Ctrl-C does, with what was measured', async () => {
    const { says, ended } = startAwc(['load', '--profile', await profileFile(600), '--live']);
    const url = await says(/Live page: (\S+)/);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const { page } = await openUrl(browser(), url, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('#charts').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.close();
    }
    const { page } = await openUrl(browser(), url);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.locator('#clock', { hasText: 'of 600 s' }).waitFor();
    await page.locator('#stop').click();
    await page.locator('#status', { hasText: 'over' }).waitFor();
    expect(await page.locator('h1').textContent()).toMatch(/Interrupted$/);
    const { code, out } = await ended;
    expect(code, out).toBe(130);
  });
});
