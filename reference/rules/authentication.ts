import type { Caller, Request } from '../http/request.ts';

/** A credential taken apart. */
export type Credential = { readonly scheme: string; readonly token: string };

/** Section 5, points 1 and 2. */
export const authenticationRules = {
  credentialHeader(request: Request): string | undefined {
    return request.headers['authorization'];
  },
  credential(header: string, _request: Request): Credential {
    const space = header.indexOf(' ');
    if (space < 0) return { scheme: header, token: '' };
    return { scheme: header.slice(0, space), token: header.slice(space + 1).trim() };
  },
  /** RFC 9110: schemes are compared without regard to case. */
  schemeAccepted(scheme: string, _request: Request): boolean {
    return scheme.length === 6 && scheme.toLowerCase() === 'bearer';
  },
  /** The owner of a key, among the keys that were issued. */
  callerOfToken(token: string, callers: ReadonlyMap<string, Caller>, _request: Request): Caller | undefined {
    return callers.get(token);
  },
} as const;
