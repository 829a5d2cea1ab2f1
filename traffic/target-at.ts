import { addressOf } from '../core/network/address.ts';

/** The base URL of a request that looks like one of this API, without user name and password. */
export function baseOf(url: string): string | undefined {
  const at = url.indexOf('/api/public/');
  if (at < 0 || !/^\/api\/public\/(?:organizations|billing-accounts)\/[^/?#]/.test(url.slice(at))) return undefined;
  return normalBase(url.slice(0, at));
}

/** A base URL in one form, so that two can be compared; undefined if it is not a base URL. */
export function normalBase(base: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const { origin, prefix } = addressOf(base);
  return /^https?:/.test(origin) ? origin + prefix : undefined;
}

/** The part after the base URL; undefined for other URLs. */
export function targetAt(base: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // As it was recorded, because parsing would remove dots from a path.
  const rest = /^[^:]+:\/\/[^/?#]*(.*)$/s.exec(url)?.[1] ?? '';
  const path = base.slice(new URL(base).origin.length);
  if (origin !== new URL(base).origin || !rest.startsWith(`${path}/`)) return undefined;
  return rest.slice(path.length);
}
