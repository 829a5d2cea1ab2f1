import type { Choice } from '../variation.ts';

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
    sentence: 'What happens to the requests that meet a pause of the deployment.',
    default: 'wait',
    values: {
      wait: {},
      lost: { alter: () => ({ whenPaused: () => 'lost' }) },
      unanswered: { alter: () => ({ whenPaused: () => 'unanswered' }) },
      gateway: { alter: () => ({ whenPaused: () => 'gateway' }) },
    },
  },
];
