import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: a certificate for localhost that no authority signed; undefined where there is no openssl to make one. */
export function selfSigned(days: number): { readonly key: Buffer; readonly cert: Buffer } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-'));
  try {
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c -subj /CN=localhost -days ${days}`;
    execFileSync('openssl', request.split(' '), { cwd: folder, stdio: 'ignore' });
    return { key: readFileSync(join(folder, 'k')), cert: readFileSync(join(folder, 'c')) };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
