import type { ChildProcess } from 'node:child_process';

/** The log of a pod while it grows. */
export type PodLog = {
  readonly isOver: () => boolean;
  readonly text: () => string;
  /** Calls `onText` with what comes next, and `onEnd` after the last of it. */
  readonly follow: (onText: (text: string) => void, onEnd: () => void) => void;
};

export function logOf(child: ChildProcess): PodLog {
  let text = '';
  let isOver = false;
  const listeners: { readonly onText: (text: string) => void; readonly onEnd: () => void }[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      for (const { onText } of listeners) onText(more);
    });
  }
  child.once('close', () => {
    isOver = true;
    for (const { onEnd } of listeners) onEnd();
  });
  return {
    isOver: () => isOver,
    text: () => text,
    follow(onText, onEnd) {
      if (isOver) onEnd();
      else listeners.push({ onText, onEnd });
    },
  };
}
