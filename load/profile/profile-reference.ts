import { z } from 'zod';
import { loadKinds } from '../kinds/kinds.ts';
import { templateOf } from './profile-templates.ts';
import { profileSchema } from './profile-schema.ts';
import { measureNames } from './threshold.ts';

/** What the reference needs of a JSON Schema. */
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

/** The reference of every field of a profile as Markdown. */
export function profileReference(): string {
  const root = nodeSchema.parse(z.toJSONSchema(profileSchema, { io: 'input' }));
  const load = childOf(root, 'load');
  const top = fieldsOf(root, '', (path) => path !== 'load' && path !== 'operations');
  const kinds = loadKinds.flatMap(({ name, example }) => [
    `### \`load.${name}\``,
    table(fieldsOf(childOf(load, name), `load.${name}.`)),
    `\`awc load --profile ${example}\` runs this one:`,
    `\`\`\`yaml\n${templateOf(name).trimEnd()}\n\`\`\``,
  ]);
  const blocks = [
    '# Load profiles: every field',
    'This page is generated from the schema, and a test compares the two. [load-testing.md](load-testing.md) says what profiles are for. `awc profile init`\nwrites one, and `awc profile check FILE` says what is wrong with one. An unknown field is an error.',
    '## The profile',
    table(top),
    `A threshold compares a measure with a bound: \`<\`, \`<=\`, \`>\`, \`>=\` or \`==\`. Before the name of a measure, the name of an operation\nwith a dot limits it to that operation, and in a flow the name of a step or \`flow\` to what users did there. The measures are ${measureNames.map((name) => `\`${name}\``).join(', ')}.`,
    '## The operations',
    'Loads other than `rateLimit`, `contention` and `flow` need at least one operation with a weight over 0.',
    table(fieldsOf(childOf(root, 'operations'), 'operations.')),
    '## The load',
    'A profile has exactly one kind of load. Each example is a shipped profile.',
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
