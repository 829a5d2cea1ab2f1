import { realClock } from '../../../core/clock.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import type { Arrived } from '../../engine/sockets.ts';
import type { LimitedTarget } from './limited-target.ts';

const maxTries = 8;
const mostWaitMs = 30_000;

/** Sends again after a refusal, a bounded number of times; its waits grow, because what a refusal says may be a lie. */
export async function sendPatiently(limited: LimitedTarget, request: LoadRequest): Promise<Arrived> {
  for (let tries = 1; ; tries += 1) {
    const { arrived, shot } = await limited.send(request);
    if (shot.kind !== 'limited' || tries === maxTries) return arrived;
    await realClock.sleep(Math.min(mostWaitMs, Math.max(shot.retryAfterMs ?? 0, 100 * 2 ** tries)));
  }
}
