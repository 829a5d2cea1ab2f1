import { at } from '../core/json.ts';
import { describe, shown } from '../core/text.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type Promised, promised } from './judgement.ts';
import type { Departure, ReadRecord } from './records.ts';

/** Section 2.1: all fields are required. */
export const requiredFields: ModelShape = shape('models.required-fields', lacksField);

/** Sections 2.1 and 8, row by row. */
export const modelShapes: readonly ModelShape[] = [
  requiredFields,
  shape('models.text-fields', (departure) => isOf(departure, ...textFields) && !isTooLong(departure)),
  shape('models.description', (departure) => isOf(departure, 'description') && isTooLong(departure)),
  shape('models.date-times', (departure) => isOf(departure, 'createdAt', 'updatedAt')),
  shape('models.verified', (departure) => isOf(departure, 'verifiedAt', 'verifiedByMemberId')),

  shape('models.columns', (departure) => isOf(departure, 'columns') && isWhole(departure, 'name', 'nullable'), {
    needs: 'columns',
  }),
  shape('models.column-type', (departure) => isPart(departure, 'columns', 'type'), { needs: 'columns' }),
  shape('models.column-example', (departure) => isPart(departure, 'columns', 'example', 'sampleValues'), {
    needs: 'columns',
  }),
  shape('models.column-description', (departure) => isPart(departure, 'columns', 'description'), {
    needs: 'columns',
    with: 'description',
  }),
  shape('models.column-synonyms', (departure) => isPart(departure, 'columns', 'synonyms'), {
    needs: 'columns',
    with: 'synonyms',
  }),

  shape('models.measures', (departure) => isOf(departure, 'measures') && isWhole(departure), { needs: 'measures' }),
  shape('models.measure-name', (departure) => isPart(departure, 'measures', 'name'), { needs: 'measures' }),
  shape('models.measure-text', (departure) => isPart(departure, 'measures', ...expressionTexts), { needs: 'measures' }),
  shape('models.segments', (departure) => isOf(departure, 'segments') && isWhole(departure), { needs: 'segments' }),
  shape('models.segment-name', (departure) => isPart(departure, 'segments', 'name'), { needs: 'segments' }),
  shape('models.segment-text', (departure) => isPart(departure, 'segments', ...expressionTexts), { needs: 'segments' }),

  shape('models.default-time-column', (departure) => isOf(departure, 'defaultTimeColumn')),
  shape('models.synonyms', (departure) => isOf(departure, 'synonyms'), { needs: 'synonyms' }),
  shape('models.grain', (departure) => isOf(departure, 'grain')),
  shape('models.key-columns', (departure) => isOf(departure, 'keyColumns'), { needs: 'keyColumns' }),

  shape(
    'models.relationships',
    (departure) =>
      isOf(departure, 'relationships') && isWhole(departure, 'targetModelId', 'sourceColumn', 'targetColumn'),
    { needs: 'relationships' },
  ),
  shape('models.cardinality', (departure) => isPart(departure, 'relationships', 'cardinality'), {
    needs: 'relationships',
  }),
  shape('models.usage-guidance', (departure) => isOf(departure, 'usageGuidance')),
  shape('models.warnings', (departure) => isOf(departure, 'warnings') && isWhole(departure, 'message', 'name'), {
    needs: 'warnings',
  }),
  shape('models.warning-code', (departure) => isPart(departure, 'warnings', 'code', 'field'), { needs: 'warnings' }),
];

/** Fields that are plain strings. */
const textFields = [
  'id',
  'name',
  'referenceName',
  'description',
  'sqlQuery',
  'organizationId',
  'databaseConnectionId',
] as const;

/** What a measure or a segment has beside its name. */
const expressionTexts = ['sql', 'description', 'synonyms'] as const;

/** What some model must show before a check says anything: the array it is about, and a field of its items. */
type Needs = { readonly needs?: string; readonly with?: string };

/** A promise about the shape of a model. */
export type ModelShape = Promised<ReadRecord> & {
  /** Whether a model has anything that could depart from it. */
  readonly shownBy: (record: unknown) => boolean;
  /** What such a model has, in words. */
  readonly needed: string;
};

function shape(requirement: RequirementId, speaks: (departure: Departure) => boolean, needed: Needs = {}): ModelShape {
  const shownBy = (record: unknown) => shows(record, needed);
  const { judge } = promised(requirement, ({ record, departures }: ReadRecord) => {
    const wrong = departures.find(speaks);
    if (wrong === undefined) return shownBy(record) ? 'kept' : undefined;
    const where = `${shown(wrong.path, 100)} of model ${describe(at(record, 'id'), 100)}`;
    return { expected: `${where}: ${wrong.expected}`, actual: shown(wrong.received) };
  });
  return { requirement, judge, shownBy, needed: [needed.needs, needed.with].filter(Boolean).join(' with ') };
}

function shows(record: unknown, { needs, with: field }: Needs): boolean {
  if (needs === undefined) return true;
  const items = at(record, needs);
  if (!Array.isArray(items)) return false;
  return items.some((item) => field === undefined || at(item, field) !== undefined);
}

/** The whole field is absent: models.required-fields alone speaks of that. */
function lacksField({ path, field, received }: Departure): boolean {
  return path === field && received === 'absent';
}

/** In one of the fields, at any depth. */
function isOf(departure: Departure, ...fields: readonly string[]): boolean {
  return fields.includes(departure.field) && !lacksField(departure);
}

/** The array itself, one of its items, or one of these fields of an item; or a field that every item has to have. */
function isWhole({ part, received }: Departure, ...parts: readonly string[]): boolean {
  return part === '' || parts.includes(part) || (received === 'absent' && parts.length > 0);
}

/** One of these fields of an item of the array. */
function isPart(departure: Departure, field: string, ...parts: readonly string[]): boolean {
  return departure.field === field && parts.includes(departure.part);
}

function isTooLong({ expected }: Departure): boolean {
  return expected.startsWith('at most');
}
