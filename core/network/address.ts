import type { Route } from '../target.ts';

/** What a base URL says about the way to it. */
export type Address = {
  readonly isTls: boolean;
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as in a URL, with brackets around an IPv6 address. */
  readonly authority: string;
  readonly origin: string;
  /** The path without slashes at its end: the beginning of the path of each request. */
  readonly prefix: string;
};

export function addressOf(baseUrl: string): Address {
  const { protocol, hostname, port: written, origin, pathname } = new URL(baseUrl);
  const isTls = protocol === 'https:';
  const port = Number(written || (isTls ? 443 : 80));
  return {
    isTls,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    authority: `${hostname}:${port}`,
    origin,
    prefix: pathname.replace(/\/+$/, ''),
  };
}

/** The base URLs of all entry points. */
export function baseUrlsOf({ baseUrl, baseUrls = [baseUrl] }: Route): readonly string[] {
  return baseUrls;
}
