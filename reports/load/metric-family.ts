import { shown } from '../../core/text.ts';

export type Labels = Readonly<Record<string, string>>;

/** A line of a family: what follows its name (`_total`, `_count`), the labels, and the value. */
export type MetricSample = { readonly suffix?: string; readonly labels?: Labels; readonly value: number };

export type MetricFamily = {
  /** Ends with its unit, where it has one. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'summary' | 'info' | 'stateset';
  readonly unit?: 'seconds' | 'bytes' | 'ratio';
  readonly help: string;
  readonly samples: readonly MetricSample[];
};

/** Longer labels are cut: a backend drops the whole payload for one of them. */
const maxLabel = 500;

/** A family in the text format of OpenMetrics; nothing where it has no samples. */
export function metricFamily({ name, type, unit, help, samples }: MetricFamily): string {
  if (samples.length === 0) return '';
  const lines = [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelSet(labels)} ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

function labelSet(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(shown(value, maxLabel))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replace(/["\\]/g, (character) => `\\${character}`);
}
