import type { Choice } from '../variation.ts';
import type { Rules } from '../rules/rules.ts';

/** What others attach to every account, one organization every so often. */
function attachedEvery(ms: number): (rules: Rules) => Partial<Rules> {
  return (rules) => ({
    organizationCount: (owner, attachments, request) =>
      rules.organizationCount(owner, attachments, request) + Math.floor(request.at / ms),
  });
}

/** Of three copies of the account, which are asked in turn, one hears of an attachment only after that time. */
function laggingCopy(lagMs: number): (rules: Rules) => Partial<Rules> {
  return (rules) => {
    const attachedAt = new Map<string, number>();
    let looks = 0;
    return {
      attachmentCounts: (id, before, request) => {
        if (!before.includes(id)) attachedAt.set(id, request.at);
        return rules.attachmentCounts(id, before, request);
      },
      organizationCount: (owner, attachments, request) => {
        looks += 1;
        const heardOf = (id: string) => looks % 3 > 0 || request.at >= (attachedAt.get(id) ?? 0) + lagMs;
        return rules.organizationCount(owner, attachments.filter(heardOf), request);
      },
    };
  };
}

const whatCountsShow = Object.fromEntries(
  (
    [
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
  ).map((id) => [id, 'Whose attachment the count shows cannot be told.']),
);

export const attachmentChoices: readonly Choice[] = [
  {
    axis: 'attach-status',
    section: '4.3',
    sentence: 'The success status of attach.',
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
    sentence: 'The success body of attach.',
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
    sentence: 'What attaching an organization again gives.',
    default: 'accept',
    values: { accept: {}, refuse: { alter: () => ({ attachAgain: () => 'refuse' }) } },
  },
  {
    axis: 'owner-counted',
    section: '2.6',
    sentence: 'Whether organizationCount counts the owner organization.',
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
    sentence: 'How soon organizationCount shows an attachment, in each of several copies that answer.',
    default: 'at-once',
    values: {
      'at-once': {},
      'one-a-moment-later': { alter: laggingCopy(400) },
      'one-later': { alter: laggingCopy(1500) },
    },
  },
  {
    axis: 'attached-by-others',
    section: '2.6',
    sentence: 'Whether others attach organizations to the same account meanwhile.',
    default: 'never',
    values: {
      never: {},
      'now-and-then': { alter: attachedEvery(12_345) },
      'all-the-time': { alter: attachedEvery(700) },
    },
    blocks: { 'now-and-then': whatCountsShow, 'all-the-time': whatCountsShow },
  },
];
