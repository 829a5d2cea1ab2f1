import { operations, type Requirement } from './requirement.ts';

/** Sections 7 and 8. */
export const rateLimit = [
  {
    id: 'rate.body',
    section: '7',
    level: 'must',
    operations,
    sentence: 'A 429 answer has the title RateLimitExceeded, a detail, and retryAfterMs, a number not below 0.',
  },
  {
    id: 'rate.honest',
    section: '7',
    level: 'must',
    operations,
    sentence: 'After retryAfterMs milliseconds a request passes.',
  },
  {
    id: 'rate.counts-down',
    section: '7',
    level: 'must',
    operations,
    sentence: 'Within one window retryAfterMs counts down to the same reset.',
  },
  {
    id: 'rate.no-effect',
    section: '7',
    level: 'must',
    operations: ['sendMessage', 'deleteDataSource'],
    sentence: 'A message or deletion refused with 429 has no effect.',
  },
] as const satisfies readonly Requirement[];
