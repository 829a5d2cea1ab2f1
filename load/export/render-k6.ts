import { peakOf } from '../profile/arrival-fields.ts';
import { type ExportedEntry, type ExportedLoad, leftOut } from './exported-load.ts';
import { k6Options, unjudgedByK6 } from './k6-options.ts';
import { k6Script } from './k6-script.ts';

/** A script for k6 that draws each request from the mix of an open load. */
export function renderK6(load: ExportedLoad): string {
  const { profile, schedule, target, entries } = load;
  const users = {
    atFirst: Math.min(schedule.sockets, Math.ceil(peakOf(schedule))),
    most: schedule.sockets,
    gracefulStopMs: Math.max(profile.timeoutMs, ...entries.map(({ timeoutMs }) => timeoutMs)),
  };
  return k6Script({
    profile,
    target,
    isPoisson: schedule.arrivals === 'poisson',
    comments: ['Lists are read without a cursor or a filter.', ...leftOut(load, unjudgedByK6(profile))],
    requests: entries.flatMap(({ requests }) => requests),
    imports: ["import { check } from 'k6';", "import exec from 'k6/execution';", "import http from 'k6/http';"],
    options: k6Options(profile, schedule, users),
    code: [
      '/** @type {{ operation: string, share: number, timeout: string, requests: Request[] }[]} */',
      `const mix = ${JSON.stringify(entries.map(mixEntry), null, 2)};`,
      '',
      ...drawAndSend,
    ],
  });
}

/** Drawn by weight, then evenly, as the profile says. */
const drawAndSend = [
  'export default function () {',
  '  let place = Math.random();',
  '  const { operation, timeout, requests } = mix.find(({ share }) => (place -= share) < 0) || mix[mix.length - 1];',
  '  const request = requests[Math.floor(Math.random() * requests.length)];',
  "  send(request, timeout, { name: operation, operation }, 'none');",
  '}',
];

function mixEntry({ operation, share, timeoutMs, requests }: ExportedEntry) {
  return { operation, share, timeout: `${timeoutMs}ms`, requests };
}
