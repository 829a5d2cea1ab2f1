/** Called when a request has its turn under the rate limit; waits until the other requests have theirs. */
export type Gate = () => Promise<void>;

/**
 * Sends a request for each item at the same instant: each waits for its turn under the rate limit, and all go out
 * when the last one has its turn. If one gets no answer, it rejects after all have ended.
 */
export async function eachAtOnce<Item, Made>(
  items: readonly Item[],
  send: (item: Item, gate: Gate) => Promise<Made>,
): Promise<readonly Made[]> {
  const opened = Promise.withResolvers<void>();
  let missing = items.length;
  function gate(): Promise<void> {
    missing -= 1;
    if (missing <= 0) opened.resolve();
    return opened.promise;
  }
  const settled = await Promise.allSettled(
    items.map((item) =>
      send(item, gate).catch((error: unknown) => {
        opened.resolve(); // The others must not wait for a request that is never sent.
        throw error;
      }),
    ),
  );
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Sends `count` requests at the same instant. */
export function atOnce<Made>(
  count: number,
  send: (index: number, gate: Gate) => Promise<Made>,
): Promise<readonly Made[]> {
  return eachAtOnce([...Array(count).keys()], send);
}

/** Waits for both promises, even if one rejects, so that no work of a check outlives it. */
export async function during<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
