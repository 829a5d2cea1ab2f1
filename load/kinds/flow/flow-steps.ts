import { z } from 'zod';
import { nearestAlike } from '../../../core/names/nearest.ts';
import { listed } from '../../../reports/text/some-of.ts';
import type { Path } from '../../../targets/target-yaml.ts';
import { allowedOf, count } from '../../profile/fields.ts';
import { loadOperations, repeatableOperations } from '../../profile/mix.ts';
import { parseDurationMs } from '../../profile/quantity.ts';
import { measureNames } from '../../profile/threshold.ts';
import type { Schedule } from '../../schedule/arrivals.ts';
import type { Rows } from './data-rows.ts';
import { parseTemplate, referencesOf } from './template.ts';

/** The name of the whole flow, beside those of its steps. */
export const wholeFlow = 'flow';

const mostThinkMs = 600_000;
const thinkError = 'must be a time or two, such as 2s or 1s to 5s, of up to 10m';

/** A time to think: one length, or any between two. */
function think() {
  return z
    .string({ error: thinkError })
    .refine((text) => rangeOf(text) !== undefined, { error: thinkError })
    .meta({ allowed: allowedOf(thinkError) });
}

export type Think = { readonly leastMs: number; readonly mostMs: number };

function rangeOf(text: string): Think | undefined {
  const [least, most = least, ...more] = text.split(' to ').map(parseDurationMs);
  if (least === undefined || most === undefined || more.length > 0 || least > most || most > mostThinkMs)
    return undefined;
  return { leastMs: least, mostMs: most };
}

function thinkOf(text: string): Think {
  const range = rangeOf(text);
  if (range === undefined) throw new Error(`a time to think that was not checked: ${text}`);
  return range;
}

function template(description: string) {
  const error = 'must be text; a brace must belong to a reference such as {open.data.0.id} or be doubled';
  return z
    .string({ error })
    .max(10_000, { error })
    .refine((text) => parseTemplate(text) !== undefined, { error })
    .meta({ allowed: 'text with references such as {open.data.0.id}', description })
    .optional();
}

const nameError = 'must be a letter and up to 39 letters and digits';

const step = z.strictObject(
  {
    name: z
      .string({ error: nameError })
      .regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, { error: nameError })
      .meta({
        allowed: allowedOf(nameError),
        description: 'The name of the step in thresholds, reports and references.',
      }),
    send: z
      .enum(repeatableOperations, { error: `must be one of ${repeatableOperations.join(', ')}` })
      .describe('What is sent.'),
    limit: count('must be a whole number from 1 to 100', 100).describe('For a list: its `limit`.').optional(),
    cursor: template('For a list: its `cursor`, such as `{open.pagination.nextCursor}`.'),
    databaseConnectionId: template('For models: the data source, such as `{sources.data.any.id}`.'),
    message: template('For a message: its text; by default the quick prompt of the target file.'),
    wait: count('must be a whole number of seconds from 1 to 300', 300)
      .describe('For a message: its `wait`. Without this field, no `wait` is sent.')
      .optional(),
    think: think().describe('How long the user thinks before the step; by default the `think` of the flow.').optional(),
  },
  { error: 'must be a map, such as { name: open, send: listModels }' },
);

type WrittenStep = z.infer<typeof step>;

const maxSteps = 50;

export const stepsField = z
  .array(step, { error: 'must be a list of steps, such as [{ name: open, send: listModels }]' })
  .min(1, { error: 'must hold at least one step' })
  .max(maxSteps, { error: `must hold at most ${maxSteps} steps` })
  .describe('What each user does, one step after the other.');

export const thinkField = think()
  .describe('How long users think before each step except the first; 0s by default.')
  .optional();

/** A step with every default filled in. */
export type FlowStep = Omit<WrittenStep, 'think'> & { readonly think: Think };

/** The users of a flow, when they arrive, and what they do. */
export type FlowLoad = Schedule & {
  readonly sockets: number;
  readonly steps: readonly FlowStep[];
  readonly rows: Rows;
};

export function stepsOf(steps: readonly WrittenStep[], usual = '0s'): readonly FlowStep[] {
  return steps.map((one) => ({ ...one, think: thinkOf(one.think ?? usual) }));
}

type Problem = { readonly path: Path; readonly message: string };

const fieldsOf = {
  listModels: ['limit', 'cursor', 'databaseConnectionId'],
  listDataSources: ['limit', 'cursor'],
  getBillingAccount: [],
  sendMessage: ['message', 'wait'],
} as const satisfies Readonly<Record<FlowStep['send'], readonly (keyof WrittenStep)[]>>;

const ownFields = ['limit', 'cursor', 'databaseConnectionId', 'message', 'wait'] as const;

/** Names that mean something else in a threshold or in a reference. */
const taken: ReadonlySet<string> = new Set([
  'row',
  wholeFlow,
  ...loadOperations,
  ...measureNames.map((name) => name.replace(/\..*/, '')),
]);

/** The columns of the data; undefined if a flow has none. */
type Columns = readonly string[] | 'unknown' | undefined;

/** What is wrong with steps although each field is valid. */
export function stepProblems(steps: readonly WrittenStep[], columns: Columns): readonly Problem[] {
  return steps.flatMap((own, index) => {
    const earlier = steps.slice(0, index).map(({ name }) => name);
    const at = (field: string, message: string): Problem => ({ path: ['steps', index, field], message });
    const allowed: readonly string[] = fieldsOf[own.send];
    return [
      ...(taken.has(own.name) ? [at('name', 'is a word with a meaning of its own; choose another')] : []),
      ...(earlier.includes(own.name) ? [at('name', 'is the name of an earlier step')] : []),
      ...ownFields.flatMap((field) => {
        const value = own[field];
        if (value === undefined) return [];
        if (!allowed.includes(field)) return [at(field, `has no meaning for ${own.send}`)];
        const wrong = referencesOf(String(value)).flatMap(({ of, path: [column = ''] }) =>
          of === 'row' ? columnProblem(column, columns) : stepProblem(of, earlier),
        );
        return wrong.slice(0, 1).map((message) => at(field, message));
      }),
    ];
  });
}

function columnProblem(column: string, columns: Columns): readonly string[] {
  if (columns === undefined) return [`refers to the column ${column}, but the flow has no data`];
  if (columns === 'unknown' || columns.includes(column)) return [];
  const likely = nearestAlike(column, columns);
  const advice = likely === undefined ? `its columns are ${listed(columns)}` : `did you mean ${likely}?`;
  return [`refers to the column ${column}, which the data does not have; ${advice}`];
}

function stepProblem(of: string, earlier: readonly string[]): readonly string[] {
  if (earlier.includes(of)) return [];
  const likely = nearestAlike(of, earlier);
  return [`refers to ${of}, which is no earlier step${likely === undefined ? '' : `; did you mean ${likely}?`}`];
}
