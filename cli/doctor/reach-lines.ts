import type { Examination } from '../../targets/doctor/examine.ts';
import { keyPlace } from '../../targets/doctor/why-unusable.ts';
import type { Reach } from '../../targets/doctor/reach.ts';
import { bad, doubtful, good, type Line } from './line.ts';
import { listed } from '../../reports/text/some-of.ts';

/** What each principal reaches: one line for everything that matches the target file, and one for each cause of a mismatch. */
export function reachLines({ reached, untriedPairs }: Examination): readonly Line[] {
  const byPrincipal = [...Map.groupBy(reached, ({ principal }) => principal).values()];
  const [keyless, keyed] = [byPrincipal.filter(isRefused), byPrincipal.filter((own) => !isRefused(own))];
  const wrong = keyed.flat().filter((reach) => isWrong(reach));
  const unclear = wrong.filter(({ access }) => access === 'unclear');
  const missing = wrong.filter(({ access, declared }) => access !== 'unclear' && declared);
  const unexpected = wrong.filter(({ access, declared }) => access === 'granted' && !declared);
  return [
    ...keyed.flatMap(asDeclared),
    ...causes(keyless.flat(), ({ outcome }) => outcome, refusedText),
    ...causes(unclear, ({ outcome }) => outcome, unclearText),
    ...causes(missing, ({ resource, outcome }) => `${resource} ${outcome}`, missingText),
    ...causes(unexpected, ({ principal }) => principal.name, unexpectedText),
    ...(untriedPairs === 0 ? [] : [doubtful(`${untriedPairs} more pairs of principal and resource were not tried`)]),
  ];
}

/** The resources that a declared admin does not reach: the lines above name them. */
export function outOfReach({ reached }: Examination): ReadonlySet<string> {
  return new Set(reached.filter((reach) => reach.declared && isWrong(reach)).map(({ resource }) => resource));
}

/** Whether the key of a principal seems to be wrong. */
function isRefused(own: readonly Reach[]): boolean {
  return own.every(({ access }) => access === 'unauthorized');
}

function isWrong({ access, declared }: Reach): boolean {
  return access === 'unclear' || declared !== (access === 'granted');
}

/** One line for each cause, with its remedy. */
function causes(
  wrong: readonly Reach[],
  causeOf: (reach: Reach) => string,
  text: (first: Reach, all: readonly Reach[]) => string,
): readonly Line[] {
  return [...Map.groupBy(wrong, causeOf).values()].flatMap((all) =>
    all[0] === undefined ? [] : [bad(text(all[0], all))],
  );
}

function asDeclared(own: readonly Reach[]): readonly Line[] {
  const kept = own.filter((reach) => !isWrong(reach));
  const reaches = kept.filter(({ declared }) => declared).map(({ resource }) => resource);
  const denied = kept.length - reaches.length;
  const facts = [
    ...(reaches.length === 0 ? [] : [`reaches ${listed(reaches)}`]),
    ...(denied === 0 ? [] : [`is denied ${denied === 1 ? 'the other one' : `${denied} others`}`]),
  ];
  return facts.length === 0 ? [] : [good(`${namesOf(own)} ${facts.join(' and ')}, as the file says`)];
}

function refusedText(_first: Reach, all: readonly Reach[]): string {
  const [gets, key] = isOne(all) ? ['gets', 'the key'] : ['get', 'the keys'];
  return `${namesOf(all)} ${gets} 401 for everything: correct ${key}, or report the deployment's bug`;
}

function unclearText({ outcome }: Reach, all: readonly Reach[]): string {
  return `${namesOf(all)} ${isOne(all) ? 'gets' : 'get'} no clear answer about ${resourcesOf(all)}: ${outcome}`;
}

function missingText({ outcome, principal }: Reach, all: readonly Reach[]): string {
  const whose = isOne(all) ? ` of ${principal.name}` : '';
  const isOfAccounts = all.every(({ kind }) => kind === 'billing account');
  const remedy = isOfAccounts ? 'correct the ID or the owner' : `correct the ID, or remove it from adminOf${whose}`;
  return `${namesOf(all)} should reach ${resourcesOf(all)}, but ${isOne(all) ? 'gets' : 'get'} ${outcome}: ${remedy}`;
}

function unexpectedText(_first: Reach, all: readonly Reach[]): string {
  const owners = all.map(({ kind, resource }) => (kind === 'organization' ? resource : `the owner of ${resource}`));
  return `${namesOf(all)} reaches ${resourcesOf(all)} without being its admin in the file: add ${listed(owners)} to its adminOf, or report the deployment's bug`;
}

function isOne(all: readonly Reach[]): boolean {
  return new Set(all.map(({ principal }) => principal)).size === 1;
}

function namesOf(all: readonly Reach[]): string {
  return listed([...new Set(all.map(({ principal }) => `${principal.name} (${keyPlace(principal)})`))]);
}

function resourcesOf(all: readonly Reach[]): string {
  const names = all.map(({ kind, resource }) => (kind === 'organization' ? resource : `billing account ${resource}`));
  return listed([...new Set(names)]);
}
