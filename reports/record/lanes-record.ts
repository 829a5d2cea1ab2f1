import type { Redactor } from '../../core/redaction/redact.ts';
import { shown } from '../../core/text.ts';
import type { Lanes } from '../../engine/history/lanes.ts';
import type { LanesRecord } from './record.ts';

/** The most requests that are recorded: the last ones before every order fails. */
const maxRequests = 40;
/** In characters. */
const maxText = 120;

/** Overlapping requests as they leave the run: redacted and bounded, with times since the first of them was sent. */
export function lanesRecord({ requests, failsAt }: Lanes, redactor: Redactor): LanesRecord {
  const text = (value: string) => shown(redactor.text(value), maxText);
  const recorded = requests
    .filter(({ exchange }) => exchange.sentAt <= failsAt)
    .toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt)
    .slice(-maxRequests);
  const startAt = Math.min(...recorded.map(({ exchange }) => exchange.sentAt));
  const since = (time: number) => Math.max(0, Math.round(time - startAt));
  return {
    requests: recorded.map(({ exchange, shows }) => {
      const { caller, operation, request, sentAt, receivedAt, outcome } = exchange;
      const [, wait] = /[?&](wait=[^&]*)/.exec(request.path) ?? [];
      return {
        caller: text(caller),
        request: text([operation, ...(wait === undefined ? [] : [wait])].join(' ')),
        shows: text(shows),
        answer: outcome.kind === 'answered' ? `${outcome.response.status}` : outcome.failure,
        sentMs: since(sentAt),
        answeredMs: since(receivedAt),
      };
    }),
    failsMs: since(failsAt),
  };
}
