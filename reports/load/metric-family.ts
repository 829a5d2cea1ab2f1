import { shown } from '../../core/text.ts';

export type Labels = Readonly<Record<string, string>>;

/** A line of a family. The suffix follows its name: `_total`, `_count`. */
export type MetricSample = { readonly suffix?: string; readonly labels?: Labels; readonly value: number };

type MetricType = 'counter' | 'gauge' | 'summary' | 'info' | 'stateset';

/** Longer labels are cut: a backend would drop the whole payload. */
const maxLabel = 500;

/** A family in the text format of OpenMetrics; empty without samples. A name that ends with a unit declares it. */
export function metricFamily(type: MetricType, name: string, help: string, samples: readonly MetricSample[]): string {
  if (samples.length === 0) return '';
  const unit = /_(seconds|bytes|ratio)$/.exec(name)?.[1];
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
