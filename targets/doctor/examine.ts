import { Api } from '../../engine/api.ts';
import type { Session } from '../../engine/session/session.ts';
import { type UsedUp, usedUp } from '../../engine/session/used-up.ts';
import { converse, type Conversation } from './converse.ts';
import { type Fixtures, readFixtures } from './fixtures.ts';
import { type Pulse, pulseOf } from './pulse.ts';
import { probeReach, type Reach } from './reach.ts';

export type Examination = {
  readonly reached: readonly Reach[];
  /** The number of pairs of principal and resource that were left out. */
  readonly untriedPairs: number;
  readonly fixtures: Fixtures;
  readonly conversation: Conversation;
  readonly pulse: Pulse;
  readonly usedUp: UsedUp;
  readonly requests: number;
};

/**
 * Reads what the target file declares, and writes a few messages to one chat if messages are allowed. `onStep` gets the name
 * of each step. Never rejects.
 */
export async function examine(session: Session, onStep: (step: string) => void = () => {}): Promise<Examination> {
  onStep('checking who reaches what');
  const reading = new Api(session, 'doctor reach');
  const { reached, untried } = await probeReach(reading);
  onStep('reading lists');
  const walking = new Api(session, 'doctor fixtures');
  const fixtures = await readFixtures(walking);
  onStep('sending messages to the assistant');
  const talking = new Api(session, 'doctor messages');
  const conversation = await converse(talking);
  return {
    reached,
    untriedPairs: untried,
    fixtures,
    conversation,
    pulse: pulseOf([reading, walking, talking].flatMap(({ exchanges }) => exchanges)),
    usedUp: usedUp(session),
    requests: session.sender.sent(),
  };
}
