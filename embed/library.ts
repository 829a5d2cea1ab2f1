/** What a program imports: this file and those beside it that package.json exports are the package's public face. */
export type { Clock } from '../core/clock.ts';
export { type Deployment, type HttpRequest, type HttpResponse, TransportError } from '../core/http.ts';
export type { Outages } from '../core/outages.ts';
export { exitCode } from '../reports/record/exit-code.ts';
export type { CheckRecord, RunRecord } from '../reports/record/record.ts';
export type { TargetFile } from '../targets/target-schema.ts';
export { CannotRun } from './cannot-run.ts';
export type { TargetSource } from './open-target.ts';
export { run, type RunOptions } from './run.ts';
