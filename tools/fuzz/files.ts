/** The parsers of files that a user is given: targets, profiles, waivers, data, recordings and specifications. */
import { readdirSync, readFileSync } from 'node:fs';
import { blocksOf, sentencesOf } from '../../reports/annotated/split.ts';
import { renderAnnotated } from '../../reports/annotated/annotated-page.ts';
import { virtualClock } from '../../core/clock.ts';
import { parseRows } from '../../load/kinds/flow/data-rows.ts';
import { parseProfile } from '../../load/profile/profile-file.ts';
import { createReference } from '../../reference/reference.ts';
import { targetFile } from '../../reference/target-file.ts';
import { suites } from '../../suites/index.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { harOf, recordedRun } from '../../testing/try-traffic.ts';
import { readTraffic } from '../../traffic/read-traffic.ts';
import { trafficRecord } from '../../traffic/traffic-record.ts';
import { parseWaivers } from '../../waivers/waiver-file.ts';
import { type Parser, textParser } from './input.ts';
import { mutateLines, mutateText } from './mutate.ts';

const root = new URL('../../', import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The texts of that kind in the documents, which are examples. */
function examplesIn(path: string, language: string): readonly string[] {
  const fences = new RegExp(`^\`\`\`${language}[^\\n]*\\n([^]*?)^\`\`\``, 'gm');
  return [...textOf(path).matchAll(fences)].map(([, text = '']) => text);
}

const waiverFile = `waivers:
  - waives: paging.limit/listModels
    reason: Known.
    owner: A team
    link: https://issues.example.com/1
    expires: 2999-12-31
acceptedGaps:
  - check: rate.body
    reason: There is no limit.
`;

function judgeHar(text: string): void {
  const keyHeader = 'idempotency-key';
  const traffic = readTraffic(Buffer.from(text, 'utf8'), { baseUrl: undefined, keyHeader });
  const facts = { name: 'x', checks: suites, keyHeader, strict: false, waivers: [], startedAt: 0, durationMs: () => 0 };
  trafficRecord(traffic, facts);
}

async function recordings(): Promise<readonly string[]> {
  const { entries } = await recordedRun({}, (requirement) => /^(paging|models|messages|rate)\./.test(requirement));
  const parts = [entries.slice(0, 12), entries.slice(-12), entries.filter((_, index) => index % 40 === 0)];
  return parts.map((part) => Buffer.from(harOf(part)).toString('utf8'));
}

export const fileParsers: readonly Parser[] = [
  textParser(
    'target',
    () => [
      textOf('targets/example.yaml'),
      targetFile(createReference({ clock: virtualClock(), seed: 1 }).target),
      ...examplesIn('docs/writing-a-target-file.md', 'yaml'),
      ...examplesIn('docs/reaching-a-deployment.md', 'yaml'),
    ],
    mutateText,
    (text) => parseTarget(text, '/nowhere/target.yaml', { AWC_KEY_ALICE: 'key_of_alice', A: 'a' }),
  ),
  textParser(
    'profile',
    () => [
      ...readdirSync(new URL('profiles/', root)).map((name) => textOf(`profiles/${name}`)),
      ...examplesIn('docs/load-testing.md', 'yaml'),
    ],
    mutateText,
    (text) => parseProfile(text, '/nowhere/profile.yaml', {}),
  ),
  textParser(
    'waivers',
    () => [waiverFile, ...examplesIn('docs/reading-a-report.md', 'yaml'), ...examplesIn('docs/gating-ci.md', 'yaml')],
    mutateText,
    (text) => parseWaivers(text, 'waivers.yaml', {}, suites),
  ),
  textParser(
    'data',
    () => ['name,limit\n"a ""b""",1\nc,2\n', '[{"name":"a","limit":1},{"name":"b","limit":2}]'],
    mutateText,
    (text) => parseRows(text, text.trimStart().startsWith('[') ? 'rows.json' : 'rows.csv'),
  ),
  textParser('har', recordings, mutateText, judgeHar),
  textParser(
    'specification',
    () => [textOf('docs/certifying.md'), textOf('spec/derivations.md'), textOf('README.md')],
    mutateLines,
    (text) => {
      const blocks = blocksOf(text);
      sentencesOf(blocks);
      renderAnnotated({ blocks, guardsOf: () => ({ checks: [], faults: [] }), record: undefined });
    },
  ),
];
