import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnChoices } from '../proof/draw-choices.ts';
import type { Phase } from '../engine/check.ts';
import { choices as axes } from '../reference/choices/choices.ts';
import { faults } from '../reference/faults/faults.ts';
import type { Fault } from '../reference/variation.ts';
import { baseUrl, brokenIn, entryAt, harOf, recordedRun } from '../testing/try-traffic.ts';
import { rules } from './rules/rules.ts';

/** Shoulds that a legal deployment with these choices may leave unheeded. */
function unheeded(choices: Readonly<Record<string, string>>): readonly string[] {
  return axes.flatMap(({ axis, warns, default: own }) => warns?.[choices[axis] ?? own] ?? []);
}

const drawn = fc.sample(drawnChoices, { numRuns: 1, seed: 4 });

test.each([{}, ...drawn])('all that the suite asks a legal deployment accuses it of nothing: %j', async (choices) => {
  const { entries, keyHeader } = await recordedRun({ seed: 3, choices });
  const allowed = unheeded(choices);
  expect(brokenIn(harOf(entries), keyHeader).filter((id) => !allowed.includes(id))).toEqual([]);
  // Without the name of the header, and with half of the entries gone, it may say less, and nothing else.
  const half = entries.filter((_entry, index) => index % 2 === 0);
  expect(brokenIn(harOf(half), undefined).filter((id) => !allowed.includes(id))).toEqual([]);
});

test('times of unequal precision do not violate the order', async () => {
  const { entries, keyHeader } = await recordedRun({ choices: { timestamps: 'uneven' } }, (id) =>
    id.startsWith('paging.'),
  );
  expect(brokenIn(harOf(entries), keyHeader)).toEqual([]);
});

test('an operation without a check of its own is judged too: the suite provokes a 429 with one operation', () => {
  const refused = { error: { title: 'RateLimitExceeded', detail: 'Too many requests.' } };
  for (const list of ['models', 'data-sources']) {
    expect(brokenIn(harOf([entryAt(0, 'GET', `org_1/${list}`, refused, { status: 429 })]), undefined)).toEqual([
      'rate.body',
    ]);
  }
});

test('an internal error now and then is no answer to a mistake', async () => {
  const { entries, keyHeader } = await recordedRun({ seed: 65_523, choices: { gateway: 'errors-inside' } });
  expect(entries.some(({ response }) => response.status === 500)).toBe(true);
  expect(brokenIn(harOf(entries), keyHeader)).toEqual([]);
});

test.each([
  'filtered-pages-cut-short',
  'cursor-is-next-item',
  'cursor-inclusive',
  'last-cursor-absent',
  'two-swapped-deep-in',
  'filter-ignored',
  'model-of-neighbour',
  'column-type-sql',
  'password-listed',
  'deletion-shows-neighbour',
  'replay-with-new-ids',
  'key-in-lower-case',
  'key-as-number',
  'conflict-with-retry',
  'errors-flat',
  'retry-on-every-error',
  'retry-in-text',
  'one-id-for-both-messages',
  'invalid-limit-500',
])('a fault shows in recorded traffic: %s', async (name) => {
  const fault = faults.find((candidate) => candidate.name === name);
  if (fault === undefined) throw new Error(`no fault ${name}`);
  expect((await recorded(fault, (id) => id === fault.breaks)).broken).toContain(fault.breaks);
});

test.each(rules.map(({ requirement }) => requirement))(
  'a fault of a rule about several exchanges shows in recorded traffic: %s',
  async (requirement) => {
    const [family = ''] = requirement.split('.');
    const own = faults.filter(({ breaks }) => breaks === requirement);
    const seen: string[] = [];
    // Its own checks cost a tenth of what those of the family do, and mostly send enough.
    for (const start of [requirement, `${family}.`]) {
      for (const fault of own) {
        // Checks that make further deletions and attachments remove what the rules compare.
        const wanted = (id: string, phase: Phase): boolean => id.startsWith(start) && phase !== 'changes';
        const { broken, requests } = await recorded(fault, wanted);
        if (broken.includes(requirement)) return;
        seen.push(`${fault.name}:`, ...requests);
      }
    }
    expect.fail(`the recorded checks of ${family} show no fault of ${requirement}\n${seen.join('\n')}`);
  },
);

/** What the traffic of those checks is accused of, and its requests. */
async function recorded({ name }: Fault, wanted: (requirement: string, phase: Phase) => boolean) {
  const { entries, keyHeader } = await recordedRun({ faults: [name] }, wanted);
  const requests = entries.map(
    ({ startedDateTime, request, response }) =>
      `${startedDateTime} ${request.method} ${request.url.slice(baseUrl.length)} ${response.status}`,
  );
  return { broken: brokenIn(harOf(entries), keyHeader), requests };
}
