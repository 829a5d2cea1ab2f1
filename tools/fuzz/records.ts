/** The parsers of records: reports, load records, histories, bundles, and the metadata of a registry. */
import { UserError } from '../../cli/shared/user-error.ts';
import { jsonIn } from '../../core/json.ts';
import { runHistory } from '../../reports/history/run-history.ts';
import { readHistory } from '../../reports/history/history-file.ts';
import { loadHistory } from '../../load/compare/history.ts';
import { mergeRecords } from '../../load/judge/merge.ts';
import {
  type Bundle,
  type BundleFile,
  bundleFiles,
  isBundleFile,
  Malformed,
} from '../../certificates/bundle/bundle.ts';
import { sealEnvelope } from '../../certificates/bundle/envelope.ts';
import { renderManifest } from '../../certificates/bundle/manifest.ts';
import { runFileSchema } from '../../certificates/bundle/run-file-schema.ts';
import { statementOf } from '../../certificates/bundle/statement.ts';
import { verifyBundle } from '../../certificates/verify-bundle.ts';
import type { Random } from '../../reference/random.ts';
import { readSubmission } from '../../registry/submission.ts';
import { newVendor, readVendor, rotated } from '../../registry/vendor.ts';
import { loadFormats } from '../../reports/load/load-formats.ts';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../reports/load/load-terminal.ts';
import { diffRecords } from '../../reports/record/diff.ts';
import { recordSchema } from '../../reports/record/record.ts';
import { formats } from '../../reports/run/formats.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { emptyLoadRecord, sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { simulatedRecord } from '../../testing/simulated/record.ts';
import { quietBuild, simulateTrial } from '../../testing/simulated/trials.ts';
import { certifyReference, newKey, textIn, verifier, withFiles } from '../../testing/try-bundle.ts';
import { recordOfReference } from '../../testing/try-record.ts';
import { submissionOf } from '../../testing/try-registry.ts';
import { type Input, type Parser, textParser } from './input.ts';
import { mutateLines, mutateText } from './mutate.ts';

function readReport(text: string): void {
  const { data: record } = recordSchema.safeParse(jsonIn(text));
  if (record === undefined) throw new UserError('It does not match its schema.');
  for (const render of Object.values(formats)) render(record);
  renderTerminal(record, { color: true, out: undefined });
  diffRecords(record, sampleRecord());
}

function readLoad(text: string): void {
  const { data: record } = loadRecordSchema.safeParse(jsonIn(text));
  if (record === undefined) throw new UserError('It does not match its schema.');
  for (const render of Object.values(loadFormats)) render(record);
  renderLoadTerminal(record, { color: true });
  mergeRecords([record]);
}

function loadRecords(): readonly string[] {
  let state = 1;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const trial = simulateTrial(quietBuild, { ratePerSecond: 50, seconds: 20 }, random);
  return [sampleLoadRecord(), emptyLoadRecord(), simulatedRecord(trial, 1)].map((record) => JSON.stringify(record));
}

const key = newKey();

/** The bundle with one changed file; half of them as their vendor would seal them, so that they are read further. */
function mutatedBundle(genuine: Bundle, random: Random): Input {
  const [first = 'run.json', ...others] = Object.keys(bundleFiles).filter(isBundleFile);
  const name = random.pick<BundleFile>(
    first,
    ...others,
    'exchanges.ndjson',
    'exchanges.ndjson',
    'run.json',
    'report.json',
  );
  const before = textIn(genuine, name);
  const input = name === 'exchanges.ndjson' ? mutateLines(before, random) : mutateText(before, random);
  const bundle = withFiles(genuine, { [name]: input });
  const whole = random.next() < 0.7 ? sealed(bundle, genuine) : bundle;
  return { input, read: () => verify(whole) };
}

async function verify(bundle: Bundle): Promise<void> {
  const verification = await verifyBundle(bundle, verifier(key));
  if (verification.kind === 'refused') throw new Malformed(verification.reasons.join('; '));
}

function sealed(bundle: Bundle, genuine: Bundle): Bundle {
  const of = (name: BundleFile) => jsonIn(textIn(bundle, name)) ?? jsonIn(textIn(genuine, name));
  const run = runFileSchema.safeParse(of('run.json'));
  const record = recordSchema.safeParse(of('report.json'));
  if (!run.success || !record.success) return bundle;
  const manifest = renderManifest(bundle);
  const statement = JSON.stringify(statementOf(run.data, record.data, manifest, textIn(bundle, 'run.json')));
  return withFiles(bundle, { 'manifest.sha256': manifest, 'certificate.json': sealEnvelope(statement, key) });
}

const place = { vendor: 'acme', product: 'workspace', version: '1.0' };

export const recordParsers: readonly Parser[] = [
  textParser(
    'report',
    async () =>
      [sampleRecord(), await recordOfReference({ only: ['paging.*', 'models.*'] })].map((one) => JSON.stringify(one)),
    mutateText,
    readReport,
  ),
  textParser('load', loadRecords, mutateText, readLoad),
  textParser(
    'history',
    () => [
      '{"format":"awc-run-history/1","series":"s","build":"b","at":"2026-01-15T12:00:00Z","verdicts":{"paging.limit":"passed"}}\n',
      '{"format":"awc-history/1","series":"s","build":"b","at":"2026-01-15T12:00:00Z","figures":{"p50":1,"p90":2,"p95":3,"p99":4,"throughput":5}}\n',
    ],
    mutateLines,
    (text) => [readHistory(text, runHistory), readHistory(text, loadHistory)],
  ),
  {
    name: 'bundle',
    async open() {
      const certified = await certifyReference(key);
      if (certified.kind === 'refused') throw new Error(certified.reasons.join('\n'));
      const { bundle } = certified;
      return {
        genuine: [{ input: textIn(bundle, 'exchanges.ndjson'), read: () => verify(bundle) }],
        draw: (random) => mutatedBundle(bundle, random),
      };
    },
  },
  textParser(
    'submission',
    () => [JSON.stringify(submissionOf('Acme', 'Workspace', '1.0'))],
    mutateText,
    (text) => readSubmission(text, place),
  ),
  textParser(
    'vendor',
    () => {
      const first = newVendor('Acme', key);
      return [first, rotated(readVendor(JSON.stringify(first), 'acme'), key, newKey())].map((one) =>
        JSON.stringify(one),
      );
    },
    mutateText,
    (text) => readVendor(text, 'acme'),
  ),
];
