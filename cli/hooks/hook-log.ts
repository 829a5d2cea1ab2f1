import { join } from 'node:path';
import { jsonIn } from '../../core/json.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import { shown } from '../../core/text.ts';
import { hookFailure, type HookResult, maxOutputBytes } from '../../targets/hooks/run-hook.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** The most lines at the end of a failed hook's standard error to show, and the most characters of each. */
const shownLines = 5;
const shownLength = 300;

/** The result of a hook, without keys. */
export type HookLog = {
  /** All output, for the file. */
  readonly text: string;
  /** Why it failed, with the end of its standard error; undefined if it succeeded. */
  readonly failure: string | undefined;
};

/**
 * The log of a hook, without its command, which may hold unknown secrets. It redacts the keys of the target file and those
 * that stand as `"key": "…"` in the output of a setup, even if the output is not JSON.
 */
export function hookLog(name: string, result: HookResult, keys: readonly string[]): HookLog {
  const secrets = [...keys, ...keysIn(result.stdout)].map((key) => ({ key, variable: '$AWC_KEY' }));
  const redactor = createRedactor(secrets);
  const failure = hookFailure(result);
  const clean = (text: string) => redactor.text(text.replaceAll(/[^\n\t]*/g, (line) => shown(line, maxOutputBytes)));
  const said = clean(result.stderr);
  const lines = [
    `hooks.${name} ${failure ?? 'ended well'} after ${(result.durationMs / 1000).toFixed(1)} s${result.cut ? '; of its output only the beginning is here' : ''}`,
    '--- what it printed',
    clean(result.stdout),
    '--- what it said on standard error',
    said,
  ];
  const lastWords = said.trimEnd().split('\n').slice(-shownLines);
  const quoted = lastWords.filter((line) => line !== '').map((line) => `\n  ${shown(line, shownLength)}`);
  return {
    text: `${lines.map((line) => line.trimEnd()).join('\n')}\n`,
    failure: failure === undefined ? undefined : `hooks.${name} ${failure}.${quoted.join('')}`,
  };
}

export function keysIn(stdout: string): readonly string[] {
  return [...stdout.matchAll(/"key"\s*:\s*("(?:[^"\\]|\\.)+")/g)].flatMap(([, text = '']) => {
    const key = jsonIn(text);
    return typeof key === 'string' ? [key] : [];
  });
}

/** Keeps a log in the folder of the run, if there is one. */
export async function keepHookLog(folder: string | undefined, file: string, text: string): Promise<void> {
  if (folder !== undefined) await writeWhole(join(folder, file), text);
}
