import type { LanesRecord } from '../record/record.ts';
import { duration } from './figures.ts';

/** A request of a lane, with its number in the list of all requests. */
type NumberedRequest = LanesRecord['requests'][number] & { readonly number: number };

/** Requests of one caller that do not overlap. */
export type Lane = { readonly caller: string; readonly requests: readonly NumberedRequest[] };

/** One lane for each caller, and more for a caller whose own requests overlap. */
export function lanesOf({ requests }: LanesRecord): readonly Lane[] {
  const lanes: { readonly caller: string; readonly requests: NumberedRequest[] }[] = [];
  for (const [index, request] of requests.entries()) {
    const free = lanes.find(
      ({ caller, requests: own }) => caller === request.caller && (own.at(-1)?.answeredMs ?? 0) <= request.sentMs,
    );
    const numbered = { ...request, number: index + 1 };
    if (free === undefined) lanes.push({ caller: request.caller, requests: [numbered] });
    else free.requests.push(numbered);
  }
  return lanes;
}

/** The time that the lanes show, in milliseconds. */
export function spanOf({ requests, failsMs }: LanesRecord): number {
  return Math.max(1, failsMs, ...requests.map(({ answeredMs }) => answeredMs));
}

/** When every order of the requests fails. */
export function failureSentence({ requests, failsMs }: LanesRecord): string {
  const last = requests.findIndex(({ answeredMs }) => answeredMs === failsMs);
  const which = last < 0 ? '' : `, with the answer to request ${last + 1}`;
  return `At ${duration(failsMs)}${which}, no order of the requests explains their answers any more.`;
}

/** Each request in one line. */
export function requestLines({ requests }: LanesRecord): readonly string[] {
  return requests.map(
    ({ request, shows, answer, sentMs, answeredMs }, index) =>
      `${index + 1}. ${request} (${shows}): ${answer}, from ${duration(sentMs)} to ${duration(answeredMs)}`,
  );
}

/** Columns of the time. */
const columns = 56;
/** In characters. */
const maxCaller = 14;

/** The lanes as text: `[` is a request, `]` its answer, and `!` the answer from which on every order fails. */
export function lanesText(record: LanesRecord): readonly string[] {
  const spanMs = spanOf(record);
  const columnOf = (ms: number): number => Math.min(columns - 1, Math.floor((ms / spanMs) * columns));
  const failing = columnOf(record.failsMs);
  const lines = lanesOf(record).map(({ caller, requests }) => {
    const cells = Array.from({ length: columns }, () => '·');
    for (const { number, sentMs, answeredMs } of requests) {
      const [from, to] = [columnOf(sentMs), columnOf(answeredMs)];
      const label = `[${number}`;
      const end = Math.min(columns - 1, Math.max(to, from + label.length));
      cells.fill('=', from, end);
      for (const [index, sign] of [...label].entries()) if (from + index < end) cells[from + index] = sign;
      cells[end] = ']';
    }
    cells[failing] = '!';
    return `${caller.slice(0, maxCaller).padEnd(maxCaller)} ${cells.join('')}`;
  });
  return [...lines, failureSentence(record), ...requestLines(record)];
}
