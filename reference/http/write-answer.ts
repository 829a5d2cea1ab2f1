import type { Item } from '../data/item.ts';
import type { Request, Outcome, Refusal } from './request.ts';
import { BrokenAnswer, type WireForm, type WireResponse } from './wire-form.ts';
import type { World } from '../world.ts';

/** The name of the resource in the path, which a refusal must not disclose. */
function hiddenName(world: World, request: Request): string {
  const { state } = world;
  const account = state.accounts.get(request.ids.accountId)?.data.record['name'];
  if (typeof account === 'string') return account;
  const organization = state.organizations.get(request.ids.organizationId)?.data;
  const others = [...state.organizations.values()].flatMap(({ data }) => data.sources);
  const isNamed = ({ id }: Item): boolean => id === request.ids.sourceId;
  const source = organization?.sources.find(isNamed) ?? others.find(isNamed) ?? organization?.sources[0];
  const name = source?.record['displayName'];
  return typeof name === 'string' ? name : '';
}

function refusalText(world: World, request: Request, why: Refusal, status: number): string {
  const { rules, hooks } = world;
  const { kind, retryAfterMs } = why;
  const title = rules.refusalTitle(kind, status, request);
  const detail = rules.refusalDetail(kind, request);
  const retry =
    retryAfterMs === undefined ? {} : { retryAfterMs: hooks.retryAfterMs(retryAfterMs, request, retryAfterMs) };
  const error = hooks.error({ title, detail, ...retry }, request, kind, () => hiddenName(world, request));
  return JSON.stringify(rules.errorBody(error, kind, request));
}

const formHeaders: Readonly<Record<WireForm, Readonly<Record<string, string>>>> = {
  plain: {},
  chunked: { 'transfer-encoding': 'chunked' },
  gzip: { 'content-encoding': 'gzip' },
  close: { connection: 'close' },
};

/** The HTTP answer of an outcome. Throws {@link BrokenAnswer} where the rules break it off. */
export function writeAnswer(world: World, request: Request, outcome: Outcome): WireResponse {
  const { rules, hooks } = world;
  const planned = outcome.ok ? outcome.status : rules.refusalStatus(outcome.kind, request);
  const status = hooks.status(planned, request);
  const made = outcome.ok ? outcome.text : refusalText(world, request, outcome, status);
  const text = made === '' ? '' : hooks.bodyText(made, request, status);
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
