import type { ExchangeRecord } from '../record/record.ts';

/** An exchange in one line. */
export function statusLine({ request, caller, outcome, durationMs }: ExchangeRecord): string {
  const came = outcome.kind === 'answered' ? `${outcome.status}` : `no answer (${outcome.failure})`;
  return `${request.method} ${request.url} as ${caller}: ${came} in ${Math.round(durationMs)} ms`;
}
