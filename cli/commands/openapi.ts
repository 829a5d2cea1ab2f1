import type { Command } from 'commander';
import { openApiDocument } from '../../schemas/openapi.ts';
import type { Context } from '../shared/context.ts';

/** `awc openapi`: what the suite takes for granted of the six operations, for other tools. */
export function configureOpenapi(command: Command, context: Context): void {
  command.action(() => {
    context.out.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });
}
