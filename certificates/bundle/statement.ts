import type { RunRecord } from '../../reports/record/record.ts';
import type { RunFile } from './run-file-schema.ts';
import { sha256 } from '../../core/hash.ts';

/**
 * The signed content: an in-toto Statement with the test result. Its subject is the manifest, because a running deployment
 * has no digest. It follows from the other files alone.
 */
export function statementOf(run: RunFile, record: RunRecord, manifest: string, runText: string) {
  const idsOf = (wanted: string) => record.checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  const warnedTests = idsOf('warned');
  const { suite, revision, target, challenge, servers = [] } = run;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'manifest.sha256', digest: { sha256: sha256(Buffer.from(manifest)) } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: warnedTests.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        { name: 'run.json', uri: target.baseUrl, digest: { sha256: sha256(Buffer.from(runText)) } },
        { name: `revision ${revision.number}`, digest: { sha256: revision.digest } },
        { name: 'suite', uri: `pkg:npm/${suite.name}@${suite.version}` },
        ...(challenge === undefined
          ? []
          : [{ name: 'challenge', digest: { sha256: sha256(challenge) }, annotations: { text: challenge } }]),
        ...servers.map(({ baseUrl, tls, http, chain }) => ({
          name: 'server',
          uri: baseUrl,
          ...(chain[0] === undefined ? {} : { digest: { sha256: chain[0].sha256 } }),
          annotations: { tls, ...(http === undefined ? {} : { http }), chain: chain.map((one) => ({ ...one })) },
        })),
      ],
      passedTests: idsOf('passed'),
      warnedTests,
      failedTests: [],
    },
  };
}
