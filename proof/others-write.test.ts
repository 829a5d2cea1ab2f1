import { expect, test } from 'vitest';
import { Api, as } from '../engine/api.ts';
import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpResponse } from '../core/http.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession, type Session } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

/** The findings of a run while `company` works beside it. `company` learns when the run is over. */
async function runWith(
  company: (session: Session, isOver: () => boolean) => Promise<void>,
  through = (deployment: Deployment, _session: () => Session): Deployment => deployment,
) {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1 });
  const begin = (to: Deployment): Session =>
    createSession({ deployment: to, target, clock, seed: 1, invariants, outages });
  const session: Session = begin(through(deployment, () => session));
  let isOver = false;
  const busy = company(begin(deployment), () => isOver);
  // Whose quota others use up as well is no matter of this.
  const judged = await runChecks(
    suites.filter(({ phase }) => phase !== 'rateLimit'),
    session,
  );
  isOver = true;
  await busy;
  const accused = judged.filter(({ verdict }) => verdict.kind === 'violated' || verdict.kind === 'errored');
  const reasons = judged.map(({ verdict }) => (verdict.kind === 'blocked' ? verdict.reason : ''));
  return { accused: accused.map(({ check }) => check.id), reasons: reasons.join('\n') };
}

/** Another client writes to each of the chats in turn. */
async function writeEvery(everyMs: number, session: Session, isOver: () => boolean): Promise<void> {
  const { chats, clock, target } = session;
  const message = target.assistant.slowPrompt;
  const other = new Api(session, 'others');
  for (let turn = 0; !isOver(); turn += 1) {
    await clock.sleep(everyMs);
    const chat = chats.all[turn % chats.all.length];
    if (chat !== undefined) await other.sendMessage(as(chat.admin), chat, { message, key: other.freshKey() });
  }
}

test('messages by other clients cause no failed check', async () => {
  const runs = await Promise.all(
    [600, 700, 900].map((everyMs) => runWith((session, isOver) => writeEvery(everyMs, session, isOver))),
  );
  expect(runs.flatMap(({ accused }) => accused)).toEqual([]);
  expect(runs.map(({ reasons }) => reasons).join('\n')).toMatch('other traffic writes to the chat');
});

/** The key of one admin expires after so many requests of the run: then the admin still needs it. */
test.each([
  ['alice', 300],
  ['erin', 500],
])('a key of %s that expires in the middle of a run causes no failed check', async (name, requests) => {
  const refused: HttpResponse = {
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"error":{"title":"Unauthorized","detail":"The key has expired."}}'),
  };
  const { accused, reasons } = await runWith(
    async () => undefined,
    (deployment, session) => {
      let left = requests;
      return async (request) => {
        left -= 1;
        const key = session().target.principals.find((principal) => principal.name === name)?.key;
        return left < 0 && request.headers['authorization'] === `Bearer ${key}` ? refused : deployment(request);
      };
    },
  );
  expect(accused).toEqual([]);
  expect(reasons).toMatch(`the key of ${name} is not accepted any more`);
});
