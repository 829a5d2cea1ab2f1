import type { LoadRecord } from './load-record.ts';
import { renderLoadHtml } from './page/html.ts';
import { renderLoadMarkdown } from './load-markdown.ts';
import { renderLoadNdjson } from './load-ndjson.ts';
import { renderOpenMetrics } from './openmetrics.ts';
import { renderOtlp } from './otlp.ts';

/** The formats of `awc report load.json`. */
export const loadFormats = {
  html: renderLoadHtml,
  markdown: renderLoadMarkdown,
  ndjson: renderLoadNdjson,
  openmetrics: renderOpenMetrics,
  otlp: (record) => renderOtlp(record),
} as const satisfies Readonly<Record<string, (record: LoadRecord) => string>>;
