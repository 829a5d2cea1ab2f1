import { z } from 'zod';
import { shown } from '../core/text.ts';
import { Malformed } from '../certificates/bundle/bundle.ts';
import { parseStrictJson } from '../certificates/bundle/strict-json.ts';
import { folderOf, isName, isVersion, maxName } from './names.ts';

/** The largest size of submission.json, in bytes. */
export const maxSubmissionBytes = 16 * 1024;

const name = z.string().refine(isName, `must be a name of 1 to ${maxName} characters with a Latin letter or a digit`);

const address = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain })
  .max(500)
  .refine((url) => shown(url, 500) === url);

export const submissionSchema = z.strictObject({
  format: z.literal('awc-submission/1'),
  vendor: name,
  product: name,
  version: z.string().refine(isVersion, 'must be lower-case letters, digits, and . + _ - between them'),
  website: address,
  /** An e-mail address, or a page. */
  contact: z.union([z.email().max(200), address]),
});

/** What a vendor says about a bundle. Everything else follows from the bundle. */
export type Submission = z.infer<typeof submissionSchema>;

/** Where a submission is in a registry. */
export type Place = { readonly vendor: string; readonly product: string; readonly version: string };

export function placeOf({ vendor, product, version }: Submission): Place {
  return { vendor: folderOf(vendor), product: folderOf(product), version };
}

/** The path of a submission in a registry. */
export function pathOf({ vendor, product, version }: Place): string {
  return `submissions/${vendor}/${product}/${version}`;
}

/** Reads submission.json. Throws Malformed if it is invalid or belongs in another place. */
export function readSubmission(text: string, place: Place): Submission {
  const parsed = submissionSchema.safeParse(parseStrictJson(text, 'submission.json'));
  if (!parsed.success) throw new Malformed(`submission.json: ${submissionProblem(parsed.error)}`);
  const own = pathOf(placeOf(parsed.data));
  if (own === pathOf(place)) return parsed.data;
  throw new Malformed(`submission.json names what belongs in ${own}`);
}

/** The first thing that is wrong with a submission, in one sentence. */
export function submissionProblem({ issues }: z.ZodError): string {
  const [first] = issues;
  return first === undefined ? 'it is invalid' : shown(`${first.path.join('.') || 'it'}: ${first.message}`, 200);
}
