import { chmod, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundle } from '../../certificates/bundle/bundle.ts';
import { runFileSchema } from '../../certificates/bundle/run-file-schema.ts';
import { keyId, readPublicKey } from '../../certificates/bundle/keys.ts';
import { folderOf } from '../../registry/names.ts';
import { pathOf, placeOf, submissionProblem, submissionSchema, type Submission } from '../../registry/submission.ts';
import { newVendor, vendorPath } from '../../registry/vendor.ts';
import { readBundle } from '../certificates/read-bundle.ts';
import { forUser } from '../shared/for-user.ts';
import { verifyAndReport } from '../certificates/verify-and-report.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { readVendorFile } from './vendor-file.ts';
import { makeFolder, writeFolderWhole, writeWhole } from '../shared/write-whole.ts';

export type SubmitOptions = {
  readonly vendor: string;
  readonly product: string;
  readonly version: string;
  readonly website: string;
  readonly contact: string;
  readonly registry: string;
};

/** Verifies a bundle and writes it into a registry as a submission. Returns the exit code of the verification. */
export async function submitBundle(
  folder: string,
  { registry, ...options }: SubmitOptions,
  context: Context,
): Promise<number> {
  const parsed = submissionSchema.safeParse({ format: 'awc-submission/1', ...options });
  if (!parsed.success) throw new UserError(`--${submissionProblem(parsed.error)}.`);
  const submission = parsed.data;
  const path = join(registry, pathOf(placeOf(submission)));
  if (existsSync(path))
    throw new UserError(`${path} exists already: a submission is never replaced, so name a new version.`);
  const code = await verifyAndReport(folder, { anyKey: true }, context);
  if (code !== 0) return code;
  const { bundle } = await readBundle(folder);
  if (isEmbedded(bundle)) throw new UserError(`${folder} certifies the embedded reference, which is not a product.`);
  const vendor = await newVendorText(registry, submission, Buffer.from(bundle.get('public-key.pem') ?? []).toString());
  const vendorFile = vendorPath(placeOf(submission).vendor);
  await makeFolder(join(registry, dirname(vendorFile)));
  await makeFolder(dirname(path));
  await writeFolderWhole(path, async (draft) => {
    await writeFile(join(draft, 'submission.json'), `${JSON.stringify(submission, null, 2)}\n`);
    await makeFolder(join(draft, 'bundle'));
    for (const [name, bytes] of bundle) await writeFile(join(draft, 'bundle', name), bytes);
    await chmod(draft, 0o755);
  });
  if (vendor !== undefined) await writeWhole(join(registry, vendorFile), vendor);
  context.out.write(
    `\n${path} holds the submission${vendor === undefined ? '' : `, and ${vendorFile} registers the key that signed it`}.\n` +
      'Commit both and send them as one change to the registry.\n',
  );
  return 0;
}

/** Whether a bundle that is verified certifies the embedded reference. */
function isEmbedded(bundle: Bundle): boolean {
  return runFileSchema.parse(JSON.parse(Buffer.from(bundle.get('run.json') ?? []).toString())).embedded;
}

/** The text of the file of a vendor that is new. Undefined if the vendor has registered the key that signed the bundle. */
async function newVendorText(registry: string, submission: Submission, pem: string): Promise<string | undefined> {
  const folder = folderOf(submission.vendor);
  const path = join(registry, vendorPath(folder));
  const key = forUser(() => readPublicKey(pem, 'public-key.pem'));
  if (!existsSync(path)) return `${JSON.stringify(newVendor(submission.vendor, key), null, 2)}\n`;
  const { file, keys } = await readVendorFile(path, folder);
  const latest = keys.at(-1);
  if (file.vendor !== submission.vendor) throw new UserError(`--vendor must be written as in ${path}: ${file.vendor}.`);
  if (latest !== undefined && keyId(latest) === keyId(key)) return undefined;
  throw new UserError(
    `the bundle is not signed with the latest key in ${path}: awc registry rotate registers a new key.`,
  );
}
