import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Entry, Journal } from './journal.ts';

/** Marks a file of this command: "awc1" in ASCII. */
const applicationId = 0x61_77_63_31;

/** How long to wait until another process releases the file, in milliseconds. */
const lockedMs = 5000;

const at = z.number();
const text = z.string();
// JSON has no infinity, so a response that never existed is read as finished long ago.
const instant = z
  .number()
  .nullable()
  .transform((value) => value ?? 0);

const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    at,
    message: z.object({
      chatId: text,
      organizationId: text,
      userId: text,
      assistantId: text,
      parentId: text.nullable(),
      text,
      acceptedAt: at,
      finishesAt: instant,
    }),
    scope: text.optional(),
  }),
  z.object({ kind: z.literal('key-used-up'), at, scope: text }),
  z.object({ kind: z.literal('deletion'), at, organizationId: text, sourceId: text }),
  z.object({ kind: z.literal('attachment'), at, accountId: text, organizationId: text }),
]);

/** The world of a journal: its entries have no meaning in another one. */
type World = { readonly seed: number; readonly choices: Readonly<Record<string, string>> };

/**
 * A journal in a file. `append` returns when the operating system has the entry, so no signal that ends this process loses
 * one. Throws Error with the remedy if the file belongs to another program or to another world.
 */
export function openJournal(path: string, world: World, now: number): Journal & { readonly close: () => void } {
  const database = open(path);
  const begunAt = begin(database, path, JSON.stringify(world), now);
  const entries = entriesIn(database, path); // read once: later entries are in the state
  const insert = database.prepare('INSERT INTO entries (entry) VALUES (?)');
  return {
    begunAt,
    entries: () => entries,
    append: (entry) => {
      insert.run(JSON.stringify(entry));
      entries.push(entry);
    },
    close: () => database.close(),
  };
}

function entriesIn(database: DatabaseSync, path: string): Entry[] {
  try {
    const rows = database.prepare('SELECT entry FROM entries ORDER BY ordinal').all();
    return rows.map(({ entry }) => entrySchema.parse(JSON.parse(String(entry))));
  } catch (error) {
    throw new Error(`${path} has entries that this version does not write: name another file.`, { cause: error });
  }
}

function open(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { timeout: lockedMs });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be used as data file (${why}): is it in use, or no file of this command?`, {
      cause: error,
    });
  }
}

/** Creates the tables of a new file, or checks that an existing file belongs to this world. Returns when it began. */
function begin(database: DatabaseSync, path: string, world: string, now: number): number {
  const owner = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (owner !== applicationId) {
    const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'];
    if (tables !== 0) throw new Error(`${path} is a database of something else: name another file.`);
    database.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${applicationId};
      CREATE TABLE world (begun_at REAL NOT NULL, description TEXT NOT NULL) STRICT;
      CREATE TABLE entries (ordinal INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT`);
    database.prepare('INSERT INTO world VALUES (?, ?)').run(now, world);
    database.exec('COMMIT');
    return now;
  }
  const kept = worldIn(database);
  if (kept?.description === world) return kept.begun_at;
  throw new Error(
    `${path} was begun as ${kept?.description ?? 'something else'}: serve with the same choices, or name another file.`,
  );
}

const worldSchema = z.object({ begun_at: z.number(), description: z.string().max(10_000) });

/** Undefined if the file does not say it as this version writes it. */
function worldIn(database: DatabaseSync): z.infer<typeof worldSchema> | undefined {
  try {
    return worldSchema.safeParse(database.prepare('SELECT begun_at, description FROM world').get()).data;
  } catch {
    return undefined; // there is no such table
  }
}
