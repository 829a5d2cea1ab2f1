import { shown } from '../core/text.ts';
import { isFolderName, isVersion } from './names.ts';
import { pathOf, type Place } from './submission.ts';
import { vendorPath } from './vendor.ts';

/** A file that a change touches, by its path in the registry. */
export type ChangedFile = { readonly path: string; readonly status: 'added' | 'changed' | 'removed' };

/** A change to a registry: the submissions that it adds, the vendor whose file it changes, and why it cannot be accepted. */
export type Change = {
  readonly added: readonly Place[];
  readonly vendor: string | undefined;
  readonly problems: readonly string[];
};

/** The most files to name. */
const maxNamed = 8;

/** Reads a change. It may add versions of one product and change the file of its vendor, and nothing else. */
export function readChange(files: readonly ChangedFile[]): Change {
  const placed = files.map((file) => ({ ...file, place: placeIn(file.path) }));
  const added = new Map(placed.flatMap(({ place }) => (place === undefined ? [] : [[pathOf(place), place]])));
  const vendorFiles = placed.flatMap(({ path }) => vendorIn(path) ?? []);
  const vendors = new Set([...[...added.values()].map(({ vendor }) => vendor), ...vendorFiles]);
  const products = new Set([...added.values()].map(({ vendor, product }) => `${vendor}/${product}`));
  const foreign = placed.filter(({ path, place }) => place === undefined && vendorIn(path) === undefined);
  const altered = placed.filter(({ place, status, path }) =>
    place === undefined ? vendorIn(path) !== undefined && status === 'removed' : status !== 'added',
  );
  return {
    added: [...added.values()],
    vendor: [...vendors][0],
    problems: [
      ...(vendors.size > 1 || products.size > 1
        ? ['the change is about more than one product: send one change for each']
        : []),
      ...named(foreign, 'does not belong to a submission'),
      ...named(altered, 'is in the registry and was changed or removed: send a new version instead'),
    ],
  };
}

function named(files: readonly ChangedFile[], sentence: string): readonly string[] {
  const more = files.length > maxNamed ? [`and ${files.length - maxNamed} more files`] : [];
  return [...files.slice(0, maxNamed).map(({ path }) => `${shown(path, 200)} ${sentence}`), ...more];
}

function placeIn(path: string): Place | undefined {
  const [root, vendor = '', product = '', version = '', ...rest] = path.split('/');
  const isPlace = root === 'submissions' && isFolderName(vendor) && isFolderName(product) && isVersion(version);
  return isPlace && rest.length > 0 ? { vendor, product, version } : undefined;
}

function vendorIn(path: string): string | undefined {
  const [, folder = ''] = /^vendors\/([^/]*)\.json$/.exec(path) ?? [];
  return isFolderName(folder) && vendorPath(folder) === path ? folder : undefined;
}
