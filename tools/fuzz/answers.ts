/** The parsers of what a server sends: the client of a run, with everything that judges each answer, and that of a load. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { virtualClock } from '../../core/clock.ts';
import { answerOf, type Exchange } from '../../core/exchange.ts';
import type { HttpRequest } from '../../core/http.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { paths } from '../../core/paths.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import { createAnswerReader } from '../../load/engine/answer-reader.ts';
import { judgeAnswer } from '../../load/validate/judge-answer.ts';
import { createReference } from '../../reference/reference.ts';
import { exchangeRecord } from '../../reports/record/exchange-record.ts';
import type { Operation } from '../../spec/requirement.ts';
import { invariants } from '../../suites/errors/invariants.ts';
import { portOf } from '../../testing/network/port-of.ts';
import { type Parser, textParser } from './input.ts';
import { mutateText } from './mutate.ts';
import type { Random } from '../../reference/random.ts';

/** Bytes as text of one character each. */
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** Real answers of the reference, as bytes on the wire in several framings. */
async function answers(): Promise<readonly string[]> {
  const { deployment, target } = createReference({ clock: virtualClock(), seed: 1 });
  const [alice] = target.principals;
  const [account] = target.billingAccounts;
  const organizationId = alice?.adminOf[0] ?? '';
  const authorization = `Bearer ${alice?.key}`;
  const asked = [
    paths.models(organizationId, { limit: 2 }),
    paths.dataSources(organizationId, { limit: 3 }),
    paths.billingAccount(account?.id ?? ''),
    paths.models('org_none', {}),
  ];
  const texts: string[] = [];
  for (const path of asked) {
    const { status, headers, body } = await deployment({
      method: 'GET',
      path,
      headers: { authorization },
      timeoutMs: 1000,
    });
    const head = `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}`;
    const text = Buffer.from(body).toString('latin1');
    const packed = gzipSync(body).toString('latin1');
    texts.push(
      `${head}content-length: ${text.length}\r\n\r\n${text}`,
      `${head}transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      `${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n${packed}`,
      `${head}connection: close\r\n\r\n${text}`,
    );
  }
  return texts;
}

/** The body of an answer is changed as JSON, with its new length, half of the time. */
function mutateAnswer(text: string, random: Random): string {
  const [head = '', ...bodies] = text.split('\r\n\r\n');
  const body = bodies.join('\r\n\r\n');
  if (random.next() < 0.5 || !body.startsWith('{')) return mutateText(text, random);
  const changed = Buffer.from(mutateText(body, random), 'utf8').toString('latin1');
  return `${head.replace(/content-length: \d+/, `content-length: ${changed.length}`)}\r\n\r\n${changed}`;
}

const operations: readonly Operation[] = ['listModels', 'listDataSources', 'getBillingAccount', 'sendMessage'];

/** Judges and records an exchange, as a run and a load do. */
function judge(exchange: Exchange): void {
  const answer = answerOf(exchange);
  for (const invariant of invariants) invariant.judge(exchange, answer);
  if (answer !== undefined) judgeAnswer(exchange);
  exchangeRecord(exchange, { baseUrl: 'http://127.0.0.1:1' }, createRedactor([]), 'data[0]');
}

/** A client of a server that answers anything with the latest bytes, and then closes the connection. */
async function openClient(): Promise<(text: string) => Promise<void>> {
  let bytes = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { deployment } = networkDeployment({ baseUrl: `http://127.0.0.1:${portOf(server)}` });
  const request: HttpRequest = { method: 'POST', path: '/', headers: {}, timeoutMs: 1000 };
  return async (text) => {
    bytes = bytesOf(text);
    const response = await deployment(request);
    for (const operation of operations) {
      judge({ operation, caller: 'alice', request, sentAt: 0, receivedAt: 1, outcome: { kind: 'answered', response } });
    }
  };
}

/** Takes the bytes in pieces, because a connection may divide them anywhere. */
function readPieces(text: string): void {
  const bytes = bytesOf(text);
  for (const size of [bytes.length, 7, 4096].filter((one) => one > 0 && bytes.length / one < 20_000)) {
    const reader = createAnswerReader();
    for (let at = 0; at < bytes.length; at += size) {
      if (typeof reader.take(bytes.subarray(at, at + size)) === 'string') break;
    }
    reader.end(true);
  }
}

export const answerParsers: readonly Parser[] = [
  {
    name: 'answer',
    async open() {
      const client = await openClient();
      return textParser('answer', answers, mutateAnswer, client).open();
    },
  },
  textParser('load-answer', answers, mutateAnswer, readPieces),
];
