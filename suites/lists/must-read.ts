import type { Answer } from '../../core/exchange.ts';
import { type Page, readPage } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The page of an answer. Blocked if it is unreadable, which paging.envelope judges. */
export function mustRead(answer: Answer): Page {
  const page = readPage(answer);
  if (page === undefined) throw new Blocked('the answer is no readable page');
  return page;
}
