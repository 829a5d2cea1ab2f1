import type { HookResult } from './run-hook.ts';

/** Why a hook did not do what it should, in words that follow its name; undefined where it ended well. */
export function hookFailure({ end }: HookResult): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : `ended with exit code ${end.code}`;
    case 'killed':
      return `was ended by ${end.signal}`;
    case 'timeout':
      return `was not done after ${end.timeoutMs / 1000} s and was killed`;
    case 'interrupted':
      return 'was interrupted';
    case 'unstarted':
      return `could not be started (${end.code})`;
  }
}
