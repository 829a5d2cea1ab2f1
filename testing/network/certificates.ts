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

/** Runs openssl in a temporary folder, and reads what it writes there. */
type Openssl = { readonly openssl: (command: string) => void; readonly read: (name: string) => string };

/** Undefined where there is no openssl. Throws for an openssl that refuses a command. */
function withOpenssl<Made>(make: (tools: Openssl) => Made): Made | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-'));
  try {
    return make({
      openssl: (command) => void execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' }),
      read: (name) => readFileSync(join(folder, name), 'utf8'),
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether the command could not be found; a file that it did not write also gives ENOENT. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    error.syscall === 'spawnSync openssl' &&
    'code' in error &&
    error.code === 'ENOENT'
  );
}

/** A certificate for localhost that no authority signed; undefined where there is no openssl to make it. */
export function selfSigned(days: number): Certified | undefined {
  return withOpenssl(({ openssl, read }) => {
    openssl(`${newKey} -x509 -keyout key -out cert -subj /CN=localhost -days ${days}`);
    return { key: read('key'), cert: read('cert') };
  });
}

/** Undefined where there is no openssl to make them. */
export function makeCertificates(): Certificates | undefined {
  return withOpenssl(certificates);
}

function certificates({ openssl, read }: Openssl): Certificates {
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
}
