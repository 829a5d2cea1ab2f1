/** For tests: an erratum that excludes a check. */
export const sampleErratum = {
  kind: 'excluded',
  requirement: 'paging.walk',
  check: 'paging.walk/listModels',
  date: '2027-01-01',
  link: 'https://example.com/1',
  reason: 'A list may change during a walk.',
} as const;
