import type { Api, Caller } from '../../engine/api.ts';
import { withCredential } from '../shared/credentials.ts';
import { keyholder, readablePlace } from '../shared/place.ts';

/** What a header can carry as a key. */
const token = /^[\x21-\x7e]{3,200}$/;

/** What others may know of a principal, sent as its key: its name in the target file, and an organization that it is admin of. */
export function namesAsKeys(api: Api): readonly Caller[] {
  const principal = keyholder(api);
  const { organizationId } = readablePlace(api, principal);
  const names = [
    ['the name of a principal', principal.name],
    ['the ID of an organization', organizationId],
  ] as const;
  return names
    .filter(([, name]) => token.test(name) && api.session.target.principals.every(({ key }) => key !== name))
    .map(([what, name]) => withCredential(`${what} as the key`, `Bearer ${name}`));
}
