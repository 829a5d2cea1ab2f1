/** For the tests of pages: Debian's chromium, where it is installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Why tests in a browser are skipped; undefined where there is one. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : `there is no ${executablePath}, so nothing was tried in a browser (apt-get install chromium)`;

export function startBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet];
  return chromium.launch({ executablePath, args });
}
