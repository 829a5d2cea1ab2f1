import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import type { OutageKind } from '../../core/outages.ts';
import type { Target } from '../../core/target.ts';
import type { TlsFacts } from '../../core/network/tls-facts.ts';
import { createReference } from '../../reference/reference.ts';
import { type Examination, examine } from '../../targets/doctor/examine.ts';
import { rehearse } from '../run/rehearse.ts';
import { blockedLines } from './plan-lines.ts';
import { pulseLines } from './pulse-lines.ts';
import { doctorSections, renderDoctor } from './render-doctor.ts';

type Changed = {
  readonly choices?: Readonly<Record<string, string>>;
  readonly retarget?: (target: Target) => Target;
  readonly wrap?: (reference: Deployment) => Deployment;
  readonly outages?: readonly OutageKind[];
};

/** The doctor's report on an in-process reference. */
async function examined({
  choices = {},
  retarget = (target) => target,
  wrap = (each) => each,
  outages = [],
}: Changed = {}) {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1, choices });
  const target = retarget(reference.target);
  const session = createSession({ deployment: wrap(reference.deployment), target, clock, seed: 1, invariants: [] });
  const examination = await examine(session);
  const rehearsal = await rehearse({ target, examination, seed: 1, outages });
  const sections = doctorSections({ target, notes: [], examination, rehearsal, tls: undefined, nowMs: clock.now() });
  const text = renderDoctor(sections, false);
  return { text, rehearsal, examination, target };
}

test('a thin deployment: the report shows what blocks checks', async () => {
  const { text } = await examined({
    choices: { models: '3', sources: '3' },
    retarget: (target) => ({
      ...target,
      principals: target.principals
        .filter(({ name }) => name === 'alice')
        .map((alice) => ({ ...alice, adminOf: alice.adminOf.slice(0, 1) })),
      allow: new Set(['messages']),
    }),
  });
  expect(text).toContain(
    '  ! paging of models: the longest list has 3, so checks use small limits; it cannot exercise the default limit of 50 (51)',
  );
  expect(text).toMatch(
    /Blocked checks, by reason\n {4}not allowed: add deletions to allow in the target file\n {6}\d+ checks/,
  );
  expect(text).toContain('deletion requests, which use up nothing');
  expect(text).toContain('3 messages sent to');
});

test('the forecast leaves out the rate probe, also of the checks that move the clock', async () => {
  const { rehearsal } = await examined({ outages: ['clock'] });
  const still = await examined();
  expect(rehearsal.reads).toBeLessThan(still.rehearsal.reads + rehearsal.rateProbeRequests / 2);
  expect(rehearsal.blocked.flatMap(({ checks }) => checks.map(({ id }) => id))).not.toContain(
    'rate.honest/listModels/clock',
  );
});

test('a target file with mistakes', async () => {
  const { text } = await examined({
    retarget: (target) => ({
      ...target,
      principals: target.principals.map((each) => {
        if (each.name === 'bob') return { ...each, adminOf: ['org_unheard'] };
        return each.name === 'carol' ? { ...each, adminOf: [] } : each;
      }),
      organizations: [
        ...target.organizations.map((each, index) =>
          index === 0 ? { ...each, disposableDataSources: ['ds_gone', ...each.disposableDataSources] } : each,
        ),
        { id: 'org_unheard', chats: [], disposableDataSources: [] },
      ],
      billingAccounts: target.billingAccounts.map((each, index) =>
        index === 0 ? { ...each, owner: target.billingAccounts[1]?.owner ?? '' } : each,
      ),
      idempotencyHeader: 'x-wrong',
    }),
  });
  expect(text).toContain('✗ bob ($AWC_KEY_BOB) should reach org_unheard, but gets 404 "NotFound": correct the ID');
  expect(text).toMatch(/✗ carol .* reaches org_new without being its admin in the file: add org_new to its adminOf/);
  expect(text).toMatch(/! \S+ no longer lists ds_gone: replace them in disposableDataSources/);
  expect(text).toMatch(/! billing account \S+ could not be read by an admin of \S+/);
  expect(text).toMatch(
    /✗ erin .* should reach billing account \S+, but gets 404 "NotFound": correct the ID or the owner$/m,
  );
  expect(text).toContain('✗ idempotency: x-wrong (declared) does not work, but idempotency-key does');
});

test('only a message shows whether a declared chat exists: the report names the chats that got none', async () => {
  const silent = await examined({ retarget: (target) => ({ ...target, allow: new Set(['deletions']) }) });
  expect(silent.text).toMatch(
    /! chats: the 10 declared chats are not checked: the API has no operation that reads a chat/,
  );
  const talking = await examined();
  expect(talking.text).toMatch(/! chats: \S+ takes messages; the other 9 declared chats are not checked: the API/);
  const unheard = await examined({
    retarget: (target) => ({
      ...target,
      organizations: target.organizations.map((each) => ({ ...each, chats: each.chats.map(() => 'chat_unheard') })),
    }),
  });
  expect(unheard.text).toMatch(
    /✗ messages: a message to chat chat_unheard gave no messages with IDs: 404 "NotFound": correct the chats of /,
  );
  const none = await examined({
    retarget: (target) => ({ ...target, organizations: target.organizations.map((each) => ({ ...each, chats: [] })) }),
  });
  expect(none.text).not.toContain('chats: the');
});

test('what is wrong for one cause is one line, however many principals and organizations have it', async () => {
  const unheard = { id: 'org_unheard', chats: [], disposableDataSources: [] };
  const { text } = await examined({
    retarget: (target) => ({
      ...target,
      organizations: [...target.organizations, unheard],
      principals: target.principals.map((each) => ({ ...each, adminOf: [...each.adminOf, unheard.id] })),
    }),
    wrap: (reference) => (request) =>
      /org_(main|small)\/models/.test(request.path)
        ? Promise.resolve({ status: 418, headers: {}, body: Buffer.from('') })
        : reference(request),
  });
  expect(text.split('\n').filter((line) => line.includes('should reach org_unheard'))).toEqual([
    expect.stringMatching(/alice .*, bob .*, erin .* should reach org_unheard, but get 404 "NotFound": correct the ID/),
  ]);
  expect(text.match(/should reach org_main/g)).toHaveLength(1);
});

test('the report shows what cannot be read, and that the plan counts it as empty', async () => {
  const { text, target, rehearsal } = await examined({
    wrap: (reference) => (request) =>
      request.path.includes('/data-sources')
        ? Promise.reject(new TransportError('timeout', 'No answer began within 1 ms.'))
        : reference(request),
  });
  const [main] = target.organizations;
  expect(text).toContain(`✗ ${main?.id}: 130 models, data sources unreadable (GET /api/public`);
  expect(text).toContain(`! the plan below counts unreadable lists as empty: ${main?.id}`);
  const checks = rehearsal.blocked.flatMap((each) => each.checks).slice(0, 1);
  const blocked = Array.from({ length: 20 }, (_, index) => ({ reason: `reason ${index}`, checks }));
  expect(blockedLines({ ...rehearsal, blocked }).at(-1)?.text).toBe('and 4 more reasons, for 4 checks');
});

test('the plan is what a run on the reference sends and uses up', async () => {
  const { rehearsal, target } = await examined();
  const { attachable = [] } = target.billingAccounts[0] ?? {};
  expect(rehearsal.reads).toBeGreaterThan(500);
  expect(rehearsal.blocked.map(({ reason }) => reason)).toEqual([
    'the deployment cannot be paused: set hooks.pause in the target file to a command that does',
    'the deployment cannot move its clock: set hooks.clock in the target file to a command that does',
    'the deployment cannot fail over: set hooks.failover in the target file to a command that does',
    'the deployment cannot be restarted: set hooks.restart in the target file to a command that does',
  ]);
  expect(rehearsal.usedUp.attachments.map(({ organizationId }) => organizationId)).toContain(attachable[0]);
});

test('text of a hostile deployment reaches the terminal only escaped', async () => {
  const { text } = await examined({
    wrap: (reference) => async (request) => {
      const answer = await reference(request);
      const said = Buffer.from(answer.body)
        .toString()
        .replaceAll('"NotFound"', String.raw`"\u001b[2J\u202eNotFound"`);
      const headers = { ...answer.headers, 'ratelimit-limit': '\u001b[31m1', date: 'Thu, 15 Jan 2026 13:00:00 GMT' };
      return { ...answer, headers, body: Buffer.from(said) };
    },
  });
  expect(text).toContain('ahead of this machine');
  expect(text).not.toMatch(/[\p{Cf}]|\p{Cc}(?<!\n)/u);
});

const { pulse }: Pick<Examination, 'pulse'> = {
  pulse: { latencyMs: { median: 900, p95: 1200 }, clock: undefined, answers: 40, limited: 3, quotaHeaders: {} },
};
const now = Date.UTC(2026, 0, 15);

test.each([
  ['"default";q=1', 20, '✓ rate: no 429'],
  [
    '100;w=1',
    20,
    '! rate: the deployment allows 100 requests in 1 s, so a run at limits.maxRequestsPerSecond 20 never',
  ],
  ['100;w=1', 200, '✓ rate: no 429'],
])('a quota policy of %s at %s requests a second', (policy, maxRequestsPerSecond, line) => {
  const { target } = createReference({ clock: virtualClock(), seed: 1 });
  const paced = { ...target, limits: { ...target.limits, maxRequestsPerSecond } };
  const seen = { ...pulse, limited: 0, quotaHeaders: { 'ratelimit-policy': policy } };
  const marks = { good: '✓', bad: '✗', doubtful: '!', plain: ' ' };
  const lines = pulseLines(seen, undefined, paced, now).map(({ tone, text }) => `${marks[tone]} ${text}`);
  expect(lines.at(-1)).toContain(line);
});
const secure = {
  kind: 'secure',
  protocol: 'TLSv1.3',
  untrusted: undefined,
  asksForCertificate: false,
  http: undefined,
  chain: [],
} as const;

test.each<[TlsFacts, RegExp]>([
  [{ ...secure, validTo: now + 100 * 86_400_000 }, /✓ TLS: TLSv1\.3, certificate trusted, valid until 2026-04-25$/],
  [{ ...secure, validTo: now + 5 * 86_400_000 }, /! TLS: .* valid until 2026-01-20: 5 days left$/],
  [{ ...secure, untrusted: 'CERT_HAS_EXPIRED', validTo: now }, /✗ TLS: .* not trusted \(CERT_HAS_EXPIRED\)/],
  [{ kind: 'none' }, /! TLS: none: anyone on the network/],
  [{ kind: 'failed', code: 'ECONNRESET' }, /✗ TLS: no connection could be made \(ECONNRESET\)$/],
])('%j', (tls, line) => {
  const { target } = createReference({ clock: virtualClock(), seed: 1 });
  const marks = { good: '✓', bad: '✗', doubtful: '!', plain: ' ' };
  const lines = pulseLines(pulse, tls, target, now).map(({ tone, text }) => `${marks[tone]} ${text}`);
  expect(lines.at(-1)).toMatch(line);
  expect(lines[0]).toMatch(/^! latency: median 900 ms, p95 1200 ms, .* limits\.toleranceMs 750: raise it/);
  expect(lines.find((each) => each.includes('rate:'))).toMatch(
    /^! rate: 3 of 40 answers were 429 .* a lower limits\.maxRequestsPerSecond, they do not, but then no check/,
  );
});
