import { describe, test } from 'vitest';
import { z } from 'zod';
import { conditions } from './conditions.ts';
import { awc } from '../../testing/try-awc.ts';
import { smallQuota } from '../set-stage.ts';
import { missing, prepare } from './prepare.ts';
import { ways } from './ways.ts';

/** Faults of five areas, each with the requirement that it breaks. */
const faults = {
  'page-of-ninety-nine': 'paging.limit-maximum',
  'repetition-created': 'idempotency.after',
  'busy-chat-accepts': 'conflict.refused',
  'no-key-400': 'auth.no-key',
  'attach-redirects': 'attach.success',
};

const reportSchema = z.object({
  checks: z.array(z.object({ requirement: z.string(), verdict: z.string(), curl: z.string().optional() })),
});

// The ways side by side, because most of what a run does is waiting; the groups one after the other.
describe('five faults', () => {
  test.concurrent.for(Object.entries(ways))(
    'suite: five faults are found by way of %s, and a curl line gets the answer',
    async ([name, way], { skip, expect, onTestFinished }) => {
      const prepared = await prepare(way, onTestFinished, { faults: Object.keys(faults) });
      if (prepared === undefined) return skip(missing);
      const only = Object.values(faults).flatMap((requirement) => ['--only', requirement]);
      const { code, out, err } = await prepared.awc('run', 'target.yaml', '--out', 'out', ...only);
      expect(code, `${out}${err}`).toBe(1);
      const { checks } = reportSchema.parse(JSON.parse(await prepared.read('out/report.json')));
      const failed = checks.filter(({ verdict }) => verdict === 'failed');
      expect(new Set(failed.map(({ requirement }) => requirement))).toEqual(new Set(Object.values(faults)));

      const page = failed.find(({ requirement }) => requirement === 'paging.limit-maximum');
      const latestKey = '[[ ! -f key.sh ]] || AWC_KEY_ALICE=$(sh key.sh alice)';
      const asked = await prepared.bash(`${latestKey}\n${page?.curl}`);
      if (asked.code === 127) return skip('needs curl');
      expect(asked.code, asked.err).toBe(0);
      expect(asked.out).toMatch(/^HTTP\/\S+ 200 .*"pagination":/s);
      for (const { shownBy = /^/ } of conditions.filter((each) => each.way === name))
        expect(asked.out).toMatch(shownBy);
    },
  );
});

// Two at a time: on a busy machine, more of them send so slowly that they do not use up even the small quota.
describe.for([
  ['tunnel', 'balancer'],
  ['http2', 'nodes'],
] as const)('certificates by way of %s and %s', (names) => {
  test.concurrent.for(names)(
    'suite and certify: the reference is conformant by way of %s, and its certificate is verified',
    async (name, { skip, expect, onTestFinished }) => {
      const prepared = await prepare(ways[name], onTestFinished, { choices: smallQuota });
      if (prepared === undefined) return skip(missing);
      await awc('keygen', '--out', prepared.at('vendor.key'));
      const certified = await prepared.awc('certify', 'target.yaml', '--key', 'vendor.key', '--out', 'certificate');
      expect(certified.code, certified.out + certified.err).toBe(0);
      const [certificate, key] = [prepared.at('certificate'), prepared.at('vendor.key.pub')];
      const { code, out, err } = await awc('verify', certificate, '--key', key);
      expect(code, out + err).toBe(0);
    },
  );
});
