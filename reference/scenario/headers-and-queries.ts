import { billingPath, inOrganization, type Stage } from './stage.ts';

/** A scheme in another case, a compressed answer, and a repeated parameter. */
export async function headersAndQueries({ main, small, account, aliceKey: key, get }: Stage): Promise<void> {
  await get(billingPath(account.id), { authorization: `bearer ${key}` });
  for (const coding of ['gzip', 'br']) {
    await get(inOrganization(main, 'models?limit=100'), { headers: { 'accept-encoding': coding } });
  }
  await get(inOrganization(small, 'models?limit=1&limit=2'));
}
