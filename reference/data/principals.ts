import type { Caller } from '../http/request.ts';
import { seededRandom } from '../random.ts';

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
export function principals(seed: number, idOf: (organization: string) => string): readonly Caller[] {
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
