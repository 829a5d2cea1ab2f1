import type { Answer } from '../../core/exchange.ts';
import { mustStatus } from '../../engine/answer.ts';
import type { Api, Caller } from '../../engine/api.ts';
import { ownReading } from '../access/access-matrix.ts';
import { longestCookie } from '../shared/credentials.ts';
import { keyholder, readablePlace, requestAt } from '../shared/place.ts';

/** Section 5, point 1: a request with the cookies of an earlier answer, and without a key, has no bearer credential. */
export async function mustRefuseSessions(api: Api): Promise<void> {
  const cookie = cookiesOf(await ownReading(api, 'listModels'));
  if (cookie === undefined) return;
  const caller: Caller = {
    name: 'no key, with the cookies of an answer',
    authorization: undefined,
    elsewhere: { headers: { cookie }, query: '' },
  };
  const answer = await requestAt(api, 'listModels', caller, readablePlace(api, keyholder(api)));
  mustStatus(answer, 401, `for ${caller.name}`);
}

/** What a browser sends back; undefined if the answer sets no cookie. Several are in one header, joined by commas. */
function cookiesOf({ headers }: Answer): string | undefined {
  const cookies = (headers['set-cookie'] ?? '').split(/,\s*(?=[^\s;,=]+=)/).flatMap((set) => {
    const pair = set.split(';')[0]?.trim() ?? '';
    return /^[\x21-\x7e]+=[\x20-\x7e]+$/.test(pair) ? [pair] : [];
  });
  const cookie = cookies.join('; ');
  return cookie === '' || cookie.length > longestCookie ? undefined : cookie;
}
