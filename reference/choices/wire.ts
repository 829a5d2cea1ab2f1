import { timestamp } from '../data/timestamp.ts';
import type { TimestampForm } from '../data/options.ts';
import { remembered } from '../state/remembered.ts';
import type { Choice, Variation } from '../variation.ts';
import type { WireForm } from '../http/wire-form.ts';

function form(name: WireForm): Variation {
  return { alter: () => ({ form: () => name }) };
}

function contentType(value: string, forErrors = value): Variation {
  return { alter: () => ({ headers: (status) => ({ 'content-type': status >= 400 ? forErrors : value }) }) };
}

/** Timestamps of stored data and of new data in one form. */
function timestamps(name: TimestampForm): Variation {
  return { data: { timestamps: name }, alter: () => ({ timestamp: (ms) => timestamp(name, ms) }) };
}

/** In hours. */
const offsets = [0, 5.5, -8];

/** The timestamps of a body, written with an offset. */
function inOffset(text: string, hours: number): string {
  const sign = hours < 0 ? '-' : '+';
  const [whole, minutes] = [Math.floor(Math.abs(hours)), (Math.abs(hours) % 1) * 60];
  const offset = `${sign}${String(whole).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  return text.replaceAll(/(?<="\w+At": *")[\d-]{10}T[\d:.]{12}Z(?=")/g, (time) => {
    return `${new Date(Date.parse(time) + hours * 3_600_000).toISOString().slice(0, 23)}${offset}`;
  });
}

/** Every character outside ASCII as an escape. */
const escaped = remembered((text) =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
);

/** White space where JSON allows it. */
const spaced = remembered((text) => `${text.slice(0, 1)}\n\t ${text.slice(1, -1)}\r\n${text.slice(-1)}\n`);

export const wireChoices: readonly Choice[] = [
  {
    axis: 'framing',
    section: '1',
    sentence: 'How HTTP transfers a body.',
    default: 'plain',
    values: {
      plain: {},
      chunked: form('chunked'),
      gzip: form('gzip'),
      close: form('close'),
      'gzip-when-asked': {
        alter: () => ({
          form: (_status, { headers }) => (headers['accept-encoding']?.includes('gzip') === true ? 'gzip' : 'plain'),
        }),
      },
    },
  },
  {
    axis: 'content-type',
    section: '1',
    sentence: 'The form of the JSON content type.',
    default: 'with-charset',
    values: {
      'with-charset': {},
      bare: contentType('application/json'),
      capitals: contentType('Application/JSON;charset="UTF-8"'),
      problem: contentType('application/json', 'application/problem+json'),
      vendor: contentType('application/vnd.workspace.v1+json'),
      text: contentType('text/json; charset=utf-8'),
    },
  },
  {
    axis: 'headers',
    section: '1',
    sentence: 'Additional headers.',
    default: 'few',
    values: {
      few: {},
      many: {
        alter: (rules) => ({
          headers: (status, request) => ({
            ...rules.headers(status, request),
            date: 'Thu, 15 Jan 2026 12:00:00 GMT',
            'x-request-id': `req-${request.turn}`,
            'cache-control': 'no-store',
            vary: 'Origin, Accept-Encoding',
            etag: `W/"${request.turn}"`,
            'set-cookie': 'a=1; Path=/; HttpOnly',
            ...(status === 401 ? { 'www-authenticate': 'Bearer realm="api"' } : {}),
          }),
        }),
      },
    },
  },
  {
    axis: 'json-writing',
    section: '1',
    sentence: 'How JSON is formatted.',
    default: 'compact',
    values: {
      compact: {},
      spaced: { alter: () => ({ bodyText: (text) => spaced(text) }) },
      escaped: { alter: () => ({ bodyText: (text) => escaped(text) }) },
      ascii: {
        alter: (rules) => ({
          bodyText: (text) => escaped(text),
          headers: (status, request) => ({
            ...rules.headers(status, request),
            'content-type': 'application/json; charset=us-ascii',
          }),
        }),
      },
    },
  },
  {
    axis: 'timestamps',
    section: '2',
    sentence: 'The fraction digits and the offset of timestamps.',
    default: 'milliseconds',
    values: {
      milliseconds: {},
      seconds: timestamps('seconds'),
      microseconds: timestamps('microseconds'),
      offset: timestamps('offset'),
      'zero-offset': timestamps('zero-offset'),
      uneven: timestamps('uneven'),
      'another-offset-each-time': {
        alter: () => ({ bodyText: (text, { turn }) => inOffset(text, offsets[turn % offsets.length] ?? 0) }),
      },
    },
  },
  {
    axis: 'server-time',
    section: '2',
    sentence: "The difference between the service's clock and the caller's.",
    default: 'same',
    values: {
      same: {},
      'hour-ahead': { alter: (rules) => ({ timestamp: (ms) => rules.timestamp(ms + 3_600_000) }) },
      'minute-behind': { alter: (rules) => ({ timestamp: (ms) => rules.timestamp(ms - 60_000) }) },
    },
    warns: { 'hour-ahead': ['messages.created-now'] },
    blocks: {
      'hour-ahead': { 'messages.created-now': 'If all messages have the same time, its clock may stand still.' },
    },
  },
];
