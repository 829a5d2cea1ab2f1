import { expect, test } from 'vitest';
import { checks, sampleRecord } from '../../testing/samples/run-records.ts';
import { formats } from './formats.ts';

const failed = checks.filter(({ verdict }) => verdict === 'failed');
const withCurl = (curl: string) => sampleRecord({ checks: failed.map((check) => ({ ...check, curl })) });

test.each(['html', 'markdown', 'junit', 'ctrf'] as const)(
  '%s says how to set the variables of curl lines',
  (format) => {
    const text = formats[format](withCurl('curl -H "a: $AWC_KEY_BOB"'));
    const plain = text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(plain).toContain("set its variable first: export AWC_KEY_BOB='the key'");
    expect(formats[format](withCurl('curl https://example.test/'))).not.toContain('The curl line');
  },
);
