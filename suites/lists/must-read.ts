import type { Answer } from '../../core/exchange.ts';
import { type Page, readPage } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';

/** A page that paging.envelope has to judge is no page to go on with. */
export function mustRead(answer: Answer): Page {
  const page = readPage(answer);
  if (page === undefined) throw new Blocked('the answer is no readable page');
  return page;
}
