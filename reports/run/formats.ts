import { renderBadge } from './badge.ts';
import { renderCtrf } from './ctrf.ts';
import { renderGithub } from './github.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './page/html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { RunRecord } from '../record/record.ts';

/** The formats of `awc report report.json`. GitHub shows its annotations on `targetFile`. */
export const formats = {
  html: renderHtml,
  markdown: renderMarkdown,
  github: renderGithub,
  ctrf: renderCtrf,
  har: renderHar,
  junit: renderJunit,
  badge: renderBadge,
} as const satisfies Readonly<Record<string, (record: RunRecord, targetFile?: string) => string>>;
