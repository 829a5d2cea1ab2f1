import { expect, test } from 'vitest';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { formats } from './formats.ts';
import { renderTerminal } from './terminal.ts';

test.each(
  Object.entries({
    ...formats,
    terminal: (record: Parameters<typeof formats.html>[0]) => renderTerminal(record, { color: false }),
  }),
)('%s shows that certificates were not verified', (_format, render) => {
  const { target, ...rest } = sampleRecord();
  expect(render({ ...rest, target })).not.toMatch(/TLS not verified|tls\.insecure/);
  const insecure = { ...target, name: `${target.name} (TLS not verified)`, insecure: true } as const;
  expect(render({ ...rest, target: insecure })).toMatch(/TLS not verified|tls\.insecure/);
});
