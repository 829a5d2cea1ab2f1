import type { RequirementId } from '../../spec/catalogue.ts';
import { prompts } from '../prompts.ts';
import type { Blockable, Choice, Variation } from '../variation.ts';

/** The assistant takes `slowMs` for the slow prompt, and `quickMs` for every other text. */
function pace(quickMs: number, slowMs: number): Variation {
  return { alter: () => ({ assistantMs: (text) => (text === prompts.slow ? slowMs : quickMs) }) };
}

const neverGenerating = 'The assistant answers at once, so no response is ever generating.';
const neverCertain = 'The time that the assistant takes does not depend on the prompt.';
const takesLong = 'The assistant takes longer than a run waits.';
const windowIsLonger = 'The window of a rate limit may outlast every response.';
const hardlyLonger = 'An answer takes longer than the time by which the response outlasts the shortest wait.';
const alwaysQuick = 'The slow prompt is answered as quickly as any other.';

export function reasons(reason: string, ...ids: readonly Blockable[]): Readonly<Partial<Record<Blockable, string>>> {
  return Object.fromEntries(ids.map((id) => [id, reason]));
}

const needsSlowness: readonly Blockable[] = [
  'messages.accepted-is-generating',
  'messages.immediate',
  'wait.holds',
  'wait.ends',
  'wait.finishes',
  'idempotency.while-generating',
  'idempotency.no-duplicate',
  'idempotency.opaque/uuid',
  'conflict.refused',
  'conflict.body',
  'conflict.race',
  'conflict.no-trace',
  'conflict.other-chat',
  'conflict.ends',
  'durability.chats',
];

/** What needs a response that outlasts the shortest wait. */
const needsSecond: readonly RequirementId[] = [
  'wait.ends',
  'idempotency.while-generating',
  'conflict.refused',
  'conflict.ends',
];

export const assistantChoice: Choice = {
  axis: 'assistant',
  section: '4.2',
  sentence: 'How long the assistant takes.',
  default: 'quick-and-slow',
  values: {
    'quick-and-slow': {},
    'at-once': pace(0, 0),
    'slow-is-quick': pace(150, 150),
    'slow-is-half-a-second': pace(5, 500),
    seconds: pace(2500, 12_000),
    minutes: pace(41_300, 97_700),
    'always-300-ms': pace(300, 300),
    'always-1-s': pace(1000, 1000),
    'always-1200-ms': pace(1200, 1200),
    'always-2-s': pace(2000, 2000),
    'always-6-s': pace(6000, 6000),
    'always-40-s': pace(40_000, 40_000),
    moody: {
      // Any request may be answered quickly.
      alter: () => ({ assistantMs: (_text, { turn }) => (Math.imul(turn, 0x9e3779b1) < 0 ? 200 : 5000) }),
    },
  },
  blocks: {
    'at-once': reasons(
      neverGenerating,
      ...needsSlowness,
      'auth.no-effect',
      'access.denied-no-effect',
      'message.refused-no-trace',
      'rate.no-effect',
    ),
    seconds: reasons(takesLong, 'conflict.no-trace', 'conflict.refused/to-the-end'),
    minutes: reasons(
      takesLong,
      'conflict.ends',
      'conflict.no-trace',
      'conflict.refused/to-the-end',
      'message.refused-no-trace',
      'auth.no-effect',
    ),
    moody: reasons(neverCertain, ...needsSlowness, 'rate.no-effect'),
    'always-300-ms': reasons(alwaysQuick, ...needsSlowness, 'rate.no-effect'),
    'always-1-s': reasons(alwaysQuick, ...needsSecond, 'messages.accepted-is-generating/after-wait', 'rate.no-effect'),
    'always-1200-ms': {
      ...reasons(windowIsLonger, 'rate.no-effect'),
      ...reasons(hardlyLonger, 'conflict.refused/after-wait', 'messages.accepted-is-generating/after-wait'),
    },
    'always-2-s': reasons(windowIsLonger, 'rate.no-effect'),
    'slow-is-half-a-second': reasons(alwaysQuick, ...needsSlowness, 'rate.no-effect'),
    'slow-is-quick': reasons(
      alwaysQuick,
      ...needsSlowness,
      'auth.no-effect',
      'message.refused-no-trace',
      'rate.no-effect',
    ),
  },
};
