import type { Choice } from '../variation.ts';

export const durabilityChoices: readonly Choice[] = [
  {
    axis: 'restart',
    section: '3',
    sentence:
      'What becomes of a response that was generating when the deployment was restarted, and how long that takes.',
    default: 'resumes',
    values: {
      resumes: {},
      ends: { alter: () => ({ finishesAfterRestart: (_exchange, now) => now }) },
      'starts-again': {
        alter: () => ({
          finishesAfterRestart: ({ acceptedAt, finishesAt }, now) => now + finishesAt - acceptedAt,
          downMs: () => 400,
        }),
      },
      slowly: { alter: () => ({ downMs: () => 25_000 }) },
    },
  },
];
