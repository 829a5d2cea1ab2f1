#!/usr/bin/env node
// In words that any Node since 14 understands, so that an older one says a sentence instead of a syntax error.
import { existsSync } from 'fs';

const required = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < required[0] || (major === required[0] && minor < required[1])) {
  process.stderr.write(
    `awc needs Node ${required.join('.')} or later, and this is ${process.version}. In a checkout, npm run awc brings its own.\n`,
  );
  process.exitCode = 2;
} else {
  const source = new URL('./main.ts', import.meta.url); // only a checkout has it
  const main = existsSync(source) ? source : new URL('../dist/cli/main.js', import.meta.url);
  import(main.href)
    .then((module) => module.main(process))
    .catch((error) => {
      process.stderr.write(
        `awc: bug in the suite, please report it: ${String(error.stack).replace(/(?!\n)\p{C}/gu, ' ')}\n`,
      );
      process.exitCode = 5;
    });
}
