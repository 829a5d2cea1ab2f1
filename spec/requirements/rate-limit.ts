import { must, operations } from '../requirement.ts';

/** Sections 7 and 8. */
export const rateLimit = [
  must(
    'rate.body',
    '7',
    operations,
    'A 429 answer has the title RateLimitExceeded, a detail, and retryAfterMs, a number not below 0.',
  ),
  must('rate.honest', '7', operations, 'After retryAfterMs milliseconds a request passes.'),
  must('rate.counts-down', '7', operations, 'Within one window retryAfterMs counts down to the same reset.'),
  must(
    'rate.no-effect',
    '7',
    ['sendMessage', 'deleteDataSource'],
    'A message or deletion refused with 429 has no effect.',
  ),
];
