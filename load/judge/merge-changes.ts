import type { ChangesRecord } from '../../reports/record/record.ts';

/** What several loads on one target changed together. */
export function mergeChanges(all: readonly ChangesRecord[]): ChangesRecord {
  return {
    deletions: grouped(
      all.flatMap(({ deletions }) => deletions),
      ({ organizationId, dataSourceId }) => [organizationId, dataSourceId],
      (one, other) => ({ ...one, certain: one.certain || other.certain }),
    ),
    attachments: grouped(
      all.flatMap(({ attachments }) => attachments),
      ({ billingAccountId, organizationId }) => [billingAccountId, organizationId],
      (one, other) => ({ ...one, certain: one.certain || other.certain }),
    ),
    messages: grouped(
      all.flatMap(({ messages }) => messages),
      ({ organizationId, chatId }) => [organizationId, chatId],
      (one, other) => ({ ...one, count: one.count + other.count }),
    ),
  };
}

/** One entry for each pair of IDs. */
function grouped<Entry>(
  entries: readonly Entry[],
  ids: (entry: Entry) => readonly [string, string],
  join: (one: Entry, other: Entry) => Entry,
): Entry[] {
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    const name = JSON.stringify(ids(entry));
    const known = found.get(name);
    found.set(name, known === undefined ? entry : join(known, entry));
  }
  return [...found.values()];
}
