import { seenOutages } from '../hooks/seen-outages.ts';
import type { Choice } from '../variation.ts';
import { reasons } from './assistant.ts';

export const durabilityChoices: readonly Choice[] = [
  {
    axis: 'outage',
    section: '3',
    sentence: 'What happens to a generating response in an outage, and how long a restart takes.',
    default: 'resumes',
    values: {
      resumes: {},
      ends: { alter: () => ({ finishesAfterOutage: (_exchange, now) => now }) },
      'starts-again': {
        alter: () => ({
          finishesAfterOutage: ({ acceptedAt, finishesAt }, now) => now + finishesAt - acceptedAt,
          downMs: () => 400,
        }),
      },
      slowly: { alter: () => ({ downMs: () => 25_000 }) },
    },
  },
  {
    axis: 'pause',
    section: '1',
    sentence: 'What happens to requests that arrive while the deployment is paused.',
    default: 'wait',
    values: {
      wait: {},
      lost: { alter: () => ({ whenPaused: () => 'lost' }) },
      unanswered: { alter: () => ({ whenPaused: () => 'unanswered' }) },
      gateway: { alter: () => ({ whenPaused: () => 'gateway' }) },
    },
  },
  {
    axis: 'clock',
    section: '7',
    sentence:
      'Whether the wall clock ends the window of a rate limit: then the window lasts longer if the clock is moved back.',
    default: 'monotonic',
    values: {
      monotonic: {},
      wall: {
        alter: (rules) => {
          const { onOutage, movedBy } = seenOutages();
          const shown = (now: number, since = now): number => now - Math.max(0, movedBy(since) - movedBy(now));
          return {
            onOutage,
            rateWindowAt: (last, now, windowMs, quota, request) =>
              rules.rateWindowAt(last, shown(now, last?.startedAt), windowMs, quota, request),
            rateResetMs: (window, now, windowMs, quota, request) =>
              rules.rateResetMs(window, shown(now, window.startedAt), windowMs, quota, request),
          };
        },
      },
    },
    blocks: {
      wall: reasons(
        'After the clock was moved back, a quota that was used before is free again five minutes later.',
        'auth.unknown-key/listDataSources/clock',
        'access.denied/listDataSources/clock',
        'access.granted/listDataSources/clock',
        'models.filter/clock',
        'models.required-fields/clock',
        'paging.any-id-is-cursor/listModels/clock',
        'paging.any-id-is-cursor/listDataSources/clock',
        'delete.gone-or-marked/clock',
        'idempotency.after/clock',
        'conflict.refused/clock',
        'attach.twice/clock',
        'rate.honest/listModels/clock',
        'durability.chats/clock',
      ),
    },
  },
];
