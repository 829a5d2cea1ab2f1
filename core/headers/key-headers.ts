/** Names under which deployments take an idempotency key: section 4.2 does not show the header's name. */
export const candidateKeyHeaders = [
  'idempotency-key',
  'x-idempotency-key',
  'idempotency-token',
  'x-idempotency-token',
] as const;
