/** What can happen to a deployment as a whole, in the order in which a run lets it happen. */
export const outageKinds = ['pause', 'clock', 'failover', 'restart'] as const;
export type OutageKind = (typeof outageKinds)[number];

/**
 * What makes each of them happen. A pause lasts `seconds`; the clock of the deployment is moved by `seconds`, back where that is
 * below 0. The deployment may answer nothing meanwhile, nor when the promise resolves.
 */
export type Outages = { readonly [Kind in OutageKind]?: (seconds: number) => Promise<void> };

/** Those that can be made to happen. */
export function possibleOutages(outages: Outages): readonly OutageKind[] {
  return outageKinds.filter((kind) => outages[kind] !== undefined);
}
