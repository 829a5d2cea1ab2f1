import { runCommand } from './run-command.ts';

/**
 * `node tools/at-once.ts LANE…` runs lanes at the same time. A lane is the name of an npm script, or several that run one
 * after the other, joined by commas; it ends with the first that fails.
 */
async function runLane(lane: string): Promise<boolean> {
  for (const script of lane.split(',')) {
    if (!(await runCommand(script, 'npm', ['run', '--silent', script]))) return false;
  }
  return true;
}

const passed = await Promise.all(process.argv.slice(2).map(runLane));
process.exitCode = passed.every(Boolean) ? 0 : 1;
