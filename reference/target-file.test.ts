import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { virtualClock } from '../core/clock.ts';
import { createReference } from './reference.ts';
import { targetFile } from './target-file.ts';

test('The target file says what the target says, whatever its IDs are made of', () => {
  for (const ids of ['mixed', 'number', 'percent', 'unicode', 'reserved']) {
    const choices = { ids, 'key-header': 'x-idempotency-key' };
    const { target } = createReference({ clock: virtualClock(), seed: 2, choices, baseUrl: 'http://127.0.0.1:4000' });
    const read: unknown = parse(targetFile(target));
    const [alice] = target.principals;
    const [main, other] = target.organizations;
    const [account] = target.billingAccounts;
    expect(read).toMatchObject({
      name: 'Embedded reference',
      baseUrl: 'http://127.0.0.1:4000',
      principals: { alice: { key: alice?.key, adminOf: alice?.adminOf }, bob: { adminOf: [] } },
      organizations: {
        [main?.id ?? '']: { chats: main?.chats, disposableDataSources: main?.disposableDataSources },
        [other?.id ?? '']: { chats: other?.chats },
      },
      billingAccounts: { [account?.id ?? '']: { owner: account?.owner, attachable: account?.attachable } },
      choices: { idempotencyHeader: 'x-idempotency-key' },
      assistant: { quickPrompt: 'Reply with ok.', timeoutSeconds: 120 },
      allow: ['messages', 'deletions', 'attachments', 'rateLimit', 'load'],
    });
  }
});
