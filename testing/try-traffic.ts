/** For tests: records what a deployment is asked and answers, as a browser would. */
import type { Clock } from '../core/clock.ts';
import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpRequest, HttpResponse } from '../core/http.ts';
import { runChecks } from './run-checks.ts';
import type { Phase } from '../engine/check.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';
import { judgeTraffic } from '../traffic/judge-traffic.ts';
import { readTraffic } from '../traffic/read-traffic.ts';

export const baseUrl = 'https://api.example.com/v0';

type Entry = ReturnType<typeof entryOf>;

/** The deployment, and the entries of everything that was answered. */
export function recording(deployment: Deployment, clock: Clock) {
  const entries: Entry[] = [];
  const recorded: Deployment = async (request) => {
    const sentAt = clock.now();
    const response = await deployment(request);
    entries.push(entryOf(request, response, sentAt, clock.now()));
    return response;
  };
  return { deployment: recorded, entries };
}

type Asked = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>;

function entryOf(request: Asked, { status, headers, body }: HttpResponse, sentAt: number, receivedAt: number) {
  const asked = typeof request.body === 'string' ? request.body : undefined;
  const text = Buffer.from(body).toString('utf8');
  const isText = Buffer.from(text).equals(Buffer.from(body));
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time: receivedAt - sentAt,
    request: {
      method: request.method,
      url: `${baseUrl}${request.path}`,
      headers: listOf(request.headers),
      bodySize: asked === undefined ? 0 : Buffer.byteLength(asked),
      ...(asked === undefined ? {} : { postData: { mimeType: request.headers['content-type'] ?? '', text: asked } }),
    },
    response: {
      status,
      headers: listOf(headers),
      content: isText
        ? { size: body.length, mimeType: headers['content-type'] ?? '', text }
        : { size: body.length, mimeType: '', text: Buffer.from(body).toString('base64'), encoding: 'base64' },
    },
  };
}

type Told = {
  readonly status?: number;
  /** The body of the request. */
  readonly asked?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An entry written by hand: a request below `/api/public/organizations/`, sent in that second, and the body of its answer. */
export function entryAt(
  second: number,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  answer: unknown,
  { status = 200, asked, headers = {} }: Told = {},
): Entry {
  const type = { 'content-type': 'application/json' };
  const sentAt = Date.parse('2026-11-21T12:00:00Z') + second * 1000;
  const request = {
    method,
    path: `/api/public/organizations/${path}`,
    headers: { authorization: 'Bearer sk-0123456789abcdef', ...(asked === undefined ? {} : type), ...headers },
    ...(asked === undefined ? {} : { body: JSON.stringify(asked) }),
  };
  return entryOf(request, { status, headers: type, body: Buffer.from(JSON.stringify(answer)) }, sentAt, sentAt + 12);
}

function listOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

export function harOf(entries: readonly unknown[]): Uint8Array {
  return Buffer.from(JSON.stringify({ log: { version: '1.2', creator: { name: 'try', version: '1' }, entries } }));
}

type Variant = {
  readonly seed?: number;
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
};

/** Everything that the checks of those requirements ask a reference, as a recording of it. */
export async function recordedRun(
  { seed = 1, faults = [], choices = {} }: Variant,
  wanted: (requirement: string, phase: Phase) => boolean = () => true,
): Promise<{ readonly entries: readonly Entry[]; readonly keyHeader: string }> {
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults, choices });
  const { deployment, entries } = recording(reference.deployment, clock);
  const session = createSession({ ...reference, deployment, clock, seed, invariants });
  const chosen = suites.filter(({ requirement, phase }) => wanted(requirement, phase));
  await runChecks(chosen, session);
  return { entries, keyHeader: reference.target.idempotencyHeader ?? '' };
}

/** The requirements that a recording breaks. */
export function brokenIn(har: Uint8Array, keyHeader: string | undefined, base?: string): readonly string[] {
  const { recorded } = readTraffic(har, { baseUrl: base, keyHeader });
  const verdicts = judgeTraffic(suites, recorded, keyHeader);
  const broken = suites.filter(({ id }) => verdicts.get(id)?.kind === 'violated');
  return [...new Set(broken.map(({ requirement }) => requirement))];
}
