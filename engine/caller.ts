import type { Principal } from '../core/target.ts';

/** The sender of a request: a principal with its key, or a caller with a credential that is wrong on purpose. */
export type Caller = {
  readonly name: string;
  /** The whole Authorization header; undefined sends none. */
  readonly authorization: string | undefined;
  /** Where else the request carries a key, which section 5 does not allow: headers, the end of a query, and fields of a JSON body. */
  readonly elsewhere?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly query: string;
    readonly fields?: Readonly<Record<string, string>>;
  };
  /** Writes the path, with its query, in another way. */
  readonly rewritten?: (path: string) => string;
};

/** The principal with its own key, as section 5 wants it sent. */
export function as({ name, key }: Principal): Caller {
  return { name, authorization: `Bearer ${key}` };
}
