import type { Exchange } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { askedBody } from '../core/route.ts';
import { hasMoreCharacters } from '../schemas/characters.ts';

/**
 * Whether the request alone shows that the caller made a mistake: what the specification does not allow, whatever exists.
 * A request about something unknown, or without the role, is a mistake that this cannot see.
 */
export function isMistake({ operation, request }: Pick<Exchange, 'operation' | 'request'>): boolean {
  const { path, headers } = request;
  if (!/^bearer +\S/i.test(headers['authorization'] ?? '')) return true;
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  switch (operation) {
    case 'listModels':
    case 'listDataSources':
      return isOutside(query.get('limit'), 100);
    case 'sendMessage':
      return isOutside(query.get('wait'), 300) || hasLongKey(headers) || !isJson(headers) || isWrongMessage(request);
    case 'attachOrganization':
      return !isJson(headers) || typeof at(askedBody({ request }), 'organizationId') !== 'string';
    case 'getBillingAccount':
    case 'deleteDataSource':
      return false;
  }
}

/** Given, and no integer from 1 to `most`. */
function isOutside(value: string | null, most: number): boolean {
  return value !== null && !(/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most);
}

/** Longer than a key may be, in a header that is not HTTP's own. */
function hasLongKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(([name, value]) => value.length > 255 && name !== 'authorization');
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
}

/** Every count of characters is legal, so that only the smallest one counts. */
function isWrongMessage(request: Exchange['request']): boolean {
  const message = at(askedBody({ request }), 'message');
  return typeof message !== 'string' || message === '' || hasMoreCharacters(message, 10_000);
}
