import { at } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { askedJson } from '../message-facts.ts';
import { eachExchange, type Rule } from '../rule.ts';
import { refused } from './messages.ts';

/** Section 4.3, as far as the request itself shows that it has to be refused. */
export const attachmentRules: readonly Rule[] = [
  eachAttachment('attach.missing', (organizationId) =>
    organizationId === undefined ? 'a body without organizationId' : undefined,
  ),
  eachAttachment('attach.not-a-string', (organizationId) =>
    organizationId === undefined || typeof organizationId === 'string'
      ? undefined
      : `organizationId ${describe(organizationId, 60)}`,
  ),
];

function eachAttachment(id: RequirementId, why: (organizationId: unknown) => string | undefined): Rule {
  return eachExchange(id, (recorded) => {
    const asked = askedJson(recorded);
    if (recorded.route.operation !== 'attachOrganization' || asked === undefined) return undefined;
    const reason = why(at(asked, 'organizationId'));
    return reason === undefined ? undefined : refused(recorded.answer, reason);
  });
}
