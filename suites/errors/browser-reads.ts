import { must } from '../../engine/answer.ts';
import { type Api, as, type Options } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type ReadOperation, readOperations } from '../access/access-matrix.ts';
import { keyholder, type Place, readablePlace } from '../shared/place.ts';

/** What a browser of a German user accepts: a page of HTML, rather than anything else. */
const headers = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
};

/** Reads as much as the operation gives at that place. */
export function readAt(
  api: Api,
  operation: ReadOperation,
  { organizationId, billingAccountId }: Place,
  options: Options = {},
): Promise<Answer> {
  const caller = as(keyholder(api));
  switch (operation) {
    case 'listModels':
      return api.listModels(caller, organizationId, { limit: 100 }, options);
    case 'listDataSources':
      return api.listDataSources(caller, organizationId, { limit: 100 }, options);
    case 'getBillingAccount':
      return api.getBillingAccount(caller, billingAccountId, options);
  }
}

/** What a browser gets that reads with a key. It may be refused what it accepts, so that no other promise is held against the answer. */
export const browserRead = shared((api: Api, operation: string): Promise<Answer> => {
  const [read = readOperations[0]] = readOperations.filter((known) => known === operation);
  return readAt(api, read, readablePlace(api, keyholder(api)), { headers, judged: false });
});

/** Section 1: all bodies are JSON, whatever the client prefers. */
export const browserReads: Check = check(
  'robustness.json',
  { phase: 'last', variant: 'to-a-browser', extended: true },
  async (api) => {
    const answers: Answer[] = [];
    for (const operation of readOperations) answers.push(await browserRead(api, operation));
    for (const answer of answers.filter(isSuccess))
      must(answer.problem === undefined, `JSON to a client that prefers HTML`, answer.problem ?? '', answer);
    if (answers.some((answer) => isSuccess(answer) || answer.status === 406)) return;
    throw new Blocked(`nothing could be read as by a browser: ${answers.map(summary).join(', ')}`);
  },
);
