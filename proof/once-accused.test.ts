import { expect, test } from 'vitest';
import { accusations } from './accusations.ts';
import { runTrial } from './trial.ts';

/** Legal deployments that a wide sweep found accused, or without a verdict that they deserve. */
const deployments = [
  {
    what: 'a message that an outage interrupts, and that follows the second one after it',
    seed: 12394,
    choices: {
      'created-at': 'all-equal',
      models: '50',
      sources: '1',
      'deleted-sources': 'gone-but-marked-in-answer',
      assistant: 'moody',
      'held-until': 'next-look',
      'wait-out-of-range': 'ignore',
      'replay-form': 'original-without-wait',
      gateway: 'resets',
      workers: '2',
      outage: 'slowly',
      'entry-points': 'three-lagging',
    },
  },
  {
    what: 'a cleanup that deletes models while a cursor is compared',
    seed: 50913,
    choices: {
      sources: '3',
      cleanup: 'minutes',
      assistant: 'always-2-s',
      'odd-characters': 'without-nul',
      'key-required': 'yes',
      'replay-form': 'original',
      'count-copies': 'all-after-ten-seconds',
      'attached-by-others': 'now-and-then',
      'rate-window': 'on-the-clock',
      gateway: 'errors-inside-on-messages',
    },
  },
  {
    what: 'quick and slow responses in an unlucky order',
    seed: 65527,
    choices: {
      models: '51',
      assistant: 'moody',
      'client-gone': 'response-ends',
      'message-characters': 'units',
      'message-fields': 'few',
      'replay-form': 'original',
      'rate-quota': '200-in-30s',
      'rate-window': 'spaced',
      'rate-scope': 'operation',
      'rate-order': 'good-keys-counted',
      gateway: 'errors-inside',
    },
  },
  {
    what: 'a count that follows ten seconds after the last attachment before an outage',
    seed: 55972,
    choices: {
      models: '1',
      sources: '3',
      'json-reading': 'lenient',
      'message-role': 'anybody',
      'count-copies': 'all-after-ten-seconds',
      gateway: 'errors-inside-on-messages',
      pace: 'sluggish',
    },
  },
  {
    what: 'a gateway that answers a deletion of a stranger',
    seed: 50274,
    choices: {
      'client-gone': 'withdrawn',
      'wait-out-of-range': 'read-leniently',
      'odd-characters': 'refused',
      'message-fields': 'few',
      'replay-form': 'original',
      gateway: 'restarts',
      pace: 'sluggish',
    },
  },
  {
    what: 'a rate limit that seemed endless while the clock was back',
    seed: 34905,
    choices: {
      sources: '1',
      'key-after-conflict': 'used-up',
      'rate-quota': '200-in-30s',
      pause: 'gateway',
      clock: 'wall',
      'entry-points': 'two-counting-apart',
    },
  },
  {
    what: 'deleted data sources whose IDs are no cursors',
    seed: 50064,
    choices: { sources: '0', 'cursor-of-deleted': 'unknown', 'deleted-sources': 'gone-after-ten-seconds' },
  },
  {
    what: 'date-times with another offset, where two answers of three happen to have the same',
    seed: 0,
    choices: {
      timestamps: 'another-offset-each-time',
      'rate-window': 'spaced',
      'entry-points': 'two-counting-apart',
    },
  },
  {
    what: 'models of one instant whose order a filter changes',
    seed: 0,
    choices: { 'order-of-ties': 'by-id-falling-under-a-filter', 'created-at': 'all-equal', sources: '1' },
  },
  {
    what: 'the repetition of an unusual key that meets an internal error twice',
    seed: 36577,
    choices: {
      models: '51',
      sources: '50',
      assistant: 'minutes',
      'replay-form': 'original',
      headers: 'many',
      gateway: 'errors-inside-on-messages',
      workers: '2',
    },
  },
  { what: 'responses that end just as their wait does', seed: 27176, choices: { assistant: 'always-6-s' } },
] as const;

test.each(deployments)('$what is no violation and hides none', async ({ seed, choices }) => {
  const findings = await runTrial({ seed, faults: [], choices });
  expect(accusations(findings, choices)).toEqual([]);
});
