import { Malformed } from '../../certificates/bundle/bundle.ts';
import { UserError } from '../../cli/shared/user-error.ts';
import { TransportError } from '../../core/http.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { HarError } from '../../traffic/har.ts';

/** Errors with a sentence for the user. */
const kinds = [TargetFileError, UserError, HarError, Malformed, TransportError];

/** Whether an input was refused as it should be. */
export function isRefusal(error: unknown): boolean {
  return kinds.some((kind) => error instanceof kind);
}
