import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from './journal.ts';
import { openJournal } from './sqlite-journal.ts';

const world = { seed: 1, choices: {} };

const entries: readonly Entry[] = [
  {
    kind: 'message',
    at: 1000.5,
    message: {
      chatId: 'chat 🦉',
      organizationId: 'org',
      userId: 'u',
      assistantId: 'a',
      parentId: null,
      text: "'); DROP TABLE entries; --",
      acceptedAt: 1000.5,
      finishesAt: 1150.5,
    },
    scope: 'alice chat key',
  },
  { kind: 'key-used-up', at: 1001, scope: 'alice chat other' },
  { kind: 'deletion', at: 1002, organizationId: 'org', sourceId: 'ds' },
  { kind: 'attachment', at: 1003, accountId: 'ba', organizationId: 'org' },
];

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data.db');
}

test('what was appended is read again, with the time of the beginning', async () => {
  const path = await newPath();
  const first = openJournal(path, world, 1000);
  for (const entry of entries) first.append(entry);
  expect(first.entries()).toEqual(entries);
  first.close();
  const second = openJournal(path, world, 2000);
  expect(second.begunAt).toBe(1000);
  expect(second.entries()).toEqual(entries);
  second.close();
});

test('a journal of other choices is refused, and so is a file of something else', async () => {
  const path = await newPath();
  openJournal(path, world, 1000).close();
  expect(() => openJournal(path, { seed: 1, choices: { ids: 'uuid' } }, 1000)).toThrow(/serve with the same choices/);

  const foreign = await newPath();
  new DatabaseSync(foreign).exec('CREATE TABLE invoices (id TEXT)');
  expect(() => openJournal(foreign, world, 1000)).toThrow(/of something else/);

  for (const alter of ["INSERT INTO entries (entry) VALUES ('{}')", 'DROP TABLE entries', 'DROP TABLE world']) {
    const altered = await newPath();
    openJournal(altered, world, 1000).close();
    const database = new DatabaseSync(altered);
    database.exec(alter);
    database.close();
    expect(() => openJournal(altered, world, 1000)).toThrow(
      /has entries that this version does not write|something else/,
    );
  }

  const noDatabase = await newPath();
  await writeFile(noDatabase, 'baseUrl: https://staging.example.com\n'.repeat(100));
  expect(() => openJournal(noDatabase, world, 1000)).toThrow(/cannot be used as data file/);
});
