import type { Exchange } from '../../core/exchange.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { exchangeRecord } from '../../reports/record/exchange-record.ts';
import type { Proof, Violations } from '../validate/violation-book.ts';

type ViolationRecord = LoadRecord['violations'][number];

/** Makes records of violations without keys. It remembers those of proofs, because looking for keys takes long. */
export function createViolationRecords(target: Target): (violations: Violations) => ViolationRecord {
  const redactor = redactorOf(target);
  const known = new WeakMap<Proof, ViolationRecord['proofs'][number]>();

  function proofRecord(proof: Proof): ViolationRecord['proofs'][number] {
    const record = known.get(proof) ?? {
      expected: redactor.text(proof.finding.expected),
      actual: redactor.text(proof.finding.actual),
      exchange: exchangeRecord(exchangeOf(proof), target, redactor),
    };
    known.set(proof, record);
    return record;
  }

  return ({ finding: { rule, sentence }, request: { operation }, count, findings, proofs }) => ({
    rule,
    sentence,
    operation,
    count,
    findings,
    proofs: proofs.map(proofRecord),
  });
}

function exchangeOf({ request: { operation, caller, request }, status, headers, body, at }: Proof): Exchange {
  const receivedAt = performance.timeOrigin + at;
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  const response = { status, headers: Object.fromEntries(flat), body };
  return { operation, caller, request, sentAt: receivedAt, receivedAt, outcome: { kind: 'answered', response } };
}
