import type { KeyObject } from 'node:crypto';
import type { Redactor } from '../../core/redaction/redact.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { safeJson } from '../../reports/text/safe-json.ts';
import { type Bundle, type BundleFile, bundleFiles } from './bundle.ts';
import { sealEnvelope } from './envelope.ts';
import { publicPem } from './keys.ts';
import { renderManifest } from './manifest.ts';
import type { Recording } from '../recording/recording.ts';
import type { RunFile } from './run-file-schema.ts';
import { statementOf } from './statement.ts';
import { renderRecording } from './written-recording.ts';

/** The result of a run, without keys. */
type Certifiable = {
  readonly run: RunFile;
  readonly record: RunRecord;
  readonly recording: Recording;
};

/** The bundle of a run, signed. Throws if a file would still hold a key, or be too large to be read again. */
export function makeBundle(
  { run, record, recording }: Certifiable,
  privateKey: KeyObject,
  redactor: Pick<Redactor, 'pieces'>,
): Bundle {
  const runText = safeJson(run);
  const files = new Map<BundleFile, string>([
    ['exchanges.ndjson', renderRecording(recording)],
    ['public-key.pem', publicPem(privateKey)],
    ['report.json', safeJson(record)],
    ['run.json', runText],
  ]);
  const manifest = renderManifest(new Map([...files].map(([name, text]) => [name, Buffer.from(text)])));
  const statement = statementOf(run, record, manifest, runText);
  files.set('manifest.sha256', manifest);
  files.set('certificate.json', sealEnvelope(JSON.stringify(statement), privateKey));
  for (const [name, text] of files) {
    if (redactor.pieces(text).some(({ kind }) => kind === 'secret')) {
      throw new Error(`${name} would hold part of a key: use keys that are not words or mere punctuation`);
    }
    if (Buffer.byteLength(text) > bundleFiles[name]) throw new Error(`${name} would exceed the size limit of a bundle`);
  }
  return new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
}
