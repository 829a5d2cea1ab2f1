/** `npm run readme`: writes the numbers in README.md anew, of checks, requirements and faults. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { faults } from '../reference/faults/faults.ts';
import { withNumbers } from './readme-numbers.ts';

const awc = fileURLToPath(new URL('../cli/awc.mjs', import.meta.url));
const readme = new URL('../README.md', import.meta.url);

const run = ['run', '--fault', 'later-pages-short', '--seed', '1'];
const { status, stdout } = spawnSync(process.execPath, [awc, ...run], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  timeout: 120_000,
});
if (status !== 1) throw new Error(`awc ${run.join(' ')} ended with ${status}, not with 1`);
writeFileSync(readme, withNumbers(readFileSync(readme, 'utf8'), stdout, faults.length));
