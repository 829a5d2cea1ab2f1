import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';

/** How long what has to stay unchanged is watched after a refusal, in milliseconds. */
const watchedMs = 20_000;

/** Waits until {@link watchedMs} after the last of these answers: by then a queue or a job has done what was refused. */
export async function untilWatched({ session: { clock } }: Api, refused: readonly Answer[]): Promise<void> {
  await clock.sleep(Math.max(...refused.map(({ exchange }) => exchange.receivedAt)) + watchedMs - clock.now());
}
