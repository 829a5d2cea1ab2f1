import type { TrialOptions } from '../../proof/trial.ts';

type Body = { readonly data: readonly object[] };

/** For tests: a deployment whose models have other fields, which depend on the request, or on how many pages of models came before it. */
export const withModelFields =
  (fieldsOf: (path: string, turn: number) => object): NonNullable<TrialOptions['through']> =>
  (behind) => {
    let turn = 0;
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/models') || answer.status !== 200) return answer;
      turn += 1;
      const fields = fieldsOf(request.path, turn);
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const data = body.data.map((model) => ({ ...model, ...fields }));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  };
