import type { Api } from '../../engine/api.ts';
import type { Answer } from '../../core/exchange.ts';
import { readPage } from '../../core/page.ts';
import { mustNotSucceed } from '../../engine/answer.ts';
import type { Operation } from '../../spec/requirement.ts';
import { browser, escaping, withoutKey } from '../shared/credentials.ts';
import { keyholder, readablePlace, requestAt } from '../shared/place.ts';

/** Requests without a key that are also invalid or unusual: section 5 asks for 401 whatever else they are. */
export async function requestWrongly(
  api: Api,
  operation: Operation,
): Promise<readonly { answer: Answer; how: string }[]> {
  const { organizationId, chatId, billingAccountId } = readablePlace(api, keyholder(api));
  switch (operation) {
    case 'listModels': {
      const query = { limit: 0, cursor: 'none', databaseConnectionId: 'none' };
      const answer = await api.listModels(withoutKey, organizationId, query);
      const whole = await api.listModels(withoutKey, organizationId, { limit: 100 });
      return [
        { how: 'with limit=0, a cursor and a filter', answer },
        { how: 'with limit=100', answer: whole },
      ];
    }
    case 'listDataSources': {
      const answer = await api.listDataSources(withoutKey, organizationId);
      return [{ how: 'without parameters', answer }];
    }
    case 'sendMessage': {
      const chat = { organizationId, chatId };
      const malformed = { body: '{"message":', wait: 'long', key: 'k'.repeat(300) };
      const answer = await api.sendMessage(withoutKey, chat, malformed);
      const tooLong = await api.sendMessage(withoutKey, chat, { message: 'x'.repeat(10_001), key: null });
      return [
        { how: 'with malformed JSON, wait=long and a key of 300 characters', answer },
        { how: 'with 10001 characters', answer: tooLong },
      ];
    }
    case 'attachOrganization': {
      const malformed = { text: '{"organizationId":' };
      const plain = { text: 'Attach it.', contentType: 'text/plain' };
      return [
        {
          how: 'with malformed JSON',
          answer: await api.attachOrganization(withoutKey, billingAccountId, {}, malformed),
        },
        { how: 'with plain text', answer: await api.attachOrganization(withoutKey, billingAccountId, {}, plain) },
      ];
    }
    case 'getBillingAccount':
      return [{ how: 'from a browser', answer: await api.getBillingAccount(browser, billingAccountId) }];
    case 'deleteDataSource':
      return [];
  }
}

/** The router may take such a path for another one, and answer as it likes, but not with the list. */
export async function mustRefuseByEscapedPath(api: Api): Promise<void> {
  const place = readablePlace(api, keyholder(api));
  const answer = await requestAt(api, 'listModels', escaping, place, { judged: false });
  if (readPage(answer) !== undefined) mustNotSucceed(answer, `for ${escaping.name}`);
}
