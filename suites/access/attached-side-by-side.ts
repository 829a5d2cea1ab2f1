import { isSuccess } from '../../core/exchange.ts';
import { mustNotSucceed } from '../../engine/answer.ts';
import { as } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';

/** How often the requests go out together: they may miss each other. */
const rounds = 2;

/**
 * Section 5, point 3: whose request it is does not depend on requests at the same instant. What is attached already is attached
 * again, so that this takes no further organization.
 */
export const attachedSideBySide: Check = check(
  'access.attach-needs-a-role',
  { phase: 'attachments', uses: ['attachments'], variant: 'side-by-side', extended: true },
  async (api) => {
    const { attachable, attached } = await givenAcceptedAttachment(api);
    const { admin, billingAccountId, owner } = attachable;
    const again = attached.find(({ second }) => isSuccess(second));
    if (again === undefined) throw new Blocked('what is attached already is refused to its admin, too');
    const { organizationId } = again;
    const stranger = api.session.target.principals.find(
      ({ adminOf }) => !adminOf.includes(owner) && !adminOf.includes(organizationId),
    );
    if (stranger === undefined) throw new Blocked('needs a principal that is admin of neither organization');
    const what = `for ${stranger.name}, admin of neither organization, attaching ${organizationId} while its admin does`;
    for (let round = 0; round < rounds; round += 1) {
      // Each meets the other one before and after itself.
      const answers = await eachAtOnce([admin, stranger, admin, stranger], (caller, gate) =>
        api.attachOrganization(as(caller), billingAccountId, { organizationId }, { gate }),
      );
      for (const answer of answers.filter(({ exchange }) => exchange.caller === stranger.name))
        mustNotSucceed(answer, what);
    }
  },
);
