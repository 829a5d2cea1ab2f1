import type { Target } from '../../core/target.ts';
import type { Conversation } from '../../targets/doctor/converse.ts';
import { bad, doubtful, good, type Line, plain } from './line.ts';

/** The idempotency header that works, and how long the assistant takes. */
export function conversationLines(conversation: Conversation, target: Target): readonly Line[] {
  if (conversation.kind === 'untried') {
    const { isRefused, reason } = conversation;
    return [
      isRefused
        ? bad(`messages: ${reason}: correct the chats of the target file, or report the deployment's bug`)
        : plain(`messages: not tried, ${reason}`),
    ];
  }
  const { quickMs, slow } = conversation;
  return [headerLine(conversation.keyHeader, target.idempotencyHeader), quickLine(quickMs), slowLine(slow)];
}

/** The declared chats of which nothing shows whether they exist. */
export function chatLines(conversation: Conversation, { organizations }: Target): readonly Line[] {
  const declared = organizations.flatMap(({ chats }) => chats).length;
  const why = 'the API has no operation that reads a chat, so only a message shows whether it exists';
  if (declared === 0) return [];
  if (conversation.kind === 'untried') {
    return [
      doubtful(
        `chats: ${declared === 1 ? 'the declared chat is' : `the ${declared} declared chats are`} not checked: ${why}`,
      ),
    ];
  }
  const takes = `chats: ${conversation.chat.chatId} takes messages`;
  if (declared === 1) return [good(takes)];
  const others = declared === 2 ? 'the other declared chat is' : `the other ${declared - 1} declared chats are`;
  return [doubtful(`${takes}; ${others} not checked: ${why}`)];
}

function headerLine(found: string | undefined, declared: string | undefined): Line {
  if (found === undefined) {
    const what =
      declared === undefined ? 'no usual header works' : `neither ${declared} (declared) nor a usual header works`;
    const text = `idempotency: ${what}: declare the right header as choices.idempotencyHeader`;
    return declared === undefined ? doubtful(text) : bad(text);
  }
  if (found === declared) return good(`idempotency: ${found} works, as declared`);
  if (declared === undefined) return doubtful(`idempotency: ${found} works: declare it as choices.idempotencyHeader`);
  return bad(`idempotency: ${declared} (declared) does not work, but ${found} does: correct choices.idempotencyHeader`);
}

function quickLine(quickMs: number | undefined): Line {
  if (quickMs === undefined) {
    return doubtful(
      'assistant: the quick prompt was not answered within one wait: choose a simpler assistant.quickPrompt',
    );
  }
  return good(`assistant: the quick prompt is answered in ${seconds(quickMs)}`);
}

function slowLine(slow: Extract<Conversation, { kind: 'tried' }>['slow']): Line {
  switch (slow.kind) {
    case 'busy':
      return good(`assistant: the slow prompt keeps it busy for at most ${seconds(slow.ms)}`);
    case 'too-fast':
      return doubtful(
        'assistant: the slow prompt is answered too fast to observe a response in progress: choose an assistant.slowPrompt that takes at least five seconds',
      );
    case 'unclear':
      return doubtful(`assistant: the time of the slow prompt is unknown: ${slow.reason}`);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
