import type { Command } from '@commander-js/extra-typings';
import { openApiDocument } from '../../schemas/openapi.ts';
import type { Context } from '../shared/context.ts';

/** `awc openapi`: the six operations as the suite expects them, for other tools. */
export function configure(command: Command, context: Context): void {
  command.action(() => {
    context.data.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
