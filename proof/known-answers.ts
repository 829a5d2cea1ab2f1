import { createHash } from 'node:crypto';
import type { Recorded } from '../traffic/recorded.ts';
import { type Shown, shownByAnswer } from '../traffic/seen-in.ts';

/** How many questions with their answers are known at once: those of about ten runs. */
const knownMost = 10_000;

/** Most deployments of a proof answer most questions alike, and judging an answer takes longer than finding it. */
const known = new Map<string, readonly Shown[]>();

/** What an exchange of a proof shows by itself, judged once for the same question with the same answer. */
export function shownOnce(recorded: Recorded): readonly Shown[] {
  const name = nameOf(recorded);
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= knownMost) known.clear();
  const shown = shownByAnswer(recorded);
  known.set(name, shown);
  return shown;
}

/** Everything that a judgement may depend on: in a proof, the question says who sent it and whether it is whole. */
function nameOf({ exchange: { request, outcome } }: Recorded): string {
  const { method, path, headers, body = '' } = request;
  const answer =
    outcome.kind === 'failed'
      ? []
      : [outcome.response.status, outcome.response.headers, nameOfBody(outcome.response.body)];
  return JSON.stringify([method, path, headers, typeof body, nameOfBody(body), ...answer]);
}

/** Longer bodies are named by their hash. */
const longestAsItIs = 1024;

/** Worlds of one kind answer with the same long bodies. */
const hashes = new WeakMap<Uint8Array, string>();

function nameOfBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return body.length > longestAsItIs ? hashOf(body) : body;
  if (body.length <= longestAsItIs) return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const known = hashes.get(body) ?? hashOf(body);
  hashes.set(body, known);
  return known;
}

function hashOf(body: string | Uint8Array): string {
  return createHash('sha1').update(body).digest('base64');
}
