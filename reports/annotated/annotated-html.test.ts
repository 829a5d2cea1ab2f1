import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { axeFindings, inChromium, openPage, outline } from '../../testing/try-browser.ts';
import { attacks, everywhere } from '../../testing/try-hostile.ts';
import { recordSchema } from '../record/record.ts';
import { renderAnnotated } from './annotated-page.ts';
import { blocksOf } from './split.ts';

const wide = '| a column | another | a third one | a fourth one |';

/** The page of a text and a record with this in every place that can hold any. */
function filledWith(text: string): string {
  return renderAnnotated({
    blocks: blocksOf(`# ${text}\n\n### ${text}\n\n${text}\n\n${wide}\n|---|---|---|---|\n| ${text} | b | c | d |\n`),
    guardsOf: () => ({ checks: [text], faults: [text] }),
    record: recordSchema.parse(everywhere(sampleRecord(), text)),
  });
}

inChromium((browser) => {
  const open = (html: string, options?: BrowserContextOptions) => openPage(browser(), html, options);

  test('nothing of the text and of the report is markup: the same elements, no script, no request', async () => {
    const evil = await open(filledWith(attacks));
    const plain = await open(filledWith('x'));
    expect(await outline(evil.page)).toBe(await outline(plain.page));
    expect(await evil.page.evaluate('window.pwned')).toBeUndefined();
    expect(await evil.page.locator('header .target').textContent()).toContain('\\u202eEVIL');
    expect([...evil.noise(), ...plain.noise()]).toEqual([]);
  });

  test.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)('axe finds nothing, and nothing lies beside the page: %s, %i pixels', async (colorScheme, width) => {
    for (const text of [attacks, 'a plain text']) {
      const { page } = await open(filledWith(text), { colorScheme, viewport: { width, height: 800 } });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  test('words of a table stay whole on a phone', async () => {
    const { page } = await open(filledWith('uninterruptible'), { viewport: { width: 360, height: 800 } });
    const lines = await page.evaluate(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('tr + tr td'));
      return range.getClientRects().length;
    })()`);
    expect(lines).toBe(1);
  });
});
