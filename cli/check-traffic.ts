import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exitCode } from '../reports/record/exit-code.ts';
import { renderJunit } from '../reports/run/junit.ts';
import { safeJson } from '../reports/text/safe-json.ts';
import { renderTerminal } from '../reports/run/terminal.ts';
import { suites } from '../suites/index.ts';
import { HarError, maxHarBytes } from '../traffic/har.ts';
import { readTraffic, type Traffic, type TrafficOptions } from '../traffic/read-traffic.ts';
import { trafficRecord } from '../traffic/traffic-record.ts';
import { type Context, wantsColor } from './shared/context.ts';
import { readWaivers } from './run/read-waivers.ts';
import { UserError } from './shared/user-error.ts';
import { makeFolder, writeWhole } from './shared/write-whole.ts';

/** What `awc check-traffic` can be told. */
export type CheckTrafficOptions = {
  readonly baseUrl?: string | undefined;
  readonly idempotencyHeader?: string | undefined;
  readonly strict: boolean;
  readonly waivers?: string | undefined;
  readonly out?: string | undefined;
};

/**
 * Judges recorded traffic, shows and writes the report, and gives the exit code: 0 where something was judged and nothing
 * is violated. That much was not seen is what recordings are like, so it fails nothing.
 */
export async function checkTraffic(path: string, options: CheckTrafficOptions, context: Context): Promise<number> {
  const startedAt = Date.now();
  const keyHeader = headerName(options.idempotencyHeader);
  const waivers = readWaivers(options.waivers, suites, context);
  if (options.out !== undefined) await makeFolder(options.out);
  const traffic = read(path, await bytesOf(path), { baseUrl: options.baseUrl, keyHeader });
  const record = trafficRecord(traffic, {
    name: basename(path),
    keyHeader,
    strict: options.strict,
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
  throw new UserError(`--idempotency-header ${name.slice(0, 100)} is no name of a header for keys.`);
}

function read(path: string, bytes: Uint8Array, options: TrafficOptions): Traffic {
  try {
    return readTraffic(bytes, options);
  } catch (error) {
    if (error instanceof HarError) throw new UserError(`${path} ${error.message}`);
    throw error;
  }
}

/** The bytes of a file within the bound. A device has no end, and a pipe may never begin, so neither is opened. */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new UserError(`${path} is no file: name a HAR.`);
    if (found.size > maxHarBytes) throw new UserError(`${path} is over ${maxHarBytes / 1024 / 1024} MiB: split it.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UserError(`${path} cannot be read (${code}): name a HAR.`);
  }
}
