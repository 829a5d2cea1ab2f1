import { spawn } from 'node:child_process';

/** Runs a command to its end, then prints how it ended and what it wrote. Gives whether it succeeded. */
export async function runCommand(name: string, command: string, args: readonly string[]): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  printEnd(name, code === 0, performance.now() - startedAt, Buffer.concat(parts).toString());
  return code === 0;
}

/** Prints how a step ended; its text only where it failed. */
export function printEnd(name: string, passed: boolean, durationMs: number, text: string): void {
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name}  ${(durationMs / 1000).toFixed(1)} s\n`);
  if (!passed) process.stdout.write(text);
}
