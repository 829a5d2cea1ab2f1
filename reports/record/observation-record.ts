import type { Observation } from '../../engine/session/session.ts';
import type { Redactor } from '../../core/redaction/redact.ts';
import { exchangeRecord, type ShownTarget } from './exchange-record.ts';
import type { ObservationRecord } from './record.ts';

/** An observation as it leaves the run: redacted. */
export function observationRecord(
  observation: Observation,
  target: ShownTarget,
  redactor: Redactor,
): ObservationRecord {
  const { point, value, exchange } = observation;
  return {
    point,
    value: redactor.text(value),
    ...(exchange === undefined ? {} : { exchange: exchangeRecord(exchange, target, redactor) }),
  };
}
