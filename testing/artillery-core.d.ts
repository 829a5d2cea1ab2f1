/** The core of Artillery, which runs a script in this process; the package brings no types. */
declare module '@artilleryio/int-core' {
  type Run = {
    readonly on: (event: 'done', listener: (totals: { counters: Readonly<Record<string, number>> }) => void) => void;
    readonly run: () => void;
  };
  const core: { readonly runner: { readonly runner: (script: object) => Promise<Run> } };
  export default core;
}
