import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certified = { readonly key: string; readonly cert: string };

/** An authority that openssl makes in a temporary folder, and certificates for localhost and 127.0.0.1 that it signed. */
export type Certificates = {
  /** The certificate of the authority. */
  readonly authority: string;
  /** The certificate of another authority, which signed none of these. */
  readonly stranger: string;
  /** Signed by the authority itself. */
  readonly good: Certified;
  /** Signed by an intermediate authority, whose certificate is not included. */
  readonly withoutChain: Certified;
  /** The same certificate, and that of the intermediate authority. */
  readonly withChain: Certified;
  readonly expired: Certified;
  /** Signed by the other authority. */
  readonly byStranger: Certified;
  /** For elsewhere.test. */
  readonly elsewhere: Certified;
};

const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

/** Undefined where there is no openssl to make them. */
export function makeCertificates(): Certificates | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-'));
  const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  function authority(name: string): void {
    openssl(`${newKey} -x509 -keyout ${name}.key -out ${name}.pem -subj /CN=${name} -days 30`);
  }

  function signed(name: string, by: string, days: number, extension: string): Certified {
    openssl(`${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${name} -addext ${extension}`);
    const signer = `-CA ${by}.pem -CAkey ${by}.key -CAcreateserial`;
    openssl(`x509 -req -in ${name}.csr ${signer} -copy_extensions copy -out ${name}.pem -days ${days}`);
    return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
  }

  const here = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  try {
    authority('authority');
    authority('stranger');
    signed('intermediate', 'authority', 30, 'basicConstraints=critical,CA:TRUE');
    const withoutChain = signed('leaf', 'intermediate', 30, here);
    return {
      authority: read('authority.pem'),
      stranger: read('stranger.pem'),
      good: signed('good', 'authority', 30, here),
      withoutChain,
      withChain: { ...withoutChain, cert: withoutChain.cert + read('intermediate.pem') },
      byStranger: signed('foreign', 'stranger', 30, here),
      expired: signed('expired', 'authority', -1, here),
      elsewhere: signed('elsewhere', 'authority', 30, 'subjectAltName=DNS:elsewhere.test'),
    };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
