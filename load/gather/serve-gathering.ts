import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { z } from 'zod';
import { isSameSecret } from '../../core/hash.ts';
import { loadRecordSchema, partClockSchema } from '../../reports/load/load-record.ts';
import { type Caller, Meeting, type MeetingOptions } from './meeting.ts';
import { failureSchema, nothingSchema, registrationSchema, type Verb, verbs, waitSchema } from './protocol.ts';

export type Gathering = Pick<Meeting, 'over' | 'stop'> & {
  /** The address that it listens on. */
  readonly url: string;
  /** Answers what the parts wait for, and stops listening. */
  readonly close: () => Promise<void>;
};

type Options = MeetingOptions & {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  /** What every request must bear; undefined lets every process in. */
  readonly token: string | undefined;
};

/** Registrations, clocks and failures have less than 10 kB. */
const mostBytes = 64 * 1024;
/** Ten minutes at 600 requests a second make 3 MB: 600 slices of 5 kB, which hold each different latency once. */
const mostRecordBytes = 32 * 1024 * 1024;
const requestTimeoutMs = 60_000;
/** Every part has a waiting request and another one. The rest is for others, such as probes. */
const connectionsBeside = 32;

type Answer = { readonly status: number; readonly body: object };

/** Serves the coordinator of the parts of a load. Rejects if it cannot listen on the address. */
export async function serveGathering({ host, port, token, ...options }: Options): Promise<Gathering> {
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: 10_000, maxHeaderSize: 8192, keepAliveTimeout: 30_000 },
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  server.maxConnections = 3 * options.of + connectionsBeside;
  server.listen(port, host);
  await once(server, 'listening');
  const meeting = new Meeting(options);
  const answerTo = createAnswers(meeting, options.now);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request);
    const reason = whyForeign(request, token);
    if (reason !== undefined) return refuse(response, { status: 401, body: { reason } });
    if (route === undefined) return refuse(response, { status: 404, body: { reason: 'there is no such address' } });
    const end = meeting.begin(route.caller);
    response.on('close', () => end(!response.writableFinished));
    const body = await readJsonBody(request, route.verb === 'record' ? mostRecordBytes : mostBytes);
    const { status, body: answered } = await answerTo[route.verb](route.caller, body);
    if (status !== 200) return refuse(response, { status, body: answered });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered));
  }

  return {
    url: urlOf(server.address()),
    over: meeting.over,
    stop: (reason) => meeting.stop(reason),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 2000);
      await closed;
      clearTimeout(late);
    },
  };
}

/** What is answered to each request. */
function createAnswers(
  meeting: Meeting,
  now: () => number,
): Readonly<Record<Verb, (caller: Caller, body: unknown) => Answer | Promise<Answer>>> {
  const unless = (reason: string | undefined): Answer =>
    reason === undefined ? { status: 200, body: {} } : { status: 409, body: { reason } };
  return {
    register: taking(registrationSchema, (caller, body) => unless(meeting.register(caller, body))),
    align: taking(partClockSchema, (caller, body) => unless(meeting.align(caller, body))),
    record: taking(loadRecordSchema, (caller, body) => unless(meeting.handOver(caller, body))),
    failed: taking(failureSchema, (caller, body) => unless(meeting.fail(caller, body))),
    clock: taking(nothingSchema, () => ({ status: 200, body: { now: now() } })),
    wait: taking(waitSchema, async (caller, { knows }) => {
      const phase = await meeting.wait(caller, knows);
      return phase === undefined ? unless('it has not registered') : { status: 200, body: phase };
    }),
  };
}

function taking<Schema extends z.ZodType>(
  schema: Schema,
  answer: (caller: Caller, body: z.infer<Schema>) => Answer | Promise<Answer>,
) {
  return (caller: Caller, body: unknown): Answer | Promise<Answer> => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return answer(caller, parsed.data);
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    return { status: 400, body: { reason: `the body is too long or not what is expected here (${where})` } };
  };
}

function routeOf({ method, url = '' }: IncomingMessage): { readonly caller: Caller; readonly verb: Verb } | undefined {
  const [, part = '', process = '', name = ''] = /^\/parts\/(\d{1,4})\/([\w-]{1,64})\/([a-z]+)$/.exec(url) ?? [];
  const verb = verbs.find((one) => one === name);
  return method !== 'POST' || verb === undefined || Number(part) < 1
    ? undefined
    : { caller: { part: Number(part), process }, verb };
}

/** A browser sends the origin of the page with each request: no page has business here. */
function whyForeign({ headers }: IncomingMessage, token: string | undefined): string | undefined {
  if (headers.origin !== undefined) return 'a page of a browser has no business here';
  if (token === undefined || isSameSecret(headers.authorization ?? '', `Bearer ${token}`)) return undefined;
  return 'its AWC_GATHER_TOKEN is not that of the coordinator';
}

function refuse(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
}

function urlOf(address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('the coordinator has no port');
  const { address: host, family, port } = address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** Reads a JSON body. Undefined if it is longer than `mostBytes`, is cut off, or is not JSON. */
async function readJsonBody(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      if (!Buffer.isBuffer(part)) return undefined;
      bytes += part.length;
      if (bytes > mostBytes) return undefined;
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
