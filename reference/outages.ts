import { TransportError } from '../core/http.ts';
import type { OutageKind, Outages } from '../core/outages.ts';
import type { Request } from './http/request.ts';
import { seenOutages } from './hooks/seen-outages.ts';
import { gatewayAnswer, type WireResponse } from './http/wire-form.ts';
import { whilePatient, type World } from './world.ts';

type Interrupted = Pick<World, 'clock' | 'rules' | 'hooks'> & {
  /** The deployment as it is now. */
  readonly running: () => World;
  /** Replaces it by what is left of its journal. */
  readonly takeOver: (kind: OutageKind) => void;
};

/** The outages of a deployment, and what they do to its requests and its wall clock. */
export function createOutages({ clock, rules, hooks, running, takeOver }: Interrupted) {
  let upAt = clock.now();
  let pausedUntil = upAt;
  const seen = seenOutages();

  function begin(kind: OutageKind, seconds: number): void {
    const outage = { kind, at: clock.now(), seconds };
    seen.onOutage(outage);
    hooks.onOutage(outage);
  }

  async function replace(kind: 'failover' | 'restart'): Promise<void> {
    begin(kind, 0);
    takeOver(kind);
    upAt = clock.now() + rules.downMs();
  }

  async function pause(seconds: number): Promise<void> {
    begin('pause', seconds);
    pausedUntil = clock.now() + seconds * 1000;
    for (const { exchanges } of running().state.chats.values()) {
      for (const exchange of exchanges) {
        if (exchange.finishesAt <= clock.now()) continue;
        exchange.finishesAt = rules.finishesAfterOutage(exchange, pausedUntil, 'pause');
      }
    }
    await clock.sleep(seconds * 1000);
  }

  async function awake(): Promise<void> {
    while (clock.now() < pausedUntil) await clock.sleep(pausedUntil - clock.now());
  }

  /** Answers when no pause is under way. A client that is gone by then does not keep its request from being carried out. */
  async function throughPause(request: Request, answer: () => Promise<WireResponse>): Promise<WireResponse> {
    const how = clock.now() < pausedUntil ? rules.whenPaused() : undefined;
    if (how === 'gateway') return gatewayAnswer(503);
    const made = how === undefined ? await answer() : undefined;
    if (made !== undefined && clock.now() >= pausedUntil) return made;
    const work = awake().then(() => (how === 'lost' ? undefined : (made ?? answer())));
    const late = await whilePatient(clock, request, work);
    if (late === undefined || how === 'unanswered') throw new TransportError('reset', 'it was paused');
    return late;
  }

  const outages: Required<Outages> = {
    pause,
    clock: async (seconds) => begin('clock', seconds),
    failover: () => replace('failover'),
    restart: () => replace('restart'),
  };
  return {
    outages,
    isUp: () => clock.now() >= upAt,
    shown: seen.shown,
    throughPause,
  };
}
