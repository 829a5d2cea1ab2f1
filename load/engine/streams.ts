import { type HttpResponse, maxBodyBytes, TransportError } from '../../core/http.ts';
import { addressOf } from '../../core/network/address.ts';
import type { ExchangeTimes } from '../../core/network/connection-times.ts';
import { http2Exchanges } from '../../core/network/http2-exchanges.ts';
import { createTransfers } from '../../core/network/transfers.ts';
import { withLatestKeys } from '../../core/network/renewed-keys.ts';
import type { Route } from '../../core/target.ts';
import type { Answer } from './answer-reader.ts';
import { mostKeptBytes } from './kept-bodies.ts';
import { connectionPhases, type Phases } from '../measure/phases.ts';
import type { Connection } from './connection.ts';
import type { RateCap } from './rate-cap.ts';

export type Streams = {
  /** Sends over HTTP/2 where the route asks for it and the server chooses it, and otherwise over this connection. */
  readonly over: (plain: Connection) => Connection;
  readonly close: () => void;
};

/**
 * Streams over shared connections. To an engine, each stream looks like a connection with one request at a time. The limit of the load
 * also counts a request that is sent once more because the server has not processed it.
 */
export function createStreams(route: Route, rateCap: Pick<RateCap, 'admit'>): Streams {
  const { http2 = 'never', renewal, baseUrl } = route;
  if (http2 === 'never') return { over: (plain) => plain, close: () => {} };
  let isClosed = false;
  const mayRepeat = () =>
    new Promise<void>((resolve, reject) => {
      rateCap.admit(() => {
        if (isClosed) reject(new TransportError('reset', 'The load is over.'));
        else resolve();
        return !isClosed;
      });
    });
  const exchanges = http2Exchanges(route, maxBodyBytes, mayRepeat);
  const transferOf = createTransfers(mostKeptBytes);
  const { prefix } = addressOf(baseUrl);

  function over(plain: Connection): Connection {
    let latest = 0; // the request that is awaited; an earlier one was dropped
    return {
      send(request, trace, sentAt, done) {
        latest += 1;
        const own = latest;
        void renewal?.refresh();
        const sent = withLatestKeys({ ...request, path: prefix + request.path, trace }, renewal);
        const transfer = transferOf();
        const times: ExchangeTimes = { opened: undefined, sentAt: 0, headAt: 0 };
        const answered = exchanges.send(sent, transfer, times).finally(() => transfer.end());
        answered.then(
          (response) => {
            if (own !== latest) return;
            const now = performance.now();
            if (response === undefined) plain.send(request, trace, sentAt, done);
            else done(answerOf(response), now, phasesOf(times, now));
          },
          (error: unknown) => {
            if (own === latest) done(error instanceof TransportError ? error.failure : 'reset', performance.now());
          },
        );
      },
      drop() {
        latest += 1;
        plain.drop();
      },
    };
  }

  return {
    over,
    close() {
      isClosed = true;
      exchanges.close();
    },
  };
}

function answerOf({ status, headers, body }: HttpResponse): Answer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { status, head: ['HTTP/2', ...lines].join('\r\n'), body: [body], keepMs: 0 };
}

/** Others that wait for a connection share it, so its phases are those of the request that opened it. */
function phasesOf({ opened, sentAt, headAt }: ExchangeTimes, endedAt: number): Phases {
  return { ...(opened && connectionPhases(opened)), firstByte: headAt - sentAt, receive: endedAt - headAt };
}
