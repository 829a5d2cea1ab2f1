import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launcher } from '../../testing/launcher.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';
import { runHook } from '../../targets/hooks/run-hook.ts';
import { recordSchema, type RunRecord } from '../../reports/record/record.ts';

/** Starts the reference with its data in a file: on a free port the first time, on the same one ever after. */
const start = (flags: string): string => `
rm -f log
node "${launcher}" serve --port "$(cat port 2>/dev/null || echo 0)" --data data.db --choice cleanup=at-once ${flags} > log 2>&1 &
echo $! > pid
until grep -qs Ctrl-C log; do kill -0 "$(cat pid)" || { cat log >&2; exit 1; }; sleep 0.05; done
sed -n 's/^The reference answers at .*:\\([0-9]*\\)$/\\1/p' log > port`;

/** The durability of a reference that is stopped for a while, killed by kill -9 in mid-run and started again from its file. */
async function judgedOverKill(flags: string, allow: string): Promise<RunRecord> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'restart.sh'), `kill -9 "$(cat pid)"\n${start(flags)}`);
  const environment = { PATH: process.env['PATH'] };
  const started = await runHook({ command: start(flags), folder, environment, timeoutMs: 20_000 });
  onTestFinished(async () => void process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGKILL'));
  expect(started.stderr).toBe('');

  const target = join(folder, 'target.yaml');
  await copyFile(join(folder, 'reference.yaml'), target);
  const text = (await readFile(target, 'utf8')).replace(/^allow:\n(?: {2}- .*\n)*/m, '');
  await writeFile(target, text);
  const pause = `'kill -STOP $(cat pid); sleep $AWC_SECONDS; kill -CONT $(cat pid)'`;
  await appendFile(target, `allow: ${allow}\nhooks: { restart: sh restart.sh, pause: ${pause} }\n`);
  const out = join(folder, 'out');
  const ended = await awc('run', target, '--only', 'durability.*', '--out', out);
  expect(ended.err).not.toContain('bug in the suite');
  return recordSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')));
}

test('what the reference accepted into a file outlasts kill -9, and a fault that loses keys by it is caught', async () => {
  const [right, wrong] = await Promise.all([
    judgedOverKill('', '[messages, deletions, attachments]'),
    judgedOverKill('--fault keys-in-memory', '[messages]'),
  ]);
  expect(right.summary.passed, JSON.stringify(right.checks)).toBe(7);
  const warned = wrong.checks.filter(({ verdict }) => verdict === 'warned');
  expect(warned.map(({ id }) => id)).toEqual(['durability.keys']);
});
