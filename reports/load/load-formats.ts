import type { LoadRecord } from './load-record.ts';
import { renderLoadHtml } from './page/load-html.ts';
import { renderLoadMarkdown } from './load-markdown.ts';
import { renderLoadNdjson } from './load-ndjson.ts';
import { renderOpenMetrics } from './openmetrics.ts';
import { renderOtlp } from './otlp.ts';

/** What the record of a load run can be turned into, each whole and by itself. */
export const loadFormats = {
  html: renderLoadHtml,
  markdown: renderLoadMarkdown,
  ndjson: renderLoadNdjson,
  openmetrics: renderOpenMetrics,
  otlp: renderOtlp,
} as const satisfies Readonly<Record<string, (record: LoadRecord) => string>>;
