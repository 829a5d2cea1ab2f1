import type { Request, Outcome, Refusal } from './request.ts';
import type { Json } from './json.ts';
import { BrokenAnswer, type WireForm, type WireResponse } from './wire-form.ts';
import type { World } from '../world.ts';

/** The name of what the path points at, which a refusal must not give away. */
function hiddenName(world: World, request: Request): string {
  const { state } = world;
  const account = state.accounts.get(request.ids.accountId)?.data.record['name'];
  if (typeof account === 'string') return account;
  const organization = state.organizations.get(request.ids.organizationId)?.data;
  const source = organization?.sources.find(({ id }) => id === request.ids.sourceId) ?? organization?.sources[0];
  const name = source?.record['displayName'];
  return typeof name === 'string' ? name : '';
}

function refusalText(world: World, request: Request, why: Refusal, status: number): string {
  const { rules } = world;
  const title = rules.refusalTitle(why.kind, status, request);
  const detail = rules.refusalDetail(why, () => hiddenName(world, request), request);
  const error: Record<string, Json> = { title, detail };
  if (why.retryAfterMs === undefined) return JSON.stringify(rules.errorBody(error, why.kind, request));
  error['retryAfterMs'] = rules.retryAfterMs(why.retryAfterMs, request);
  return JSON.stringify(rules.errorBody(rules.rateBody(error, request), why.kind, request));
}

const formHeaders: Readonly<Record<WireForm, Readonly<Record<string, string>>>> = {
  plain: {},
  chunked: { 'transfer-encoding': 'chunked' },
  gzip: { 'content-encoding': 'gzip' },
  close: { connection: 'close' },
};

/** The bytes of an outcome. Throws {@link BrokenAnswer} where the rules break it off. */
export function writeAnswer(world: World, request: Request, outcome: Outcome): WireResponse {
  const { rules } = world;
  const planned = outcome.ok ? outcome.status : rules.refusalStatus(outcome.kind, request);
  const status = rules.answerStatus(planned, request);
  const made = outcome.ok ? outcome.text : refusalText(world, request, outcome, status);
  const text = made === '' ? '' : rules.bodyText(made, status, request);
  let headers = rules.headers(status, request);
  if (!outcome.ok && outcome.retryAfterMs !== undefined) {
    headers = { ...headers, ...rules.rateHeaders(outcome.retryAfterMs, request) };
  }
  const body = rules.encode(text, status, request);
  const how = rules.breaks(status, request);
  if (how !== undefined) throw new BrokenAnswer(how, { status, headers, body });
  const form = rules.form(status, request);
  if (form === 'plain') return { status, headers, body };
  return { status, headers: { ...headers, ...formHeaders[form] }, body, form };
}
