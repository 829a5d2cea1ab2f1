import type { Ask, Outcome, Refusal } from './ask.ts';
import type { Json } from './json.ts';
import { BrokenAnswer, type WireForm, type WireResponse } from './wire-form.ts';
import type { World } from '../world.ts';

/** The name of what the path points at, which a refusal must not give away. */
function hiddenName(world: World, ask: Ask): string {
  const { state } = world;
  const account = state.accounts.get(ask.ids.accountId)?.data.record['name'];
  if (typeof account === 'string') return account;
  const organization = state.organizations.get(ask.ids.organizationId)?.data;
  const source = organization?.sources.find(({ id }) => id === ask.ids.sourceId) ?? organization?.sources[0];
  const name = source?.record['displayName'];
  return typeof name === 'string' ? name : '';
}

function refusalText(world: World, ask: Ask, why: Refusal, status: number): string {
  const { rules } = world;
  const title = rules.refusalTitle(why.kind, status, ask);
  const detail = rules.refusalDetail(why, () => hiddenName(world, ask), ask);
  const error: Record<string, Json> = { title, detail };
  if (why.retryAfterMs === undefined) return JSON.stringify(rules.errorBody(error, why.kind, ask));
  error['retryAfterMs'] = rules.retryAfterMs(why.retryAfterMs, ask);
  return JSON.stringify(rules.errorBody(rules.rateBody(error, ask), why.kind, ask));
}

const formHeaders: Readonly<Record<WireForm, Readonly<Record<string, string>>>> = {
  plain: {},
  chunked: { 'transfer-encoding': 'chunked' },
  gzip: { 'content-encoding': 'gzip' },
  close: { connection: 'close' },
};

/** The bytes of an outcome. Throws {@link BrokenAnswer} where the rules break it off. */
export function writeAnswer(world: World, ask: Ask, outcome: Outcome): WireResponse {
  const { rules } = world;
  const planned = outcome.ok ? outcome.status : rules.refusalStatus(outcome.kind, ask);
  const status = rules.answerStatus(planned, ask);
  const made = outcome.ok ? outcome.text : refusalText(world, ask, outcome, status);
  const text = made === '' ? '' : rules.bodyText(made, status, ask);
  let headers = rules.headers(status, ask);
  if (!outcome.ok && outcome.retryAfterMs !== undefined) {
    headers = { ...headers, ...rules.rateHeaders(outcome.retryAfterMs, ask) };
  }
  const body = rules.encode(text, status, ask);
  const how = rules.breaks(status, ask);
  if (how !== undefined) throw new BrokenAnswer(how, { status, headers, body });
  const form = rules.form(status, ask);
  if (form === 'plain') return { status, headers, body };
  return { status, headers: { ...headers, ...formHeaders[form] }, body, form };
}
