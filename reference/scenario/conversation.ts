import { virtualClock } from '../../core/clock.ts';
import { type HttpRequest, TransportError } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { createReference, type ReferenceOptions } from '../reference.ts';

/** A request, sent by alice by default. */
export type Sent = Pick<HttpRequest, 'method' | 'path' | 'headerNames'> & {
  readonly as?: string;
  readonly authorization?: string;
  readonly body?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  /** Milliseconds after which the client disconnects. */
  readonly leavesAfterMs?: number;
};

/** Sends requests to a new world with its own clock, for tests. Each answer is one line of text. */
export type Conversation = {
  readonly target: Target;
  /** Status, headers and body, or the failure. */
  readonly send: (what: Sent) => Promise<string>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly outages: ReturnType<typeof createReference>['outages'];
};

export function openConversation(options: Omit<ReferenceOptions, 'clock'>): Conversation {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ ...options, clock });
  const header = target.idempotencyHeader ?? '';
  const { baseUrls = [] } = target;
  let turn = 0;

  async function send({
    method,
    path,
    as = 'alice',
    authorization,
    headers = {},
    headerNames,
    body,
    key,
    type = 'application/json',
    leavesAfterMs = 400_000,
  }: Sent): Promise<string> {
    const held = target.principals.find(({ name }) => name === as)?.key;
    const credential = authorization ?? (held === undefined ? undefined : `Bearer ${held}`);
    turn += 1;
    const request: HttpRequest = {
      method,
      path,
      baseUrl: baseUrls[turn % baseUrls.length],
      headers: {
        ...headers,
        ...(credential === undefined ? {} : { authorization: credential }),
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(key === undefined ? {} : { [header]: key }),
      },
      headerNames,
      ...(body === undefined ? {} : { body }),
      timeoutMs: leavesAfterMs,
    };
    try {
      const answer = await deployment(request);
      const text = Buffer.from(answer.body).toString('utf8');
      return `${answer.status} ${JSON.stringify(answer.headers)} ${text}`;
    } catch (error) {
      if (error instanceof TransportError) return error.failure;
      throw error;
    }
  }

  return { target, send, sleep: clock.sleep, now: clock.now, outages };
}
