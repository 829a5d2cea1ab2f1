/** Waits, once a request's turn has come, until the others' has come too. */
export type Gate = () => Promise<void>;

/**
 * Sends `count` requests at the same instant: each takes its turn under the limit of requests a second, and they go out
 * when the last one's has come. Rejects when one gets no answer, after all have ended.
 */
export async function atOnce<Made>(
  count: number,
  send: (index: number, gate: Gate) => Promise<Made>,
): Promise<readonly Made[]> {
  const opened = Promise.withResolvers<void>();
  let missing = count;
  function gate(): Promise<void> {
    missing -= 1;
    if (missing <= 0) opened.resolve();
    return opened.promise;
  }
  const settled = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      send(index, gate).catch((error: unknown) => {
        opened.resolve(); // One that will never come must not keep the others.
        throw error;
      }),
    ),
  );
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Runs two things side by side and ends when both have ended, so that nothing of a check outlives it. */
export async function during<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
