import type { Message } from './state.ts';

/** A write that was accepted and has to last. Plain data, `at` in milliseconds of the clock. */
export type Entry =
  | {
      readonly kind: 'message';
      readonly at: number;
      readonly message: Message;
      /** The scope of its key, where it has one. Both are written at once, so that no crash separates them. */
      readonly scope?: string | undefined;
    }
  | { readonly kind: 'key-used-up'; readonly at: number; readonly scope: string }
  | { readonly kind: 'deletion'; readonly at: number; readonly organizationId: string; readonly sourceId: string }
  | { readonly kind: 'attachment'; readonly at: number; readonly accountId: string; readonly organizationId: string };

/** What a deployment records before it answers, and reads when it restarts. */
export type Journal = {
  /** When the deployment was first started. */
  readonly begunAt: number;
  /** Oldest first. */
  readonly entries: () => readonly Entry[];
  readonly append: (entry: Entry) => void;
};

/** A journal in memory, for restarts within this process. */
export function memoryJournal(begunAt: number): Journal {
  const entries: Entry[] = [];
  return { begunAt, entries: () => entries, append: (entry) => void entries.push(entry) };
}
