import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { causeOf } from '../../core/error-code.ts';
import { exitCode } from '../../reports/record/exit-code.ts';
import { renderJunit } from '../../reports/run/junit.ts';
import { safeJson } from '../../reports/text/safe-json.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { suites } from '../../suites/index.ts';
import { HarError, maxHarBytes } from '../../traffic/har.ts';
import { readTraffic, type Traffic, type TrafficOptions } from '../../traffic/read-traffic.ts';
import { trafficRecord } from '../../traffic/traffic-record.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { readWaivers } from '../run/read-suites.ts';
import type { OptionsOf } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

/** `awc check-traffic FILE.har`: judges recorded traffic; nothing is sent. */
export function configure(command: Command, context: Context): void {
  addTrafficOptions(command).action(async (path, options) => context.end(await checkTraffic(path, options, context)));
}

function addTrafficOptions(command: Command) {
  return command
    .argument('<har>', 'a HAR 1.2 file from a browser, a proxy or awc report')
    .option('--base-url <url>', 'the base URL of the API, if the recording has several')
    .option('--idempotency-header <name>', 'the header that carries idempotency keys; enables the checks that need it')
    .option('--strict', 'count a violated should as failed')
    .option(
      '--waivers <file>',
      'known violations that do not fail the command until they expire; accepted gaps have no effect',
    )
    .option('--out <dir>', 'write report.json and junit.xml to this folder');
}

type Options = OptionsOf<typeof addTrafficOptions>;

/**
 * Returns the exit code: 0 if something was judged and nothing is violated. A recording rarely exercises every requirement,
 * so an incomplete one does not fail.
 */
async function checkTraffic(path: string, options: Options, context: Context): Promise<number> {
  const startedAt = Date.now();
  const keyHeader = headerName(options.idempotencyHeader);
  // Gaps are those of a run: a recording rarely exercises everything.
  const { waivers } = readWaivers(options.waivers, suites, context);
  if (options.out !== undefined) await makeFolder(options.out);
  const traffic = read(path, await bytesOf(path), { baseUrl: options.baseUrl, keyHeader });
  const record = trafficRecord(traffic, {
    name: basename(path),
    checks: suites,
    keyHeader,
    strict: options.strict === true,
    waivers,
    startedAt,
    durationMs: () => Date.now() - startedAt,
  });
  if (options.out !== undefined) {
    await writeWhole(join(options.out, 'report.json'), safeJson(record));
    await writeWhole(join(options.out, 'junit.xml'), renderJunit(record));
  }
  context.out.write(renderTerminal(record, { color: wantsColor(context.out), out: options.out }));
  return exitCode(record, true);
}

function headerName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const lower = name.toLowerCase();
  if (/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && lower !== 'authorization' && lower !== 'cookie') return lower;
  throw new UserError(`--idempotency-header ${name.slice(0, 100)} is not a header name for keys.`);
}

function read(path: string, bytes: Uint8Array, options: TrafficOptions): Traffic {
  try {
    return readTraffic(bytes, options);
  } catch (error) {
    if (error instanceof HarError) throw new UserError(`${path} ${error.message}`);
    throw error;
  }
}

/** The bytes of a file. A device never ends and a pipe may never begin, so neither is opened. */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new UserError(`${path} is not a file: name a HAR file.`);
    if (found.size > maxHarBytes) throw new UserError(`${path} is over ${maxHarBytes / 1024 / 1024} MiB: split it.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} cannot be read (${causeOf(error)}): name a HAR file.`);
  }
}
