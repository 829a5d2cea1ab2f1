/** `npm run screenshot`: renews the README's picture of the HTML report, with Debian's chromium. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecord } from '../cli/shared/read-record.ts';
import { renderHtml } from '../reports/run/page/html.ts';
import { noBrowser, startBrowser } from '../testing/try-browser.ts';

const awc = fileURLToPath(new URL('../cli/awc.mjs', import.meta.url));
const picture = fileURLToPath(new URL('../docs/report.png', import.meta.url));

/** The page of the run that the README shows: the same seed and fault, and a date and duration that do not change. */
async function reportPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-screenshot-'));
  const run = ['run', '--fault', 'later-pages-short', '--seed', '1', '--out', folder];
  try {
    const { status } = spawnSync(process.execPath, [awc, ...run], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 1) throw new Error(`awc ${run.join(' ')} ended with ${status}, not with 1`);
    const { usedUp: _longLists, ...record } = await readRecord(join(folder, 'report.json'));
    return renderHtml({ ...record, startedAt: '2026-01-15T12:00:00.000Z', durationMs: 2000 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (noBrowser !== undefined) throw new Error(noBrowser);
const browser = await startBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: 1120, height: 1000 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    bypassCSP: true, // for the fonts below
  });
  await page.setContent(await reportPage());
  // Fonts that come with chromium, so that every machine makes the same picture.
  await page.addStyleTag({
    content: `* { font-family: 'Liberation Sans' } code, pre, code *, pre * { font-family: 'Liberation Mono' }`,
  });
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
