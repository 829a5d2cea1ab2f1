import { mustNotSucceed } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { isSuccess } from '../../core/exchange.ts';
import type { ListOperation } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { maxAttempts } from './denied-attachments.ts';

/** An admin of the owner alone may not list what an attached organization has, and an admin of that one not what the owner has. */
export async function mustStayApart(api: Api, operation: ListOperation): Promise<void> {
  const { attachable, attached } = await givenAcceptedAttachment(api);
  const { owner } = attachable;
  const joined = attached.filter(({ first }) => isSuccess(first)).map(({ organizationId }) => organizationId);
  const { principals } = api.session.target;
  const ofOwner = principals
    .filter(({ adminOf }) => adminOf.includes(owner))
    .flatMap((principal) => {
      const id = joined.find((one) => !principal.adminOf.includes(one));
      return id === undefined ? [] : [{ principal, id }];
    });
  const ofJoined = principals
    .filter(({ adminOf }) => !adminOf.includes(owner) && adminOf.some((id) => joined.includes(id)))
    .map((principal) => ({ principal, id: owner }));
  const denied = [...ofOwner.slice(0, maxAttempts), ...ofJoined.slice(0, maxAttempts)];
  if (denied.length === 0)
    throw new Blocked(
      `declare a principal that is adminOf either ${owner} or ${joined[0] ?? 'what is attached'}, and not of both`,
    );
  for (const { principal, id } of denied) {
    const answer = await requestPage(api, operation, as(principal), id, { limit: 1 });
    const what = operation === 'listModels' ? 'models' : 'data sources';
    const role = id === owner ? 'admin of an attached organization alone' : 'admin of the owner alone';
    mustNotSucceed(answer, `for ${principal.name}, ${role}, listing the ${what} of ${id}`);
  }
}
