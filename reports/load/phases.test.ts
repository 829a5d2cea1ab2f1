import { expect, test } from 'vitest';
import { sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { renderLoadMarkdown } from './load-markdown.ts';
import { renderLoadTerminal } from './load-terminal.ts';
import { renderLoadHtml } from './page/html.ts';

const why = 'A closed load measures only throughput, so it does not divide the time of a request into phases.';
const closed = { ...sampleLoadRecord().profile, kind: 'closed' };

test.each([
  ['the terminal', (record: Parameters<typeof renderLoadMarkdown>[0]) => renderLoadTerminal(record, { color: false })],
  ['Markdown', renderLoadMarkdown],
  ['the page', renderLoadHtml],
])('%s shows phases, or why a closed load has none', (_name, render) => {
  expect(render(sampleLoadRecord())).toContain('TLS handshake');
  expect(render(sampleLoadRecord())).not.toContain(why);
  const shown = render(sampleLoadRecord({ profile: closed, phases: {} }));
  expect(shown).not.toContain('TLS handshake');
  expect(shown.split(why)).toHaveLength(2);
});
