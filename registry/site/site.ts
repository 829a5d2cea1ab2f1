import type { Certified } from '../judge-submission.ts';
import { type Entry, entryOf, productsOf } from './entry.ts';
import type { SiteFile } from './frame.ts';
import { choicesPage, productsPage, requirementsPage } from './overviews.ts';
import { evidencePages, productPage } from './product-pages.ts';

/** A site that is built while a registry is judged, so that no more than one record is in memory. */
export type Site = {
  /** Adds a certificate, and returns its pages. */
  readonly add: (certified: Certified) => readonly SiteFile[];
  /** The pages that need all certificates. */
  readonly end: () => readonly SiteFile[];
};

/** `now`: in milliseconds since the epoch. */
export function createSite(now: number): Site {
  const builtOn = new Date(now).toISOString().slice(0, 10);
  const entries: Entry[] = [];
  return {
    add(certified) {
      const entry = entryOf(certified, now);
      entries.push(entry);
      return evidencePages(certified, entry, builtOn);
    },
    end() {
      const products = productsOf(entries);
      return [
        productsPage(products, builtOn),
        requirementsPage(products, builtOn),
        choicesPage(products, builtOn),
        ...products.flatMap((product) => product.versions.map((entry) => productPage(entry, product, builtOn))),
      ];
    },
  };
}
