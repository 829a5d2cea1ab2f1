import type { Examination } from '../../targets/doctor/examine.ts';
import { keyPlace } from '../../targets/doctor/why-unusable.ts';
import type { Reach } from '../../targets/doctor/reach.ts';
import { bad, doubtful, good, type Line, listed } from './line.ts';

/** What each principal reaches: one line for everything that matches the target file, and one for each mismatch. */
export function reachLines({ reached, untriedPairs }: Examination): readonly Line[] {
  const byPrincipal = Map.groupBy(reached, ({ principal }) => principal);
  return [
    ...[...byPrincipal.values()].flatMap(linesOf),
    ...(untriedPairs === 0 ? [] : [doubtful(`${untriedPairs} more pairs of principal and resource were not tried`)]),
  ];
}

function linesOf(own: readonly Reach[]): readonly Line[] {
  const [first] = own;
  if (first === undefined) return [];
  const name = `${first.principal.name} (${keyPlace(first.principal)})`;
  const wrong = own.flatMap((reach) => whatIsWrong(reach) ?? []);
  const kept = own.filter((reach) => whatIsWrong(reach) === undefined);
  const reaches = kept.filter(({ declared }) => declared).map(({ resource }) => resource);
  const denied = kept.length - reaches.length;
  const facts = [
    ...(reaches.length === 0 ? [] : [`reaches ${listed(reaches)}`]),
    ...(denied === 0 ? [] : [`is denied ${denied === 1 ? 'the other one' : `${denied} others`}`]),
  ];
  const asDeclared = facts.length === 0 ? [] : [good(`${name} ${facts.join(' and ')}, as the file says`)];
  return [...asDeclared, ...wrong.map((text) => bad(`${name} ${text}`))];
}

/** A mismatch with the target file, and its remedy. */
function whatIsWrong({ kind, resource, declared, access, outcome, principal }: Reach): string | undefined {
  const what = kind === 'organization' ? resource : `billing account ${resource}`;
  if (access === 'unclear') return `gets no clear answer about ${what}: ${outcome}`;
  if (declared === (access === 'granted')) return undefined;
  if (declared) {
    return `should reach ${what}, but gets ${outcome}: correct the ID, or remove it from adminOf of ${principal.name}`;
  }
  const organization = kind === 'organization' ? resource : 'its owner';
  return `reaches ${what} without being its admin in the file: add ${organization} to its adminOf, or report the deployment's bug`;
}
