import type { LanesRecord } from '../record/record.ts';
import { duration } from './figures.ts';
import { laneScale } from './lane-scale.ts';

/** The width of a drawing: this many characters on a terminal, and as many equal parts on a page. */
export const columns = 56;
/** The width of a number, with the brackets around it. */
const labelColumns = 4;

/** A request with its number in the list of all requests, and where its bar begins and ends, in columns. */
type DrawnRequest = { readonly number: number; readonly from: number; readonly until: number };

/** Requests of one caller that do not overlap, and whose numbers have room beside each other. */
export type Lane = { readonly caller: string; readonly requests: readonly DrawnRequest[] };

export type LanesDrawing = {
  /** At least one for each caller. */
  readonly lanes: readonly Lane[];
  /** The column from which on every order fails. */
  readonly failsAt: number;
  /** The columns of time in which no request was open, and which is drawn shorter than it was. */
  readonly cuts: readonly number[];
  /** What the marks of the cuts stand for. */
  readonly cutSentence: string | undefined;
};

/** Places the requests so that each is visible with its number. */
export function drawLanes(record: LanesRecord): LanesDrawing {
  const { at, cuts } = laneScale(record);
  // What begins at the very end still has room for its number.
  const column = (share: number): number => share * (columns - labelColumns);
  const lanes: { readonly caller: string; readonly requests: DrawnRequest[]; free: number }[] = [];
  for (const [index, { caller, sentMs, answeredMs }] of record.requests.entries()) {
    const drawn = { number: index + 1, from: column(at(sentMs)), until: column(at(answeredMs)) };
    const begin = Math.floor(drawn.from);
    const free = Math.max(Math.floor(drawn.until) + 1, begin + labelColumns + 1);
    const lane = lanes.find((candidate) => candidate.caller === caller && candidate.free <= begin);
    if (lane === undefined) lanes.push({ caller, requests: [drawn], free });
    else {
      lane.requests.push(drawn);
      lane.free = free;
    }
  }
  return {
    lanes: lanes.map(({ caller, requests }) => ({ caller, requests })),
    failsAt: column(at(record.failsMs)),
    cuts: cuts.map((cut) => column(cut.at)),
    cutSentence:
      cuts.length === 0
        ? undefined
        : `~ stands for time in which no request was open: ${cuts.map(({ idleMs }) => duration(idleMs)).join(', ')}.`,
  };
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

/** In characters. */
const maxCaller = 14;

/**
 * The lanes as text: `[` is a request, `]` its answer, `!` the answer from which on every order fails, and `~` time that is
 * drawn shorter.
 */
export function lanesText(record: LanesRecord): readonly string[] {
  const { lanes, failsAt, cuts, cutSentence } = drawLanes(record);
  const failing = Math.floor(failsAt);
  const rows = lanes.map(({ caller, requests }) => {
    const cells = Array.from({ length: columns }, () => '·');
    for (const cut of cuts) cells[Math.floor(cut)] = '~';
    for (const { number, from, until } of requests)
      drawRequest(cells, `[${number}`, Math.floor(from), Math.floor(until));
    if (cells[failing] === '·' || cells[failing] === '=') cells[failing] = '!';
    return `${caller.slice(0, maxCaller).padEnd(maxCaller)} ${cells.join('')}`;
  });
  return [
    ...rows,
    `${' '.repeat(maxCaller + 1 + failing)}!`,
    ...(cutSentence === undefined ? [] : [cutSentence]),
    `! ${failureSentence(record)}`,
    ...requestLines(record),
  ];
}

function drawRequest(cells: string[], label: string, begin: number, end: number): void {
  const close = Math.max(end, begin + label.length);
  cells.fill('=', begin, close);
  cells.splice(begin, label.length, ...label);
  cells[close] = ']';
}
