import { runCommand } from './run-command.ts';

/**
 * `node tools/at-once.ts LANE…` runs lanes at the same time. A lane is the name of an npm script, or several that run one
 * after the other, joined by commas; it ends with the first that fails.
 */

/** They only compute, so they get the processor time that the other lanes leave while they wait. */
const onlyComputing: readonly string[] = ['proof', 'matrix'];

async function runLane(lane: string): Promise<boolean> {
  for (const script of lane.split(',')) {
    const niceness = onlyComputing.includes(script) ? 19 : 0;
    if (!(await runCommand(script, 'npm', ['run', '--silent', script], niceness))) return false;
  }
  return true;
}

const passed = await Promise.all(process.argv.slice(2).map(runLane));
process.exitCode = passed.every(Boolean) ? 0 : 1;
