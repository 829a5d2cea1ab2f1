import { reasons } from './assistant.ts';
import type { Request } from '../http/request.ts';
import type { Choice } from '../variation.ts';
import { catalogue } from '../../spec/catalogue.ts';

function isRead({ method }: Request): boolean {
  return method === 'GET';
}

function isChange({ operation }: Request): boolean {
  return operation === 'deleteDataSource' || operation === 'attachOrganization';
}

/** Selects a request now and then, and never twice within five seconds. */
function nowAndThen(every: number, wanted: (request: Request) => boolean): (request: Request) => boolean {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (request) => {
    const { turn, at } = request;
    if (!wanted(request) || turn % every !== 0 || at - lastAt < 5000) return false;
    lastAt = at;
    return true;
  };
}

/** The checks of the records that the lists show after a deletion. */
const recordsAfterDeletion = catalogue
  .filter(({ id }) => /^(?:models|sources)\./.test(id))
  .map(({ id }) => `${id}/after-deletion` as const);

const answeredInItsPlace = 'A gateway may answer a write, so the run cannot know whether it was carried out.';

const endsRaces = 'A restart may interrupt some of several simultaneous requests.';

const sentLater = 'A message that a gateway answered is sent again later. A quick response may have ended by then.';

const withinQuota = 'Slow answers keep a run within most quotas, so it is refused a few times at most.';

/** Which requests fail, how long answers take, and how many requests are handled at a time. */
export const servingChoices: readonly Choice[] = [
  {
    axis: 'gateway',
    section: '4',
    sentence: 'Which transient failures happen: errors of a proxy, broken connections or internal errors.',
    default: 'steady',
    values: {
      steady: {},
      hiccups: {
        alter: () => {
          const fails = nowAndThen(23, isRead);
          return { gatewayStatus: (request) => (fails(request) ? [502, 503, 504][request.turn % 3] : undefined) };
        },
      },
      'hiccups-of-a-network': {
        alter: () => {
          const fails = nowAndThen(23, isRead);
          return { gatewayStatus: (request) => (fails(request) ? [520, 525, 530][request.turn % 3] : undefined) };
        },
      },
      'hiccups-on-messages': {
        alter: () => {
          const fails = nowAndThen(13, ({ operation }) => operation === 'sendMessage');
          return { gatewayStatus: (request) => (fails(request) ? 503 : undefined) };
        },
      },
      'hiccups-on-writes': {
        alter: () => {
          const fails = nowAndThen(2, isChange);
          return {
            gatewayStatus: (request) => (fails(request) ? [502, 503, 504][request.turn % 3] : undefined),
            gatewayPassesOn: (request) => request.turn % 4 === 0,
          };
        },
      },
      restarts: {
        alter: () => ({ gatewayStatus: ({ at }) => (at % 30_000 < 2000 ? 503 : undefined) }),
      },
      resets: {
        alter: (rules) => {
          const resets = nowAndThen(29, isRead);
          return { breaks: (status, request) => (resets(request) ? 'reset' : rules.breaks(status, request)) };
        },
      },
      'errors-inside': { alter: () => ({ failsInside: nowAndThen(160, isRead) }) },
      'errors-inside-on-messages': {
        alter: () => ({ failsInside: nowAndThen(180, ({ operation }) => operation === 'sendMessage') }),
      },
      outages: {
        alter: () => ({
          gatewayStatus: (request) => (request.at % 17_000 < 1000 && !isChange(request) ? 'reset' : undefined),
        }),
      },
    },
    blocks: {
      restarts: {
        'access.attach-needs-a-role/side-by-side': endsRaces,
        'attach.success/at-once': endsRaces,
        'attach.count': endsRaces,
        'attach.twice': endsRaces,
        'delete.gone-or-marked': endsRaces,
        'delete.others-untouched': endsRaces,
        'delete.record': endsRaces,
        'delete.twice-no-5xx': endsRaces,
        'rate.no-effect': 'During a restart no request is refused, and time passes.',
      },
      outages: { 'rate.no-effect': endsRaces, 'wait.finishes': endsRaces },
      'hiccups-on-messages': {
        'messages.accepted-is-generating/repeated': sentLater,
        'idempotency.no-duplicate/while-generating': sentLater,
        'idempotency.opaque/uuid': sentLater,
      },
      'hiccups-on-writes': reasons(
        answeredInItsPlace,
        'paging.limit',
        'paging.cursor-is-last-id/listDataSources/after-deletion',
        'paging.any-id-is-cursor/listDataSources/after-deletion',
        'paging.has-more',
        'models.filter',
        'delete.record',
        'delete.record-types',
        'delete.gone-or-marked',
        'delete.others-untouched',
        'delete.models-removed',
        'delete.unknown',
        'delete.unknown-no-5xx',
        'delete.twice-no-5xx',
        'delete.cursor-no-5xx',
        'delete.cursor-keeps-place',
        'delete.cursor-reaches-the-rest',
        ...recordsAfterDeletion,
        'sources.no-secret',
        'access.denied',
        'access.denied-no-effect',
        'auth.no-effect',
        'access.foreign-path',
        'access.granted',
        'durability.deletions',
        'durability.attachments',
        'idempotency.later',
        'idempotency.after',
        'attach.count',
        'attach.twice',
        'rate.no-effect',
      ),
    },
  },
  {
    axis: 'pace',
    section: '4',
    sentence: 'How long an answer takes.',
    default: 'brisk',
    values: { brisk: {}, sluggish: { alter: () => ({ paceMs: () => 300 }) } },
    blocks: {
      sluggish: {
        'rate.body': withinQuota,
        'rate.honest': withinQuota,
        'rate.counts-down': withinQuota,
        'rate.no-effect': withinQuota,
        'attach.refused-no-effect': withinQuota,
        'access.denied-no-effect/attachOrganization/at-last': withinQuota,
      },
    },
  },
  {
    axis: 'workers',
    section: '4',
    sentence: 'How many requests the deployment handles at the same time. A held request occupies its worker.',
    default: 'enough',
    values: { enough: {}, '2': { alter: () => ({ workers: () => 2 }) } },
  },
];
