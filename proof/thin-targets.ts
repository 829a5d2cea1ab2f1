import type { Organization, Target } from '../core/target.ts';

/** One organization alone, with its admins. */
const alone =
  (name: string) =>
  (target: Target): Target => ({
    ...target,
    organizations: target.organizations.filter(({ id }) => id === name),
    principals: target.principals
      .filter(({ adminOf }) => adminOf.includes(name))
      .map((one) => ({ ...one, adminOf: [name] })),
    billingAccounts: [],
  });

type Most = { readonly chats?: number; readonly deletable?: number; readonly attachable?: number };

/** Everything, but of the main organization alone no more than so much to use up. */
function few({ chats, deletable, attachable }: Most) {
  const cut = ({ id, ...one }: Organization): Organization => ({
    id,
    chats: id === 'org_main' ? one.chats.slice(0, chats) : [],
    disposableDataSources: id === 'org_main' ? one.disposableDataSources.slice(0, deletable) : [],
  });
  return (target: Target): Target => ({
    ...target,
    organizations: target.organizations.map(cut),
    billingAccounts: target.billingAccounts.map((one) => ({
      ...one,
      attachable: one.attachable.slice(0, attachable),
    })),
  });
}

/** What a target file may be short of: a check that has too little to show anything is blocked then, and does not pass. */
export const thinTargets = {
  'nothing but keys': (target) => ({
    ...target,
    principals: target.principals.map((one) => ({ ...one, adminOf: [] })),
    organizations: [],
    billingAccounts: [],
  }),
  'one key': (target) => ({ ...target, principals: target.principals.slice(0, 1) }),
  'an empty organization': alone('org_empty'),
  'one model and one data source': alone('org_solo'),
  'two of each': alone('org_pair'),
  'fifty models': alone('org_small'),
  'no chats': few({ chats: 0 }),
  'one chat': few({ chats: 1 }),
  'no data sources to delete': few({ deletable: 0 }),
  'one data source to delete': few({ deletable: 1 }),
  'two data sources to delete': few({ deletable: 2 }),
  'no organizations to attach': few({ attachable: 0 }),
  'one organization to attach': few({ attachable: 1 }),
  'no quota to use up': (target) => ({
    ...target,
    allow: new Set([...target.allow].filter((effect) => effect !== 'rateLimit')),
  }),
} as const satisfies Readonly<Record<string, (target: Target) => Target>>;
