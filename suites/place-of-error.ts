import { execFile } from 'node:child_process';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const timeoutMs = 10_000;

/** Imports the module that is its argument. */
const importer = 'await import(process.argv[1])';

/** Where importing a file failed, as `file:line` relative to the current folder; undefined if nothing shows it. */
export async function placeOf(error: Error, path: string): Promise<string | undefined> {
  const stack = error.stack ?? '';
  // Node begins the stack with the place if it is the type stripping that fails.
  const [, file, line] = /^(\S.*):(\d+)\n/.exec(stack) ?? [];
  if (file !== undefined && isAbsolute(file)) return `${relative('', file)}:${line}`;
  return placeIn(stack) ?? (error instanceof SyntaxError ? placeIn(await uncaught(path)) : undefined);
}

/** The first place in a text that is a line of a file outside the packages. */
function placeIn(text: string): string | undefined {
  for (const [, url = '', line] of text.matchAll(/(file:\/\/[^\s()]+?):(\d+)(?=[:\s)]|$)/g)) {
    if (!url.includes('/node_modules/')) return `${relative('', fileURLToPath(url))}:${line}`;
  }
  return undefined;
}

/**
 * What Node writes about an error that nothing catches: for wrong syntax, only that shows the line. Nothing of the file runs,
 * because Node reads all modules before it runs one.
 */
function uncaught(path: string): Promise<string> {
  const args = ['--input-type=module', '--eval', importer, pathToFileURL(resolve(path)).href];
  return new Promise((done) => {
    execFile(process.execPath, args, { timeout: timeoutMs }, (_error, _out, err) => done(err));
  });
}
