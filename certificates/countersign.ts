import type { KeyObject } from 'node:crypto';
import { shown } from '../core/text.ts';
import type { RecordDiff } from '../reports/record/diff.ts';
import type { RunRecord } from '../reports/record/record.ts';
import type { Bundle } from './bundle/bundle.ts';
import { countersigned } from './bundle/envelope.ts';
import type { RunFile } from './bundle/run-file-schema.ts';

/** The most differences to name. */
const maxNamed = 8;

/** Why the run of a witness does not confirm a certificate: it judged something else, or a verdict differs. */
export function witnessProblems(
  { target }: RunFile,
  witnessed: RunRecord,
  { changes, onlyBefore, onlyAfter }: RecordDiff,
): readonly string[] {
  const other = [...onlyBefore, ...onlyAfter];
  const { baseUrl } = witnessed.target;
  return [
    ...(baseUrl === target.baseUrl
      ? []
      : [`you judged ${shown(baseUrl)}, and the certificate is about ${shown(target.baseUrl)}`]),
    ...changes
      .slice(0, maxNamed)
      .map(
        ({ before, after }) => `${before.id} is ${before.verdict} in the certificate and ${after.verdict} in your run`,
      ),
    ...(changes.length > maxNamed ? [`and ${changes.length - maxNamed} more checks differ`] : []),
    ...(other.length > 0 ? [`only one of the two runs has ${other.slice(0, maxNamed).join(', ')}`] : []),
  ];
}

/** The bundle with the signature of a witness on its statement. Throws Malformed if the key has signed it. */
export function countersign(bundle: Bundle, privateKey: KeyObject): Bundle {
  const text = Buffer.from(bundle.get('certificate.json') ?? []).toString('utf8');
  return new Map(bundle).set('certificate.json', Buffer.from(countersigned(text, 'certificate.json', privateKey)));
}
