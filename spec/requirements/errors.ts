import { must, operations, should } from '../requirement.ts';

/** Sections 2.7 and 7, and what every answer has in common. */
export const errors = [
  must(
    'errors.body',
    '7',
    operations,
    'Every answer that is not 2xx has the error body: error.title and error.detail, both strings.',
  ),
  must('errors.content-type', '1', operations, 'Every answer with a body has a JSON content type.'),
  must('errors.retry-only-when-limited', '2.7', operations, 'retryAfterMs is present only on rate-limit errors.'),
  must(
    'errors.title-means-limited',
    '7',
    operations,
    'The title RateLimitExceeded comes with status 429 and no other.',
  ),
  should('errors.no-internals', '7', operations, 'No error shows a stack trace, a file path or SQL.'),
  should('errors.no-5xx', '7', operations, "A client's mistake is not answered 5xx."),
  must(
    'errors.internal',
    '7',
    'listModels',
    'An internal error is answered 500.',
    'A caller cannot make a deployment fail inside; a 5xx that happens is held to the error body.',
  ),
  should(
    'errors.too-large-body',
    '7',
    operations,
    'An error about the size of a request, such as 413 or 414, has the error body too.',
  ),
  should('formats.rfc3339', '2', operations, 'Date-times are written as RFC 3339, with an offset.'),
  must('robustness.json', '1', operations, 'Every answer with a body parses as JSON in UTF-8.'),
  should('robustness.unique-names', '1', operations, 'No JSON object in an answer has the same name twice.'),
  must('robustness.answered', '1', operations, 'Every request gets one complete, well-framed HTTP answer.'),
  should('robustness.odd-ids', '4', operations, 'An odd but legal ID in the path is answered neither 2xx nor 5xx.'),
];
