import type { Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { askedBody } from '../core/route.ts';
import { describe } from '../core/text.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type AnswerPromise, promised, refusal } from './judgement.ts';

export const missingOrganization = ofRefusal('attach.missing', (organizationId) =>
  organizationId === undefined ? 'a body without organizationId' : undefined,
);

export const organizationNotString = ofRefusal('attach.not-a-string', (organizationId) =>
  organizationId === undefined || typeof organizationId === 'string'
    ? undefined
    : `organizationId ${describe(organizationId, 60)}`,
);

/** Section 4.3, as far as the request itself shows that it has to be refused. */
export const attachmentPromises: readonly AnswerPromise[] = [missingOrganization, organizationNotString];

function ofRefusal(requirement: RequirementId, why: (organizationId: unknown) => string | undefined): AnswerPromise {
  return promised(requirement, (answer: Answer) => {
    const asked = answer.exchange.operation === 'attachOrganization' ? askedBody(answer.exchange) : undefined;
    const reason = asked === undefined ? undefined : why(at(asked, 'organizationId'));
    return reason === undefined ? undefined : refusal(answer, reason);
  });
}
