import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { thinTargets } from './thin-targets.ts';
import { runTrial } from './trial.ts';

type Thin = keyof typeof thinTargets;

const known = new Map<Thin, Promise<readonly string[]>>();

/** The ids of the checks that are blocked on the reference, where the target file declares so little. */
function blockedWith(thin: Thin): Promise<readonly string[]> {
  const blocked = known.get(thin) ?? findBlocked(thin);
  known.set(thin, blocked);
  return blocked;
}

async function findBlocked(thin: Thin): Promise<readonly string[]> {
  const trial = { seed: 1, faults: [], choices: {} };
  const findings = await runTrial(trial, { part: thinTargets[thin] });
  expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
  return findings.map(({ check }) => check);
}

async function passedWith(thin: Thin, about: RegExp): Promise<readonly string[]> {
  const blocked = new Set(await blockedWith(thin));
  return suites.map(({ id }) => id).filter((id) => about.test(id) && !blocked.has(id));
}

const withNothing = [
  'models.unknown-organization',
  'paging.cursor-null/at-last',
  'paging.envelope',
  'paging.envelope/at-last',
  'paging.meta-types',
  'paging.meta-types/at-last',
];
const withOne = [
  'models.filter/escaped',
  'models.filter/in-sequence',
  'models.unknown-data-source',
  'paging.any-id-is-cursor/in-sequence',
  'paging.cursor-null',
  'paging.has-more/at-a-limit',
  'paging.limit-refused',
  'paging.limit/at-last',
  'paging.reading-is-no-update',
  'paging.same-records/later',
  'paging.unknown-cursor',
];
const withTwo = [
  'models.filter-partition',
  ...['pause', 'clock', 'failover', 'restart'].flatMap((kind) => [
    `models.filter/${kind}`,
    `paging.any-id-is-cursor/${kind}`,
  ]),
  'paging.any-id-is-cursor/later',
  'paging.any-id-is-cursor/at-last',
  'paging.cursor-is-last-id',
  'paging.cursor-is-last-id/at-last',
  'paging.has-more',
  'paging.limit-minimum',
  'paging.newest-first',
  'paging.same-records',
];
const withFifty = [
  'models.filter',
  'models.filter/at-last',
  'paging.any-id-is-cursor',
  'paging.cursor-is-last-id/filtered',
  'paging.cursor-null/filtered',
  'paging.default-limit/at-last',
  'paging.has-more/filtered',
  'paging.limit',
  'paging.limit/filtered',
  'paging.newest-first/filtered',
  'paging.walk',
  'paging.walk/filtered',
  'paging.walk/side-by-side',
];

test.each([
  ['an empty organization', withNothing],
  ['one model and one data source', [...withNothing, ...withOne]],
  ['two of each', [...withNothing, ...withOne, ...withTwo]],
  ['fifty models', [...withNothing, ...withOne, ...withTwo, ...withFifty]],
] as const)('%s shows of paging and filters what it can, and no more', async (thin, shown) => {
  const passed = await passedWith(thin, /^(paging|models\.filter|models\.unknown)/);
  const lists = passed.map((id) => id.replace(/\/list(Models|DataSources)/, ''));
  expect(new Set(lists)).toEqual(new Set(shown));
});

test.each([
  ['nothing but keys', /^(?!auth\.|robustness\.|errors\.)|^auth\.before-lookup/],
  ['one key', /^access\.(?!granted|foreign|attach-needs-owner)|^idempotency\.other-caller/],
  ['no chats', /^(messages?|wait|conflict|idempotency)\./],
  ['no data sources to delete', /^delete\./],
  ['no organizations to attach', /^attach\./],
] as const)('with %s nothing about them passes', async (thin, about) => {
  expect(await passedWith(thin, about)).toEqual([]);
});

const deletedTogether = [
  'delete.gone-or-marked/at-once',
  'delete.others-untouched/at-once',
  'delete.record/at-once',
  'delete.twice-no-5xx/at-once',
  'delete.gone-or-marked/in-sequence',
  'delete.others-untouched/in-sequence',
];
const lookedAtAtLast = [
  'auth.no-effect/deleteDataSource/at-last',
  'access.denied-no-effect/deleteDataSource/at-last',
  'access.denied/deleteDataSource/at-last',
];
const inTwoChats = [
  'messages.accepted-is-generating/after-wait',
  'messages.chat-is-the-path/at-last',
  'messages.parent-in-chat/two-chats',
  'wait.ends/side-by-side',
  'idempotency.other-chat',
  'conflict.other-chat',
  'conflict.other-chat/at-once',
];

test.each([
  ['one chat', inTwoChats],
  [
    'one data source to delete',
    [
      ...lookedAtAtLast,
      'delete.cursor-reaches-the-rest',
      ...deletedTogether,
      'delete.unknown/inexact',
      'rate.no-effect/deleteDataSource',
    ],
  ],
  [
    'two data sources to delete',
    [...lookedAtAtLast.slice(1), 'paging.has-more/listDataSources/at-last', ...deletedTogether],
  ],
  [
    'one organization to attach',
    [
      'access.denied-no-effect/attachOrganization/at-last',
      'attach.success/at-once',
      'attach.twice/at-once',
      'attach.count/at-once',
      'attach.refused-no-effect/limited',
    ],
  ],
] as const)('with %s is blocked what takes more', async (thin, blocked) => {
  expect(await blockedWith(thin)).toEqual(blocked);
});

test.each([
  ['fifty models', '401-cached-by-url', 'access.granted/listModels', {}],
  // A quota that each run meets.
  ['no quota to use up', 'limited-for-good', 'rate.honest/listModels/met', { 'rate-quota': '100-in-5s' }],
] as const)('with %s %s is seen all the same, by %s', async (thin, fault, seenBy, choices) => {
  const findings = await runTrial({ seed: 1, faults: [fault], choices }, { part: thinTargets[thin] });
  expect(findings.filter(({ kind }) => kind === 'failed').map(({ check }) => check)).toContain(seenBy);
});

test.each([
  ['one chat', /^$/],
  ['one data source to delete', /deleteDataSource$/],
  ['two data sources to delete', /^$/],
  ['one organization to attach', /^$/],
  ['no chats', /sendMessage$/],
  ['no data sources to delete', /deleteDataSource$/],
  ['no organizations to attach', /attach/],
] as const)('with %s no blocked check leaves a requirement open that another shows, but for %s', async (thin, but) => {
  const blocked = new Set(await blockedWith(thin));
  const shown = new Set(suites.filter(({ id }) => !blocked.has(id)).map(({ requirement }) => requirement));
  const open = suites.filter(({ id, extended, requirement }) => blocked.has(id) && !extended && shown.has(requirement));
  expect(open.map(({ id }) => id).filter((id) => !but.test(id))).toEqual([]);
});
