import type { Caller } from '../http/request.ts';
import { seededRandom } from '../random.ts';
import { accountRecord } from './account.ts';
import { newId } from './ids.ts';
import type { DataOptions } from './options.ts';
import { type Counter, organizationData, type OrganizationPlan } from './organization.ts';
import type { AccountData, OrganizationData, WorldData } from './world-data.ts';

function plans(options: DataOptions): readonly OrganizationPlan[] {
  const plain = (name: string, models: number, sources: number): OrganizationPlan => ({
    name,
    models,
    sources,
    disposable: 0,
    chats: 0,
  });
  const disposable = Math.min(options.disposableSources, Math.floor(options.sources / 3));
  return [
    { name: 'org_main', models: options.models, sources: options.sources, disposable, chats: options.chats },
    { name: 'org_other', models: 6, sources: 9, disposable: 6, chats: 2 },
    plain('org_small', 50, 2),
    plain('org_empty', 0, 0),
    plain('org_owner', 0, 0),
    plain('org_new', 0, 0),
    plain('org_new_2', 0, 0),
    plain('org_new_3', 0, 0),
    plain('org_solo', 1, 1),
    plain('org_pair', 2, 2),
  ];
}

/** Organizations that may be attached: some are empty, and some hold data that their admins may read. */
const attachable = ['org_new', 'org_new_2', 'org_new_3', 'org_small', 'org_empty', 'org_solo', 'org_pair'];

function create(seed: number, options: DataOptions): WorldData {
  const counter: Counter = { count: 0 };
  const random = seededRandom(seed, 'data');
  const byName = new Map<string, OrganizationData>();
  for (const plan of plans(options)) byName.set(plan.name, organizationData(plan, options, random, counter));
  const idOf = (name: string): string => byName.get(name)?.id ?? name;
  const account = (ordinal: number, owner: string, attachable: readonly string[]): AccountData => {
    const id = newId(options.ids, 'ba', ordinal + 2, random);
    const record = accountRecord(id, idOf(owner), options);
    return { id, owner: idOf(owner), attachable: attachable.map(idOf), record };
  };
  const ofFirst = attachable.slice(0, options.attachableToFirst);
  const ofAnother = attachable.slice(options.attachableToFirst);
  const accounts = [
    account(0, 'org_owner', ofFirst),
    account(4, 'org_other', ['org_main']),
    ...(ofAnother.length === 0 ? [] : [account(5, 'org_owner', ofAnother)]),
  ];
  const callers = principals(seed, idOf);
  return {
    organizations: new Map([...byName.values()].map((organization) => [organization.id, organization])),
    accounts: new Map(accounts.map((made) => [made.id, made])),
    callers,
    callersByKey: new Map(callers.map((caller) => [caller.key, caller])),
  };
}

/** A proof creates thousands of worlds of a few kinds, so the latest kinds are kept. */
const kept = new Map<string, WorldData>();
const keptMost = 16;

/** The initial data of a world with that seed and those options. A pure function with a bounded cache. */
export function createWorldData(seed: number, options: DataOptions): WorldData {
  const name = `${seed} ${JSON.stringify(options)}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = create(seed, options);
  const oldest = kept.keys().next();
  if (kept.size >= keptMost && oldest.done !== true) kept.delete(oldest.value);
  kept.set(name, made);
  return made;
}

const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** By principal: the names of the organizations it is an admin of. */
const roles = {
  alice: [
    'org_main',
    'org_owner',
    'org_new',
    'org_new_2',
    'org_new_3',
    'org_small',
    'org_empty',
    'org_solo',
    'org_pair',
  ],
  bob: [],
  carol: ['org_new'],
  dave: ['org_owner', 'org_pair', 'org_main'],
  erin: ['org_other'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The principals with random keys in a realistic format. */
function principals(seed: number, idOf: (organization: string) => string): readonly Caller[] {
  return Object.entries(roles).map(([name, organizations]) => {
    const random = seededRandom(seed, `key of ${name}`);
    return {
      name,
      key: `awc_test_${random.letters(keyAlphabet, 40)}`,
      memberId: `member_${name}`,
      adminOf: new Set(organizations.map(idOf)),
    };
  });
}
