export type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: unknown };

/** Turns a rejection into a value, so that none of several concurrent ones is lost or unhandled. */
export function settled<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  return promise.then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  );
}
