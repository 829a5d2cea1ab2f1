import { hasCursor, on } from '../shared/requests.ts';
import { faultsOf } from '../shared/faults-of.ts';
import type { Fault } from '../../variation.ts';
import { sized } from './list-limits.ts';

/** An illegal limit is replaced. */
function replacing(isSuch: (limit: number) => boolean, instead: (limit: number) => number): Fault['alter'] {
  return (rules) => ({
    limitInstead: (limit, request) => (isSuch(limit) ? instead(limit) : rules.limitInstead(limit, request)),
  });
}

const all = 1_000_000;

/** What becomes of a limit that is no integer from 1 to 100. */
export const limitsOutOfRangeFaults = faultsOf({
  'paging.limit-cap': {
    'limit-runs-over': {
      sentence:
        'A limit is cast to 32 bits before it is checked, so a large limit becomes negative, which means no limit.',
      alter: (rules) => ({ limitInRange: (limit, request) => limit >= 2 ** 31 || rules.limitInRange(limit, request) }),
    },
    'limit-and-one-runs-over': {
      sentence:
        'One is added to a limit before it is checked, so the largest integer of 64 bits becomes negative, which means no limit.',
      alter: (rules) => ({
        limitInRange: (limit, request) =>
          request.query.get('limit')?.[0] === '9223372036854775807' || rules.limitInRange(limit, request),
      }),
    },
    'limit-too-large-is-none': {
      sentence: 'A limit that exceeds 64 bits cannot be parsed and is treated as no limit.',
      alter: (rules) => ({ limitInRange: (limit, request) => limit >= 2 ** 63 || rules.limitInRange(limit, request) }),
    },
    'limit-in-exponents': {
      sentence: 'A limit such as 1e3 is checked by its first digits and used as a number.',
      alter: (rules) => ({
        readLimit: (text, request) => (/^\d+e\d$/.test(text ?? '') ? Number(text) : rules.readLimit(text, request)),
        limitInRange: (limit, request) =>
          /e/.test(request.query.get('limit')?.[0] ?? '') || rules.limitInRange(limit, request),
      }),
    },
    'limit-unbounded-after-cursor': {
      sentence: 'The limit of later pages is not checked.',
      alter: (rules) => ({
        limitInRange: (limit, request) => (limit >= 1 && hasCursor(request)) || rules.limitInRange(limit, request),
      }),
    },
    'limit-repeated': {
      sentence: 'Of two limits, the first is checked and the last is used.',
      alter: (rules) => ({
        ...sized((limit, { query }) => Number(query.get('limit')?.at(-1) ?? limit))(rules),
        repeated: ([first]) => first,
      }),
    },
    'limit-without-maximum': {
      sentence: 'A limit above 100 is accepted and returns that many items.',
      alter: replacing(
        (limit) => limit > 100,
        (limit) => limit,
      ),
    },
    'limit-zero-is-all': {
      sentence: 'limit=0 returns the whole list.',
      alter: replacing(
        (limit) => limit === 0,
        () => all,
      ),
    },
    'limit-negative-is-all': {
      sentence: 'A negative limit returns all data sources: LIMIT -1 means no limit in SQLite.',
      alter: (rules) => ({
        limitInstead: (limit, request) =>
          limit < 0 && on('listDataSources')(request) ? all : rules.limitInstead(limit, request),
      }),
    },
    'limit-empty-is-all': {
      sentence: 'A limit without a value becomes 0, which means no limit.',
      alter: (rules) => ({
        limitInstead: (limit, request) =>
          request.query.get('limit')?.[0] === '' ? all : rules.limitInstead(limit, request),
      }),
    },
    'limit-text-is-all': {
      sentence: 'A limit that is not a number becomes NaN, and the whole list is returned.',
      alter: replacing(Number.isNaN, () => all),
    },
  },
  'paging.limit-refused': {
    'limit-clamped-without-error': {
      sentence: 'A limit out of range is silently replaced by the nearest allowed value.',
      alter: () => ({ limitInstead: (limit) => (Number.isNaN(limit) ? 50 : Math.min(100, Math.max(1, limit))) }),
    },
    'limit-wraps-around': {
      sentence: 'A limit is cast to 32 bits, so 4294967297 becomes 1.',
      alter: (rules) => ({
        readLimit: (text, request) => {
          const limit = rules.readLimit(text, request);
          return Number.isNaN(limit) ? limit : limit | 0;
        },
      }),
    },
  },
});
