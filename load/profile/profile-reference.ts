import { z } from 'zod';
import { loadKinds } from '../kinds/kinds.ts';
import { templateOf } from './profile-file.ts';
import { profileSchema } from './profile-schema.ts';
import { measureNames } from './threshold.ts';

/** The parts of a JSON Schema that the reference uses. */
const nodeSchema = z.looseObject({
  description: z.string().default(''),
  allowed: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).default([]),
});

type Node = z.infer<typeof nodeSchema>;

/** `required` is empty, `yes`, or the optional field that it is required in. */
type Field = { readonly path: string; readonly node: Node; readonly required: string };

const measures = `| measure | is |
| --- | --- |
| \`latency\` | the time of successes and timeouts from the scheduled time of the request to the end of the answer, such as 250ms |
| \`service\` | the time of the same requests from sending to the end of the answer |
| \`errors.rate\` | the share of requests that failed, such as 0.1%; a 409 on a message is no error, and a 429 only with \`rateLimitedIsError\` |
| \`rateLimited.rate\`, \`conflicts.rate\` | the share of 429 answers; the share of correct refusals, such as a 409 on a message to a busy chat |
| \`timeouts.rate\`, \`transport.rate\` | the share of requests without an answer in time; the share of broken connections |
| \`withheld.rate\` | the share of requests that were dropped because no chat was idle |
| \`throughput\` | successful answers a second that arrived within the measured time, such as 50/s |
| \`violations\` | the number of answers that violate a requirement |`;

/** The reference of every field of a profile as Markdown. */
export function profileReference(): string {
  const root = nodeSchema.parse(z.toJSONSchema(profileSchema, { io: 'input' }));
  const load = childOf(root, 'load');
  const top = fieldsOf(root, '', (path) => path !== 'load' && path !== 'operations');
  const kinds = loadKinds.flatMap(({ name, example }) => [
    `### \`load.${name}\``,
    table(fieldsOf(childOf(load, name), `load.${name}.`)),
    `\`awc load --profile ${example}\` runs this profile:`,
    `\`\`\`yaml\n${templateOf(name).trimEnd()}\n\`\`\``,
  ]);
  const blocks = [
    '# Load profiles: every field',
    'This page is generated from the schema, and a test compares the two. [load-testing.md](load-testing.md) says what profiles are for. `awc profile init`\nwrites a profile, and `awc profile check FILE` says what is wrong with it. An unknown field is an error.',
    '## The profile',
    table(top),
    `A threshold compares a measure with a bound: \`<\`, \`<=\`, \`>\`, \`>=\` or \`==\`. The name of an operation with a dot before a measure\nlimits the measure to that operation: \`listModels.latency.p99\`. In a flow, the name of a step or \`flow\` does so too. The measures are ${measureNames.map((name) => `\`${name}\``).join(', ')}.`,
    measures,
    '## The operations',
    'Loads other than `rateLimit`, `contention` and `flow` need at least one operation with a weight over 0.',
    table(fieldsOf(childOf(root, 'operations'), 'operations.')),
    '## The load',
    'A profile has exactly one kind of load. Each example below is a shipped profile.',
    ...kinds,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function childOf(node: Node, name: string): Node {
  return nodeSchema.parse(node.properties?.[name]);
}

/** The fields below a node that are no maps themselves, with the path to each. */
function fieldsOf(
  node: Node,
  prefix: string,
  isWanted: (path: string) => boolean = () => true,
  whenRequired = 'yes',
): readonly Field[] {
  return Object.keys(node.properties ?? {}).flatMap((name): readonly Field[] => {
    const path = `${prefix}${name}`;
    if (!isWanted(path)) return [];
    const child = childOf(node, name);
    const item = nodeSchema.safeParse(child.items).data;
    const isRequired = node.required.includes(name);
    const own = { path, node: child, required: isRequired ? whenRequired : '' };
    if (child.properties !== undefined) {
      return fieldsOf(child, `${path}.`, isWanted, isRequired ? whenRequired : `with \`${path}\``);
    }
    return item?.properties === undefined ? [own] : [own, ...fieldsOf(item, `${path}[].`, isWanted)];
  });
}

function table(fields: readonly Field[]): string {
  const rows = fields.map(({ path, node, required }) =>
    [`\`${path}\``, valueText(node), required, node.description].join(' | '),
  );
  return [
    '| field | value | required | meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function valueText({ allowed, enum: values, type }: Node): string {
  if (allowed !== undefined) return allowed;
  if (values !== undefined) return values.join(' or ');
  if (type === 'boolean') return 'true or false';
  return type === 'array' ? 'a list' : 'text';
}
