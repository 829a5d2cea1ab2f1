import { must, operations, should } from '../requirement.ts';

/** Sections 2.7 and 7, and what every answer has in common. */
export const errors = [
  ...must('7', operations, {
    'errors.body': 'Every answer that is not 2xx has the error body: error.title and error.detail, both strings.',
  }),
  ...must('1', operations, {
    'errors.content-type': 'Every answer with a body has a JSON content type.',
  }),
  ...must('2.7', operations, {
    'errors.retry-only-when-limited': 'retryAfterMs is present only on rate-limit errors.',
  }),
  ...must('7', operations, {
    'errors.title-means-limited': 'The title RateLimitExceeded comes with status 429 and no other.',
  }),
  ...should('7', operations, {
    'errors.no-internals': 'No error shows a stack trace, a file path or SQL.',
    'errors.no-5xx': "A client's mistake is not answered 5xx.",
  }),
  ...must('7', 'listModels', {
    'errors.internal': [
      'An internal error is answered 500.',
      'A caller cannot make a deployment fail inside; a 5xx that happens is held to the error body.',
    ],
  }),
  ...should('7', operations, {
    'errors.too-large-body': 'An error about the size of a request, such as 413 or 414, has the error body too.',
  }),
  ...should('2', operations, {
    'formats.rfc3339': 'Date-times are written as RFC 3339, with an offset.',
  }),
  ...must('1', operations, {
    'robustness.json': 'Every answer with a body parses as JSON in UTF-8.',
  }),
  ...should('1', operations, {
    'robustness.unique-names': 'No JSON object in an answer has the same name twice.',
  }),
  ...must('1', operations, {
    'robustness.answered': 'Every request gets one complete, well-framed HTTP answer.',
  }),
  ...should('4', operations, {
    'robustness.odd-ids': 'An odd but legal ID in the path is answered neither 2xx nor 5xx.',
  }),
];
