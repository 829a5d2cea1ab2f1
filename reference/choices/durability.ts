import type { Choice } from '../variation.ts';

export const durabilityChoices: readonly Choice[] = [
  {
    axis: 'restart',
    section: '3',
    sentence: 'What happens to a generating response when the deployment restarts, and how long the restart takes.',
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
