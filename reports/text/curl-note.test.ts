import { expect, test } from 'vitest';
import { checks, sampleRecord } from '../../testing/samples/run-records.ts';
import type { RunRecord } from '../record/record.ts';
import { curlNote } from './curl-note.ts';

const [check] = checks;
if (check === undefined) throw new Error('there is no sample');
const withCurl = (...lines: readonly string[]) => sampleRecord({ checks: lines.map((curl) => ({ ...check, curl })) });
const noteOf = (record: RunRecord) => curlNote(record, record.checks);

test('the note names the variables that the curl lines use, and says how to set one', () => {
  const record = withCurl('curl -H "a: $AWC_KEY_BOB"', 'curl -H "a: ${AWC_KEY_ALICE:0:8}x"', 'curl -d "\\$escaped"');
  expect(noteOf(record)).toMatch(/need \$AWC_KEY_ALICE, \$AWC_KEY_BOB\. .*: export AWC_KEY_ALICE='the key'$/);
});

test.each([
  [[], {}, 'awc serve'],
  [['a', 'b\u001b'], { c: 'd' }, String.raw`awc serve --fault a --fault 'b\u001b' --choice c=d`],
  [['a; b'], {}, "awc serve --fault 'a; b'"],
])(
  'the note says how to start a server that answers as the reference did, with faults %j',
  (faults, choices, command) => {
    const target = { name: 'R', baseUrl: 'http://reference.invalid', embedded: { faults, choices } };
    const note = noteOf({ ...withCurl('curl -H "a: $AWC_KEY_BOB"'), target });
    expect(note).toBe(
      `The curl line needs a server: start ${command}, and take the address and $AWC_KEY_BOB from the target file that it writes.`,
    );
  },
);

test('the note says where the files of TLS are', () => {
  const needs = noteOf(withCurl('curl --cacert ca.pem --pass "$AWC_TLS_PASSPHRASE" https://t.test/'));
  expect(needs).toMatch(/needs \$AWC_TLS_PASSPHRASE and the folder of the target file\. /);
  expect(noteOf(withCurl('curl --cacert ca.pem https://t.test/'))).toMatch(/needs the folder of the target file\.$/);
});

test('a dollar sign in data is no variable', () => {
  const note = noteOf(withCurl(String.raw`curl -H "a: $AWC_KEY_BOB" --data-raw '{"message":"$ABC it'\''s $DEF"}'`));
  expect(note).toMatch(/needs \$AWC_KEY_BOB\. /);
});

test('a line without a key needs the address of a server all the same', () => {
  const target = { name: 'R', baseUrl: 'http://reference.invalid', embedded: { faults: [], choices: {} } };
  const record = { ...withCurl("curl 'http://reference.invalid/'"), target };
  expect(noteOf(record)).toMatch(/a server: start awc serve, and take the address from the target file/);
  expect(curlNote(record, [])).toBeUndefined();
});

test('there is no note where no curl line needs a key', () => {
  expect(noteOf(withCurl("curl 'https://example.test/'"))).toBeUndefined();
  expect(noteOf(sampleRecord({ checks: [] }))).toBeUndefined();
});
