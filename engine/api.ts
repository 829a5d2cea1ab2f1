import type { Operation } from '../spec/requirement.ts';
import type { Chat } from './session/chat-pool.ts';
import { type Answer, answerOf, bodyBytes, type Exchange } from '../core/exchange.ts';
import { hash } from '../core/hash.ts';
import type { HttpRequest } from '../core/http.ts';
import { notePassing } from './session/errors/passing-errors.ts';
import { keyHeaders } from './session/key-headers.ts';
import { noteExchange } from './session/note-exchange.ts';
import { noteAccount } from './session/seen-accounts.ts';
import { noteMessages } from './session/seen-messages.ts';
import { noteUnheld } from './session/answers/unheld-messages.ts';
import { writing } from './session/other-writers.ts';
import { paths, type Query } from '../core/paths.ts';
import { sendRepeatable } from './session/repetitions.ts';
import { holding, isHolding } from './session/held-requests.ts';
import { type Again, beginningAt, goOn } from './session/entry-points.ts';
import { RunMemory } from './session/run-memory.ts';
import type { Session } from './session/session.ts';
import type { Caller } from './caller.ts';
import { answerTimeoutMs, messageTimeoutMs, noteUnanswered } from './timeouts.ts';

export { as, type Caller } from './caller.ts';
export type { Query };

export type Options = {
  /** False returns a 429 to the check instead of waiting it out. */
  readonly patient?: boolean;
  /** How often it is sent at most while a rate limit refuses it. */
  readonly tries?: number;
  /** Awaited when the request has its turn under the rate limit, so that several can go out at the same instant. */
  readonly gate?: (() => Promise<void>) | undefined;
  /** True sends it even if its operation has stopped answering. */
  readonly regardless?: boolean;
  /** False hides the exchange from the invariants: for a request that may be refused before it reaches the API at all. */
  readonly judged?: boolean;
  /** True sends another User-Agent, and accepts anything, as another program of the same caller. */
  readonly isOtherClient?: boolean;
  /** How the names of headers are written; by default as in `Content-Type`. */
  readonly headerNames?: HttpRequest['headerNames'];
  /** Further headers of a read. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True sends it over the connection that was used last, and once more over a new one if that has just ended: it may arrive twice. */
  readonly follows?: boolean;
};

/** What is sent to a chat; `body` replaces the well-formed body with raw text, or with nothing if it is null. */
export type Outgoing = {
  readonly message?: unknown;
  readonly body?: string | null;
  readonly contentType?: string;
  readonly wait?: string | number | undefined;
  /** In how many chunks the body is sent, without its length; by default it is sent whole. */
  readonly chunks?: number | undefined;
  /** True sends it over the connection that was used last, like the next request of a simple client. */
  readonly follows?: boolean;
  /** The idempotency key; null sends none. */
  readonly key: string | null;
  /** How long the client waits before it disconnects without an answer, in milliseconds. */
  readonly leavesAfterMs?: number;
};

/** How the body of an attachment is written if that is unusual. */
type WrittenBody = { readonly text?: string | undefined; readonly contentType?: string | undefined };

/** How many exchanges one check keeps as evidence. */
const maxKept = 200;
const maxKeptBytes = 8 * 1024 * 1024;

/** The six operations, as one check sends them. The methods only send; the check judges. */
export class Api {
  readonly session: Session;
  /** The last {@link maxKept} exchanges of this check, oldest first; fewer if their bodies are large. */
  readonly exchanges: Exchange[] = [];
  #keptBytes = 0;
  readonly leased: Chat[] = [];
  readonly checkMemory = new RunMemory();
  /** 1, or more where the check failed and is tried again. */
  readonly attempt: number;
  /** Whether the requirement is known to be violated, so that no time is spent on other explanations. */
  isKnown = false;
  /** Requests that this check sent so far. */
  sent = 0;
  /** Seeds every random choice of this check. */
  readonly seed: number;
  /** A fast-check path: only this known counterexample is tried. */
  readonly replayPath: string | undefined;
  #keys = 0;
  /** Where everything goes instead of crossing the entry points. */
  #entryPoint: string | undefined;
  #again: Again | undefined;
  /** Fresh keys that were not sent yet. */
  readonly #unused = new Set<string>();

  readonly #keyPrefix: string;
  readonly #userAgent: string;

  /** Each attempt at a check draws the same values but uses its own idempotency keys. */
  constructor(session: Session, checkId: string, attempt = 1, replayPath?: string) {
    this.session = session;
    this.attempt = attempt;
    this.seed = hash(`${session.seed} ${checkId}`);
    this.replayPath = replayPath;
    // The logs of the target then show which run sent a request, even without an idempotency key.
    this.#userAgent = `analytics-workspace-conformance (awc-${session.runId})`;
    this.#keyPrefix = `awc-${session.runId}-${this.seed.toString(36)}-${attempt}`;
  }

  /** Sends everything to this one of several entry points from now on. */
  stayAt(baseUrl: string): void {
    if (this.session.target.baseUrls !== undefined) this.#entryPoint = baseUrl;
  }

  /** Begins at the entry points of the `evidence`, because this attempt repeats the one that it shows. */
  beginAt(evidence: readonly Exchange[]): void {
    this.#again = beginningAt(evidence);
  }

  /** A new idempotency key, which names the run and is unique to this check. */
  freshKey(): string {
    this.#keys += 1;
    const key = `${this.#keyPrefix}-${this.#keys}`;
    this.#unused.add(key);
    return key;
  }

  listModels(caller: Caller, organizationId: string, query: Query = {}, options: Options = {}): Promise<Answer> {
    return this.#send('listModels', caller, 'GET', paths.models(organizationId, query), options);
  }

  listDataSources(caller: Caller, organizationId: string, query: Query = {}, options: Options = {}): Promise<Answer> {
    return this.#send('listDataSources', caller, 'GET', paths.dataSources(organizationId, query), options);
  }

  deleteDataSource(caller: Caller, organizationId: string, id: string, options: Options = {}): Promise<Answer> {
    return this.#send('deleteDataSource', caller, 'DELETE', paths.dataSource(organizationId, id), options);
  }

  async getBillingAccount(caller: Caller, id: string, options: Options = {}): Promise<Answer> {
    const answer = await this.#send('getBillingAccount', caller, 'GET', paths.billingAccount(id), options);
    noteAccount(this.session, id, answer);
    return answer;
  }

  /** `body` is sent as JSON; `text` replaces it and is sent unchanged. */
  attachOrganization(
    caller: Caller,
    billingAccountId: string,
    body: unknown,
    { text, contentType = 'application/json', ...options }: Options & WrittenBody = {},
  ): Promise<Answer> {
    const path = paths.attachments(billingAccountId);
    const sent = { body: text ?? written(body, caller), headers: { 'content-type': contentType } };
    return this.#send('attachOrganization', caller, 'POST', path, { ...options, ...sent });
  }

  async sendMessage(
    caller: Caller,
    { organizationId, chatId }: Pick<Chat, 'organizationId' | 'chatId'>,
    outgoing: Outgoing,
    options: Options = {},
  ): Promise<Answer> {
    const { message, wait, key, follows = options.follows ?? false } = outgoing;
    const path = paths.messages(organizationId, chatId, wait === undefined ? {} : { wait });
    const body = outgoing.body === undefined ? written({ message }, caller) : outgoing.body;
    const send = () =>
      this.#send('sendMessage', caller, 'POST', path, {
        ...options,
        ...(body === null ? {} : { body }),
        ...(key === null ? {} : { key }),
        timeoutMs: outgoing.leavesAfterMs ?? messageTimeoutMs(this.session, message, wait),
        // Half of them may follow other requests on their connection, as a client that keeps connections sends them.
        isRepeatable: key !== null && (follows || hash(key) % 2 === 0),
        follows,
        chunks: outgoing.chunks,
        headers: {
          ...(body === null ? {} : { 'content-type': outgoing.contentType ?? 'application/json' }),
          ...(key === null ? {} : Object.fromEntries(keyHeaders(this.session).map((header) => [header, key]))),
        },
      });
    const held = () => (typeof wait === 'number' ? holding(this.session, { message, wait }, send) : send());
    const identity = [caller.name, organizationId, chatId, key, body];
    const sendOnce = () => (key === null ? held() : sendRepeatable(this.session, identity, held));
    const holdsBefore = isHolding(this.session);
    const answer = await writing(this.session, chatId, sendOnce);
    const isBeside = holdsBefore || isHolding(this.session);
    const isNew = key === null || this.#unused.delete(key);
    noteMessages(this.session, { organizationId, chatId }, answer, isNew);
    if (isNew && wait === undefined)
      noteUnheld(this.session, { chatId, text: message, isKeyed: key !== null, isBeside, answer });
    return answer;
  }

  async #send(
    operation: Operation,
    caller: Caller,
    method: HttpRequest['method'],
    path: string,
    options: Options &
      Pick<HttpRequest, 'isRepeatable' | 'follows' | 'chunks'> & { body?: string; key?: string; timeoutMs?: number },
  ): Promise<Answer> {
    const { body } = options;
    const { headers = {}, query = '' } = caller.elsewhere ?? {};
    const { rewritten = (usual: string) => usual } = caller;
    const baseUrl = this.#entryPoint ?? this.session.entryPoints({ method, path }, options.key, this.#again);
    const request: HttpRequest = {
      method,
      path: rewritten(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      headers: {
        // Section 1 promises JSON to every client, also to one that accepts anything.
        accept: operation === 'listDataSources' || options.isOtherClient === true ? '*/*' : 'application/json',
        'user-agent': options.isOtherClient === true ? `${this.#userAgent} again` : this.#userAgent,
        ...(caller.authorization === undefined ? {} : { authorization: caller.authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
        ...headers,
      },
      headerNames: options.headerNames,
      isRepeatable: options.isRepeatable ?? options.follows,
      follows: options.follows,
      chunks: options.chunks,
      timeoutMs: options.timeoutMs ?? answerTimeoutMs(this.session),
      ...(body === undefined ? {} : { body }),
    };
    const { patient = true, tries, gate, regardless = false } = options;
    const outgoing = { operation, caller: caller.name, request, patient, tries, gate, regardless };
    const before: Exchange[] = [];
    const answer = await this.session.sender.send(outgoing, (exchange, standing) => {
      this.#keep(exchange, standing !== 'passing' && (options.judged ?? true));
      if (standing === 'final') return;
      before.push(exchange);
      this.session.observe(
        'errors.passing',
        `${operation}: ${answerOf(exchange)?.status ?? 'no connection'}`,
        exchange,
      );
    });
    notePassing(this.session, answer, before);
    return answer;
  }

  #keep(exchange: Exchange, judged: boolean): void {
    this.sent += 1;
    noteExchange(this.session, exchange);
    if (this.#again !== undefined && answerOf(exchange)?.status !== 409) goOn(this.#again, exchange.request);
    noteUnanswered(this.session, exchange);
    if (judged) this.session.see(exchange);
    this.exchanges.push(exchange);
    this.#keptBytes += bodyBytes(exchange);
    while (this.exchanges.length > maxKept || (this.#keptBytes > maxKeptBytes && this.exchanges.length > 1)) {
      const dropped = this.exchanges.shift();
      if (dropped !== undefined) this.#keptBytes -= bodyBytes(dropped);
    }
  }
}

/** The body as JSON, with the fields that the caller adds. */
function written(body: unknown, { elsewhere }: Caller): string {
  return JSON.stringify(elsewhere?.fields === undefined ? body : Object.assign({}, body, elsewhere.fields));
}
