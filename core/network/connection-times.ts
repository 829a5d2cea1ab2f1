import type { Socket } from 'node:net';
import type { Dialer } from './dial.ts';

/** How far a connection came, and when: instants of `performance.now()`, 0 for what has not happened. */
export type ConnectionTimes = {
  readonly isTls: boolean;
  readonly dialedAt: number;
  foundAt: number;
  connectedAt: number;
  madeAt: number;
};

/** The times of a socket that was dialed just now, which are filled in as it is made. */
export function timesOf(socket: Socket, made: Dialer['made'], dialedAt = performance.now()): ConnectionTimes {
  const times: ConnectionTimes = {
    isTls: made === 'secureConnect',
    dialedAt,
    foundAt: 0,
    connectedAt: 0,
    madeAt: 0,
  };
  socket.once('lookup', () => void (times.foundAt = performance.now()));
  socket.once('connect', () => void (times.connectedAt = performance.now()));
  socket.once(made, () => void (times.madeAt = performance.now()));
  return times;
}

/** The times of one exchange over HTTP/2, filled in while it runs. */
export type ExchangeTimes = {
  /** Those of the connection, if it was opened for this exchange. */
  opened: ConnectionTimes | undefined;
  /** When the request left on its stream, and when the header of its answer was there. */
  sentAt: number;
  headAt: number;
};
