import type { TrialOptions } from '../../proof/trial.ts';

type Account = { readonly organizationCount: number };

/** How many readings came before this one, the name of the principal who reads, and the seconds since the run began. */
type Reading = readonly [turn: number, reader: string, seconds: number];

/** For tests: a deployment whose accounts have other fields, which depend on the reading. */
export const withAccountFields =
  (
    fieldsOf: (account: Account, ...reading: Reading) => Readonly<Record<string, unknown>>,
  ): NonNullable<TrialOptions['through']> =>
  (behind, clock, { principals }) => {
    let turn = 0;
    const startedAt = clock.now();
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/billing-accounts/') || answer.status !== 200)
        return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const reader = principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
      const fields = fieldsOf(data, turn++, reader?.name ?? '', (clock.now() - startedAt) / 1000);
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, ...fields } })) };
    };
  };
