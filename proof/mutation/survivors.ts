import type { Mutant } from './instrument.ts';

/** A mutant that no test can or should find, by what stands in the source, so that the line may move. `reason` says why. */
type Survivor = Pick<Mutant, 'file' | 'source' | 'original' | 'replacement'> & { readonly reason: string };

const survivors: readonly Survivor[] = [
  {
    file: 'core/network/answer-memory.ts',
    source: 'if (bytes > headroom) sweep();',
    original: 'sweep();',
    replacement: ';',
    reason: 'It frees memory sooner. What counts is swept anyway before an answer is refused for it.',
  },
  {
    file: 'core/network/http2-exchanges.ts',
    source: 'if (response === undefined) session.close();',
    original: 'session.close();',
    replacement: ';',
    reason: 'It closes a connection that is not used again; close() closes it at the end.',
  },
  {
    file: 'core/redaction/matcher.ts',
    source: 'while (end + glance <= text.length && known[glanceAt(text, end)] === 0) end += shortest - glance + 1;',
    original: 'end + glance',
    replacement: 'end - glance',
    reason: 'Characters beyond the end of the text are no part of a needle, and the line after this one sees the end.',
  },
  {
    file: 'core/redaction/redact.ts',
    source: 'const hasShort = forms.some(({ least }) => least < leastPart);',
    original: 'least < leastPart',
    replacement: 'true',
    reason: 'Nothing is found in shorter encodings: to decode them only takes longer.',
  },
  {
    file: 'engine/api.ts',
    source: 'if (dropped !== undefined) this.#keptBytes -= bodyBytes(dropped);',
    original: 'dropped !== undefined',
    replacement: 'true',
    reason: 'Only for the types: the list is not empty.',
  },
  {
    file: 'engine/session/chat-pool.ts',
    source: "if (chat === undefined) throw new Error('a lease of nothing');",
    original: 'chat === undefined',
    replacement: 'false',
    reason: 'Only for the types: a lease has a chat.',
  },
  {
    file: 'engine/session/patience.ts',
    source: 'return isFarFrom ? Math.ceil((full + outlasted) / 2) : full;',
    original: 'full + outlasted',
    replacement: 'full - outlasted',
    reason: 'Any time between both finds the next wait, more or less quickly.',
  },
  {
    file: 'engine/session/used-up.ts',
    source: "const organizationId = typeof request.body === 'string' ? attachedIn(request.body) : undefined;",
    original: "typeof request.body === 'string'",
    replacement: 'true',
    reason: 'Only for the types: an attachment has a body.',
  },
  {
    file: 'promises/lists.ts',
    source:
      "const asked = askedOf(answer.exchange)?.query.has('limit') === true ? `with limit=${size}` : 'without limit';",
    original: "askedOf(answer.exchange)?.query.has('limit') === true",
    replacement: "askedOf(answer.exchange)?.query.has('limit') !== true",
    reason: 'The text of a verdict.',
  },
  {
    file: 'stage/rate-limit/quiet-wait.ts',
    source: 'waitedWithoutResult(api.session, rateLimitEnd);',
    original: 'waitedWithoutResult(api.session, rateLimitEnd);',
    replacement: ';',
    reason: 'Later waits are shorter: it only saves time.',
  },
  {
    file: 'suites/access/access-messages.ts',
    source: 'const answers: Answer[] = [];',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Evidence that no program can hold by its types.',
  },
  {
    file: 'suites/conflict/ended-early.ts',
    source: 'if (other?.status === 409 && next !== undefined && isSuccess(next)) return true;',
    original: 'other?.status',
    replacement: 'other.status',
    reason: 'Only for the types: there is at least one answer.',
  },
  {
    file: 'suites/deletion/delete.ts',
    source: 'const evidence = modelsSeen === undefined ? [deleted] : [deleted, modelsSeen];',
    original: '[deleted, modelsSeen]',
    replacement: '[]',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'suites/idempotency/held-twice.ts',
    source:
      'const wait = Math.max(longestWait(api.session), Math.min(30, Math.ceil((2 * pace.responseMs) / 1000) + 3));',
    original: '(2 * pace.responseMs) / 1000',
    replacement: '2 * pace.responseMs * 1000',
    reason: 'A longer wait than necessary, up to the same bound of 30 s.',
  },
  {
    file: 'suites/lists/list-agreement.ts',
    source: 'return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);',
    original: 'other[index]?.id',
    replacement: 'other[index].id',
    reason: 'Only for the types: both have the same length.',
  },
  {
    file: 'suites/lists/same-records.ts',
    source: 'for (const field of isUnchanged ? stored[list] : []) {',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'No record has a field of that name.',
  },
  {
    file: 'suites/models/model-lists.ts',
    source: '...pages.slice(-4),',
    original: '-4',
    replacement: '+4',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'suites/own-checks.ts',
    source: 'if (names.length > maxFiles) throw new OwnChecksError(`${folder} holds more than ${maxFiles} files.`);',
    original: 'names.length > maxFiles',
    replacement: 'names.length >= maxFiles',
    reason: 'A bound against mistakes: one file more or less does not matter.',
  },
  {
    file: 'suites/plan.ts',
    source: "return new Promise((resolve) => over.addEventListener('abort', () => resolve(reason), { once: true }));",
    original: 'true',
    replacement: 'false',
    reason: 'A signal aborts once.',
  },
  {
    file: 'suites/run/define-tests.ts',
    source: "throw new CheckFailed([`expected ${expected}`, `got      ${actual}`, curl].filter(Boolean).join('\\n'));",
    original: '[`expected ${expected}`, `got ${actual}`, curl].filter(Boolean)',
    replacement: '[`expected ${expected}`, `got ${actual}`, curl]',
    reason: 'The text of a verdict: an empty line where there is no curl line.',
  },
  {
    file: 'suites/errors/errors.ts',
    source: "throw new Violation('each name once in an object', `${shown(name, 100)} twice`, [answer.exchange]);",
    original: '[answer.exchange]',
    replacement: '[]',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'suites/access/access-foreign.ts',
    source: 'if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);',
    original: 'counts.get(id) ?? 0',
    replacement: 'counts.get(id) && 0',
    reason: 'Which data source is asked about: each of them has a model.',
  },
  {
    file: 'suites/rate-limit/limited.ts',
    source: 'const preferred = await unlessBlocked(() => givenIdleChat(api, ({ admin }) => admin === attacher));',
    original: '({ admin }) => admin === attacher',
    replacement: '() => undefined',
    reason: 'A preferred chat saves requests. Any other one shows the same.',
  },
  {
    file: 'suites/rate-limit/limited.ts',
    source: 'const preferred = await unlessBlocked(() => givenIdleChat(api, ({ admin }) => admin === attacher));',
    original: 'admin === attacher',
    replacement: 'true',
    reason: 'A preferred chat saves requests. Any other one shows the same.',
  },
  {
    file: 'suites/durability/outage.ts',
    source: "const organization = principal.adminOf[0] ?? target.organizations[0]?.id ?? 'awc';",
    original: 'principal.adminOf[0] ?? target.organizations[0]?.id',
    replacement: 'principal.adminOf[0] && target.organizations[0]?.id',
    reason: 'Any answer shows that the deployment is up, and 401 that it refuses the key.',
  },
  {
    file: 'promises/errors.ts',
    source:
      "return keptIf(name === undefined, 'each name once in an object', () => `${shown(name ?? '', 100)} twice`);",
    original: "() => `${shown(name ?? '', 100)} twice`",
    replacement: '() => undefined',
    reason: 'The text of a verdict.',
  },
  {
    file: 'suites/deletion/must-be-deleted.ts',
    source: 'const pages = walks.flatMap((walk) => (walk?.pages ?? []).slice(0, 4).map(({ answer }) => answer));',
    original: '(walk?.pages ?? []).slice(0, 4)',
    replacement: 'walk?.pages ?? []',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'engine/session/patience.ts',
    source: 'const isFarFrom = isHeldInFull(session) && full > closeEnough * outlasted + 1;',
    original: 'full > closeEnough * outlasted + 1',
    replacement: 'full <= closeEnough * outlasted + 1',
    reason: 'Any time between both finds the next wait, more or less quickly.',
  },
  {
    file: 'core/json.ts',
    source: 'for (let place = 0; place < text.length; place += 1) {',
    original: 'place < text.length',
    replacement: 'place <= text.length',
    reason: 'There is no character behind the end.',
  },
  {
    file: 'suites/lists/paging-after-deletion.ts',
    source: 'const pages = walks.flatMap((walk) => walk.pages.slice(-2)).map(({ answer }) => answer);',
    original: '-2',
    replacement: '+2',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'suites/billing/attach.ts',
    source: "must(countAfter === before, expected, `${countAfter ?? 'none'}`, ...together);",
    original: "countAfter ?? 'none'",
    replacement: "countAfter && 'none'",
    reason: 'The text of a verdict.',
  },
  {
    file: 'suites/conflict/ended-early.ts',
    source: 'const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;',
    original: 'ms / 1000',
    replacement: 'ms * 1000',
    reason: 'The text of a verdict.',
  },
  {
    file: 'suites/conflict/no-trace.ts',
    source: 'const holds = usual === undefined || parentIn(next, sent) === usual;',
    original: 'usual === undefined',
    replacement: 'false',
    reason:
      'Without a usual parent, the next message has none either. If it has one, the second attempt knows it as the usual one.',
  },
  {
    file: 'suites/conflict/stuck-chat.ts',
    source: 'const evidence = [...(answer === undefined ? [] : [answer]), refused, again];',
    original: '[answer]',
    replacement: '[]',
    reason: 'Which answers are shown as evidence.',
  },
  {
    file: 'suites/rate-limit/limited.ts',
    source: "if (limit === undefined) throw new Error('the rate limit was not recorded');",
    original: "throw new Error('the rate limit was not recorded');",
    replacement: ';',
    reason: 'Only for the types: it was recorded by then.',
  },
  {
    file: 'suites/rate-limit/limited.ts',
    source: 'const writes: Settled<Answer | undefined>[] = [];',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A value that no program can hold by its types.',
  },
  {
    file: 'suites/lists/filtered-paging.ts',
    source: 'return models[0]?.id !== list.walk.items[0]?.id;',
    original: 'models[0]?.id',
    replacement: 'models[0].id',
    reason: 'Only for the types: there are at least three models.',
  },
  {
    file: 'suites/lists/same-records.ts',
    source: "const cursor = fixture.walk.items[0]?.id ?? '';",
    original: 'fixture.walk.items[0]?.id',
    replacement: 'fixture.walk.items[0].id',
    reason: 'Only for the types: the list has two records.',
  },
  {
    file: 'suites/messages/must-hold.ts',
    source: 'return answer.status === 202 || answer.elapsedMs >= toleranceMs;',
    original: 'answer.status === 202',
    replacement: 'false',
    reason: 'Where it says no, another message decides.',
  },
  {
    file: 'suites/access/access-attachment.ts',
    source: 'const counts = answers.flatMap((answer) => countIn(answer) ?? []);',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A value that no program can hold by its types.',
  },
];

const reasons = new Map(survivors.map((survivor) => [nameOf(survivor), survivor.reason]));

/** Why the survival of a mutant is right; undefined if it is not known to be. */
export function reasonOf(mutant: Mutant): string | undefined {
  return reasons.get(nameOf(mutant));
}

/** Entries that name no mutant of the code any more. */
export function outdated(mutants: readonly Mutant[]): readonly Survivor[] {
  const names = new Set(mutants.map(nameOf));
  return survivors.filter((one) => !names.has(nameOf(one)));
}

function nameOf({ file, source, original, replacement }: Omit<Survivor, 'reason'>): string {
  return JSON.stringify([file, source, original, replacement]);
}
