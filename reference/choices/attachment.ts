import type { Choice } from '../variation.ts';

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
    axis: 'attached-by-others',
    section: '2.6',
    sentence: 'Whether others attach organizations to the same account meanwhile.',
    default: 'never',
    values: {
      never: {},
      'all-the-time': {
        alter: (rules) => ({
          organizationCount: (owner, attachments, ask) =>
            rules.organizationCount(owner, attachments, ask) + Math.floor(ask.at / 700),
        }),
      },
    },
    blocks: {
      'all-the-time': Object.fromEntries(
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
      ),
    },
  },
];
