import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import type { Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { chatsOf } from '../../engine/session/seen-messages.ts';
import { stringAt } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { tooFast } from '../../stage/chats/conversation.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { mustHaveHelped } from '../rate-limit/checks.ts';
import { mustBeSame } from '../messages/same-messages.ts';
import { namesParents } from './conversation.ts';
import { afterOutage, mustBecomeFree, mustFollow, mustKnowKeys, mustStayDeleted } from './durability.ts';
import type { Outage } from './outage.ts';

const afterPause = { variant: 'pause', extended: true } as const;
const afterClock = { variant: 'clock', extended: true } as const;
const afterFailover = { variant: 'failover', extended: true } as const;
const afterRestart = { variant: 'restart', extended: true } as const;

/** What the specification promises without an exception for outages. A pause or another time loses nothing. */
export const throughOutages: readonly Check[] = [
  afterOutage('idempotency.after', 'pause', { ...afterPause, uses: ['messages'] }, mustKnowKeys),
  afterOutage('idempotency.no-duplicate', 'pause', { ...afterPause, uses: ['messages'] }, mustMakeOne),
  afterOutage('conflict.refused', 'pause', { ...afterPause, uses: ['messages'] }, mustTakeTurns),
  afterOutage('durability.messages', 'pause', { ...afterPause, uses: ['messages'] }, mustFollow),
  afterOutage('durability.chats', 'pause', { ...afterPause, uses: ['messages'] }, mustBecomeFree),
  afterOutage('delete.gone-or-marked', 'pause', { ...afterPause, uses: ['deletions'] }, mustStayDeleted),
  afterOutage('attach.twice', 'pause', { ...afterPause, uses: ['attachments'] }, mustCountOnce),

  afterOutage('idempotency.after', 'clock', { ...afterClock, uses: ['messages'] }, mustKnowKeys),
  afterOutage('conflict.refused', 'clock', { ...afterClock, uses: ['messages'] }, mustTakeTurns),
  afterOutage('durability.chats', 'clock', { ...afterClock, uses: ['messages'] }, mustBecomeFree),
  afterOutage('delete.gone-or-marked', 'clock', { ...afterClock, uses: ['deletions'] }, mustStayDeleted),
  afterOutage('attach.twice', 'clock', { ...afterClock, uses: ['attachments'] }, mustCountOnce),
  afterOutage('rate.honest', 'clock', { ...afterClock, on: 'listModels', uses: ['rateLimit'] }, mustLetPass),

  afterOutage('idempotency.no-duplicate', 'failover', { ...afterFailover, uses: ['messages'] }, mustHideNone),
  afterOutage('conflict.refused', 'failover', { ...afterFailover, uses: ['messages'] }, mustTakeTurns),
  afterOutage('attach.twice', 'failover', { ...afterFailover, uses: ['attachments'] }, mustCountOnce),

  afterOutage('conflict.refused', 'restart', { ...afterRestart, uses: ['messages'] }, mustTakeTurns),
];

/** A message that was sent again, because nothing answered, is one message. */
function mustMakeOne(api: Api, outage: Outage): void {
  for (const { sent, accepted } of outage.conversation().meanwhile) {
    if (sent === undefined) continue;
    for (const answer of accepted) mustBeSame(sent, answer, `after ${outage.name}`);
  }
  mustHideNone(api, outage);
}

/** Every message names the one before it, so a message that no answer showed is seen by the one after it. */
function mustHideNone(api: Api, { name, conversation }: Outage): void {
  const seen = conversation();
  const { last, meanwhile, next } = seen;
  if (!namesParents(seen))
    throw new Blocked(
      'messages do not name the one before them as their parent, so one that no answer shows is not seen',
    );
  if (meanwhile.some(({ isUnknown }) => isUnknown))
    throw new Blocked('a message that got no answer was refused afterwards, so it may or may not be in the chat');
  const shown = [...meanwhile.flatMap(({ accepted }) => accepted), next];
  for (const answer of shown) {
    const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId') ?? '';
    const isHidden = parent !== '' && !chatsOf(api.session, parent).has(last.chat.chatId);
    const actual = `another one, ${describe(parent)}, which no answer showed`;
    must(!isHidden, `one message for each key after ${name}`, actual, last.answer, ...shown);
  }
}

function mustTakeTurns(_api: Api, { conversation }: Outage): void {
  const { inTurn, meanwhile, isRefusedAfter } = conversation();
  if (!inTurn.ok) throw inTurn.error;
  if (!(isRefusedAfter ?? meanwhile.some(({ isRefused }) => isRefused)))
    throw new Blocked(`no message arrived while a response was generating: ${tooFast}`);
}

async function mustCountOnce(api: Api, { name, attached }: Outage): Promise<void> {
  const { attachable, count, repeated } = attached();
  if (repeated?.count === undefined) throw new Blocked(`organizationCount changed or is not shown after ${name}`);
  const isTwice = repeated.count > count;
  if (isTwice) await givenStillCount(api, attachable.billingAccountId);
  const expected = `organizationCount at most ${count} after ${name} and the same attachment`;
  must(!isTwice, expected, `${repeated.count}`, repeated.answer);
}

function mustLetPass(_api: Api, { waits }: Outage): void {
  const waited = waits();
  if (waited !== undefined) mustHaveHelped(waited);
}
