import { catalogue, type RequirementId } from '../../../spec/catalogue.ts';
import type { Fault } from '../../variation.ts';

/** Faults by the requirement that they break, and by name. */
type FaultsByRequirement = Readonly<
  Partial<Record<RequirementId, Readonly<Record<string, Omit<Fault, 'name' | 'breaks'>>>>>
>;

/** The faults in the order of the catalogue. */
export function faultsOf(faults: FaultsByRequirement): readonly Fault[] {
  return catalogue.flatMap(({ id }) =>
    Object.entries(faults[id] ?? {}).map(([name, fault]) => ({ name, breaks: id, ...fault })),
  );
}
