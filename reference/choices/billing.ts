import type { Choice, Variation } from '../variation.ts';

/** Others attach an organization to every account after each interval. */
function attachedEvery(ms: number): Variation {
  return {
    alter: (rules) => ({
      organizationCount: (owner, attachments, request) =>
        rules.organizationCount(owner, attachments, request) + Math.floor(request.at / ms),
    }),
  };
}

/** Three copies of the account answer in turn. One of them receives an attachment only after that time. */
function laggingCopy(lagMs: number): Variation {
  return lagging(lagMs, (looks) => looks % 3 > 0);
}

/** No copy receives an attachment before that time. */
function laggingCopies(lagMs: number): Variation {
  return lagging(lagMs, () => false);
}

function lagging(lagMs: number, isCurrent: (looks: number) => boolean): Variation {
  return {
    alter: (rules) => {
      const attachedAt = new Map<string, number>();
      let looks = 0;
      return {
        onAttached: (id, { at }, before) => {
          if (!before.includes(id)) attachedAt.set(id, at);
        },
        organizationCount: (owner, attachments, request) => {
          looks += 1;
          const received = (id: string) => isCurrent(looks) || request.at >= (attachedAt.get(id) ?? 0) + lagMs;
          return rules.organizationCount(owner, attachments.filter(received), request);
        },
      };
    },
  };
}

const whatCountsShow = Object.fromEntries(
  (
    [
      'attach.success/at-once',
      'attach.count',
      'attach.twice',
      'attach.refused-no-effect',
      'auth.no-effect',
      'access.denied-no-effect',
      'access.attach-needs-organization-admin',
      'access.attach-needs-owner-admin',
      'access.attach-needs-a-role',
      'durability.attachments',
    ] as const
  ).map((id) => [
    id,
    'Other clients attach organizations too, so the count does not show which attachment took effect.',
  ]),
);

export const billingChoices: readonly Choice[] = [
  {
    axis: 'attach-status',
    section: '4.3',
    sentence: 'The success status of an attachment.',
    default: '200',
    values: {
      '200': {},
      '201': { alter: () => ({ attachStatus: (again) => (again ? 200 : 201) }) },
      '202': { alter: () => ({ attachStatus: () => 202 }) },
    },
  },
  {
    axis: 'attach-body',
    section: '4.3',
    sentence: 'The success body of an attachment.',
    default: 'account',
    values: {
      account: {},
      organization: {
        alter: () => ({
          attachAnswer: (_account, organizationId) => ({ data: { id: organizationId, plan: 'GROWTH' } }),
        }),
      },
      'empty-object': { alter: () => ({ attachAnswer: () => ({}) }) },
      none: { alter: () => ({ attachAnswer: () => undefined, attachStatus: () => 204 }) },
    },
  },
  {
    axis: 'attach-again',
    section: '4.3',
    sentence: 'Whether an organization can be attached again.',
    default: 'accept',
    values: { accept: {}, refuse: { alter: () => ({ attachAgain: () => 'refuse' }) } },
    blocks: {
      refuse: { 'access.attach-needs-a-role/side-by-side': 'what is attached already is refused to its admin, too' },
    },
  },
  {
    axis: 'owner-counted',
    section: '2.6',
    sentence: 'Whether organizationCount includes the owner organization.',
    default: 'yes',
    values: {
      yes: {},
      no: {
        alter: (rules) => ({
          organizationCount: (owner, attachments, request) => rules.organizationCount(owner, attachments, request) - 1,
        }),
      },
    },
  },
  {
    axis: 'count-copies',
    section: '4.3',
    sentence: 'When each of several copies of the account shows an attachment in organizationCount.',
    default: 'at-once',
    values: {
      'at-once': {},
      'one-a-moment-later': laggingCopy(400),
      'one-later': laggingCopy(1500),
      'all-after-three-seconds': laggingCopies(3000),
      'all-after-ten-seconds': laggingCopies(10_000),
    },
  },
  {
    axis: 'attached-by-others',
    section: '2.6',
    sentence: 'Whether other clients attach organizations to the same account during a run.',
    default: 'never',
    values: {
      never: {},
      'now-and-then': attachedEvery(12_345),
      'all-the-time': attachedEvery(700),
    },
    blocks: { 'now-and-then': whatCountsShow, 'all-the-time': whatCountsShow },
  },
];
