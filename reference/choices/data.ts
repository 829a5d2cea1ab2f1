import { hash } from '../../core/hash.ts';
import { reasons } from './assistant.ts';
import type { DataOptions } from '../data/options.ts';
import type { JsonObject } from '../http/json.ts';
import type { Choice, Variation } from '../variation.ts';

function data<Name extends keyof DataOptions>(
  name: Name,
  ...values: readonly DataOptions[Name][]
): Record<string, Variation> {
  return Object.fromEntries(values.map((value): [string, Variation] => [String(value), { data: { [name]: value } }]));
}

/** One model in this many has other columns and warnings in each answer. */
const inferredAnew = 5;

function inferredFor(turn: number, model: JsonObject): JsonObject {
  const { columns } = model;
  if (!Array.isArray(columns) || turn % 2 === 0) return model;
  return { ...model, columns: columns.map((column: JsonObject) => ({ ...column, nullable: true })), warnings: [] };
}

/** The requirements of pages that need a longer list. */
function tooFew(items: number): NonNullable<Choice['blocks']>[string] {
  const reason = (needed: number): string => `No list has ${needed} items.`;
  return {
    ...(items < 1 ? { 'paging.has-more/listModels/at-a-limit': 'No model is listed.' } : {}),
    ...(items < 51 ? { 'paging.default-limit': reason(51) } : {}),
    ...(items < 100 ? { 'paging.limit-maximum': reason(100) } : {}),
    ...(items < 101 ? { 'paging.limit-cap': reason(101) } : {}),
    ...(items < 102
      ? reasons(
          'One page holds the models after a deletion.',
          'paging.limit/listModels/after-deletion',
          'paging.has-more/listModels/after-deletion',
        )
      : {}),
  };
}

const sizes = [0, 1, 3, 50, 51, 100, 101, 250] as const;
const blocksBySize = Object.fromEntries(sizes.map((size) => [String(size), tooFew(size)]));
const fewFiltered = { 'paging.default-limit': 'No data source has 51 models.' };
const nothingLeft = 'The run deletes all data sources that may be deleted, so none is left to check.';
const allAttached = 'Every organization of the account is attached at the end.';
const allDeleted = {
  'access.denied-no-effect': nothingLeft,
  'auth.no-effect': nothingLeft,
  'sources.date-times/to-a-browser': nothingLeft,
};

const withoutCutIds = reasons(
  'An ID without its last character may be another one, or mean the same.',
  'delete.unknown/inexact',
  'messages.unknown-chat/inexact',
);

/** The data of the organizations, and its form. */
export const dataChoices: readonly Choice[] = [
  {
    axis: 'models',
    section: '4.1',
    sentence: 'How many models the main organization has.',
    default: '130',
    values: { ...data('models', ...sizes), '130': {} },
    blocks: {
      ...blocksBySize,
      ...Object.fromEntries([51, 100, 101].map((size) => [String(size), { ...fewFiltered, ...tooFew(size) }])),
    },
  },
  {
    axis: 'sources',
    section: '4.5',
    sentence: 'How many data sources the main organization has. Without any, it has no models either.',
    default: '112',
    values: { ...data('sources', ...sizes), '112': {} },
    blocks: {
      ...blocksBySize,
      ...Object.fromEntries([0, 1, 3].map((size) => [String(size), { ...tooFew(size), ...allDeleted }])),
      '51': {
        ...tooFew(51),
        'paging.default-limit/listDataSources/after-deletion': 'Too few are left after a deletion.',
      },
    },
  },
  {
    axis: 'disposable-sources',
    section: '4.6',
    sentence: 'How many data sources the target file allows the suite to delete.',
    default: '8',
    values: { '8': {}, ...data('disposableSources', 30) },
  },
  {
    axis: 'attachable-to-first',
    section: '4.3',
    sentence:
      'How many of seven organizations may be attached to the first billing account. The others may be attached to a second account.',
    default: '7',
    values: { '7': {}, ...data('attachableToFirst', 5, 2) },
    blocks: {
      '5': { 'access.denied-no-effect/attachOrganization/at-last': allAttached },
      '2': {
        'access.denied-no-effect/attachOrganization/at-last': allAttached,
        'access.denied/getBillingAccount/attached':
          'Those who may read an attached organization may read the account too.',
      },
    },
  },
  {
    axis: 'created-at',
    section: '4.1',
    sentence: 'Which items have the same creation time.',
    default: 'tied-at-borders',
    values: { 'tied-at-borders': {}, ...data('createdAt', 'all-equal', 'distinct') },
    blocks: {
      'all-equal': {
        'delete.cursor-keeps-place': 'The data source to delete may be the first in the list.',
        'delete.cursor-reaches-the-rest': 'The data source to delete may be the last in the list.',
        'paging.has-more/listDataSources/at-last': 'The last data source in the list may not be one to delete.',
      },
    },
  },
  {
    axis: 'nullable',
    section: '2',
    sentence: 'Which nullable fields are null.',
    default: 'mixed',
    values: { mixed: {}, ...data('nullable', 'null', 'set') },
    blocks: {
      null: {
        'models.time-column-exists': 'Every defaultTimeColumn is null.',
        'models.verified-after-created': 'Every verifiedAt is null.',
      },
      set: { 'models.verified-by': 'No verifiedAt is null.' },
    },
  },
  {
    axis: 'optional',
    section: '2',
    sentence: 'Which optional fields are absent.',
    default: 'mixed',
    values: { mixed: {}, ...data('optional', 'absent', 'present') },
    blocks: {
      absent: {
        'models.column-description': 'No column has a description.',
        'models.column-synonyms': 'No column has synonyms.',
        'models.example-is-first-sample': 'No column has samples.',
        'models.samples-distinct': 'No column has samples.',
      },
    },
  },
  {
    axis: 'inference',
    section: '2.1',
    sentence: 'Whether the columns and warnings of a model are computed once or for each answer.',
    default: 'once',
    values: {
      once: {},
      'for-each-answer': {
        alter: () => ({
          // By its ID, because its place depends on the filter.
          modelShown: (model, { turn }) =>
            hash(String(model['id'])) % inferredAnew === 0 ? inferredFor(turn, model) : model,
        }),
      },
    },
  },
  {
    axis: 'texts',
    section: '8',
    sentence: 'How long texts are.',
    default: 'boundaries',
    values: { boundaries: {}, ...data('texts', 'short', 'long-astral') },
  },
  {
    axis: 'ids',
    section: '2',
    sentence: 'The format of IDs, and whether two organizations may use the same ID.',
    default: 'mixed',
    values: {
      mixed: {},
      ...data(
        'ids',
        'uuid',
        'number',
        'per-organization',
        'slash',
        'space',
        'percent',
        'unicode',
        'reserved',
        'long',
        'dots',
      ),
    },
    blocks: {
      ...Object.fromEntries(['number', 'space', 'percent', 'unicode', 'reserved'].map((ids) => [ids, withoutCutIds])),
      'per-organization': {
        ...withoutCutIds,
        'access.foreign-list': 'Equal data sources of two organizations have the same ID.',
        'access.foreign-path': 'Another organization may have a chat with the same short ID.',
        'access.foreign-filter-404': 'Every organization with models may have a data source with the same ID.',
      },
    },
  },
  {
    axis: 'extra-fields',
    section: '2',
    sentence: 'Additional fields in records.',
    default: 'none',
    values: { none: {}, ...data('extraFields', 'scalars', 'nested') },
  },
  {
    axis: 'words',
    section: '2.5',
    sentence:
      'The values of enumerations that the specification does not list: dialect, synchronisation, health, subscription.',
    default: 'upper',
    values: { upper: {}, ...data('words', 'lower', 'unheard-of') },
  },
];
