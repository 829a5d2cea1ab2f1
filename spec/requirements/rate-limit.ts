import { must, operations } from '../requirement.ts';

/** Sections 7 and 8. */
export const rateLimit = [
  ...must('7', operations, {
    'rate.body': 'A 429 answer has the title RateLimitExceeded, a detail, and retryAfterMs, a number not below 0.',
    'rate.honest': 'After retryAfterMs milliseconds a request passes.',
    'rate.counts-down': 'Within one window retryAfterMs counts down to the same reset.',
  }),
  ...must('7', ['sendMessage', 'deleteDataSource'], {
    'rate.no-effect': 'A message or deletion refused with 429 has no effect.',
  }),
];
