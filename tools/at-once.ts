import { runCommand } from './run-command.ts';

// `node tools/at-once.ts SCRIPT…` runs npm scripts at the same time.

const passed = await Promise.all(
  process.argv.slice(2).map((script) => runCommand(script, 'npm', ['run', '--silent', script])),
);
process.exitCode = passed.every(Boolean) ? 0 : 1;
