import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { stringAt } from '../../core/json.ts';
import { readPage } from '../../core/page.ts';
import { type Api, as } from '../../engine/api.ts';
import { describe } from '../../core/text.ts';
import { kindsOfProbed } from '../../stage/rate-limit/rate-probe.ts';
import { Blocked } from '../../engine/verdict.ts';
import { keyholder, readablePlace, requestAt } from '../shared/place.ts';

/** A limit may refuse a list only with 429: the same request must not look unauthorized for a moment. */
export async function mustStayGranted(api: Api): Promise<void> {
  const kinds = kindsOfProbed(api);
  const granted = kinds.find(isSuccess);
  const refused = kinds.find(
    (answer) => [401, 403, 404].includes(answer.status) && isError(answer) && !isGateways(answer),
  );
  if (granted === undefined || refused === undefined) return;
  const again = await listAgain(api, refused);
  const actual = `${summary(refused)} while it was sent often, and ${again.status} later`;
  must(!isSuccess(again), 'the same request granted each time, or refused with 429', actual, granted, refused, again);
}

/** A rate limit must not make a list empty: the first item must be listed before and after. */
export async function mustStayFilled(api: Api): Promise<void> {
  const [filled, emptied] = [false, true].map((isEmpty) =>
    kindsOfProbed(api).find((answer) => readPage(answer) !== undefined && isEmptyPage(answer) === isEmpty),
  );
  if (filled === undefined) throw new Blocked('no model was listed, so an empty page shows nothing');
  if (emptied === undefined) return;
  const again = await listAgain(api, emptied);
  const id = readPage(filled)?.items[0]?.id;
  const isThere = readPage(again)?.items[0]?.id === id;
  const promised = `${describe(id)} listed, or 429, while the request is sent often`;
  must(!isThere, promised, 'an empty page without more items, and the item again later', filled, emptied, again);
}

function isError({ json }: Answer): boolean {
  return stringAt(json, 'error', 'title') !== undefined;
}

function isEmptyPage(answer: Answer): boolean {
  return readPage(answer)?.items.length === 0;
}

/** A limit is over after one of these pauses, in milliseconds. */
const pausesMs = [0, 2000, 8000, 60_000] as const;

/** The request of a probe once more, when its answer is not of the same kind any more. */
async function listAgain(api: Api, odd: Answer): Promise<Answer> {
  const { principals } = api.session.target;
  const principal = principals.find(({ name }) => name === odd.exchange.caller) ?? keyholder(api);
  let again = odd;
  for (const pauseMs of pausesMs) {
    await api.session.clock.sleep(pauseMs);
    again = await requestAt(api, 'listModels', as(principal), readablePlace(api, principal));
    if (again.status !== odd.status || isEmptyPage(again) !== isEmptyPage(odd)) break;
  }
  return again;
}
