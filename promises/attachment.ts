import type { Answer } from '../core/exchange.ts';
import { at, jsonIn } from '../core/json.ts';
import { describe } from '../core/text.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type AnswerPromise, promised, refusal } from './judgement.ts';

/** A body that is not JSON, such as a form, in which a lenient deployment may find an organization. */
const namedAnyhow = /organizationId\W+\w/;

export const missingOrganization = ofRefusal('attach.missing', (body) => {
  const asked = jsonIn(body);
  const isNamed = asked === undefined ? namedAnyhow.test(body) : at(asked, 'organizationId') !== undefined;
  return isNamed ? undefined : 'a body without organizationId';
});

export const organizationNotString = ofRefusal('attach.not-a-string', (body) => {
  const organizationId = at(jsonIn(body), 'organizationId');
  return organizationId === undefined || typeof organizationId === 'string'
    ? undefined
    : `organizationId ${describe(organizationId, 60)}`;
});

/** Section 4.3, as far as the request itself shows that it has to be refused. */
export const attachmentPromises: readonly AnswerPromise[] = [missingOrganization, organizationNotString];

function ofRefusal(requirement: RequirementId, why: (body: string) => string | undefined): AnswerPromise {
  return promised(requirement, (answer: Answer) => {
    const { operation, request } = answer.exchange;
    if (operation !== 'attachOrganization' || typeof request.body !== 'string') return undefined;
    const reason = why(request.body);
    return reason === undefined ? undefined : refusal(answer, reason);
  });
}
