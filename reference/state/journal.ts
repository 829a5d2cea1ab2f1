import type { Message } from './state.ts';

/** A write that was accepted and has to last. Plain data, `at` in milliseconds of the clock. */
export type Entry =
  | {
      readonly kind: 'message';
      readonly at: number;
      readonly message: Message;
      /** The scope of its key, where it has one: both are written at once, so that no crash comes between. */
      readonly scope?: string | undefined;
    }
  | { readonly kind: 'key-used-up'; readonly at: number; readonly scope: string }
  | { readonly kind: 'deletion'; readonly at: number; readonly organizationId: string; readonly sourceId: string }
  | { readonly kind: 'attachment'; readonly at: number; readonly accountId: string; readonly organizationId: string };

/** What a deployment writes down before it answers, and reads when it is started again. */
export type Journal = {
  /** When the deployment was started first. */
  readonly begunAt: number;
  /** Oldest first. */
  readonly entries: () => readonly Entry[];
  readonly append: (entry: Entry) => void;
};

/** A journal that lasts as long as this process: what is restarted in memory reads it. */
export function memoryJournal(begunAt: number): Journal {
  const entries: Entry[] = [];
  return { begunAt, entries: () => entries, append: (entry) => void entries.push(entry) };
}
