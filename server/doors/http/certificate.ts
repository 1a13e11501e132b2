// The certificate and key of the one port, read from files, and read again when these change.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { bracketed } from '../../policy/own-names.ts';

export interface CertificateFiles {
  /** PEM: the gateway's own certificate first, then what leads to its authority. */
  readonly certPath: string;
  readonly keyPath: string;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** What it says that this machine is called, in lower case; IPv6 in brackets. */
  readonly names: readonly string[];
  /** SHA-256, as Node writes it. */
  readonly fingerprint: string;
  /** What should not be so with its files, though they can be used. */
  readonly warning: string | null;
  /** Of the files, before they were read. */
  readonly state: string;
}

/** Throws a sentence that names the file that is not as it should be. */
export function readCertificate({ certPath, keyPath }: CertificateFiles): Certificate {
  const state = stateOf({ certPath, keyPath });
  const cert = read('--tls-cert', certPath);
  const key = read('--tls-key', keyPath);
  const parsed = attempt(
    () => new X509Certificate(cert),
    `--tls-cert ${certPath}: this is no certificate in PEM`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    `--tls-key ${keyPath}: this is no private key in PEM without a passphrase`,
  );
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new Error(`--tls-key ${keyPath}: this is not the key of the certificate in ${certPath}`);
  }
  attempt(() => createSecureContext({ cert, key }), `--tls-cert ${certPath}: this cannot be used`);
  return {
    cert,
    key,
    names: namesIn(parsed.subjectAltName ?? ''),
    fingerprint: parsed.fingerprint256,
    warning: warningOf(keyPath),
    state,
  };
}

export interface CertificateWatch {
  /** Between two looks at the files. */
  readonly everyMs: number;
  readonly changed: (certificate: Certificate) => void;
  /** What is there now cannot be used. */
  readonly failed: (reason: string) => void;
}

/**
 * Looks at the files themselves, since what renews certificates swaps files, folders or links; what they were when
 * they were read is `state`. Returns its undo.
 */
export function watchCertificate(
  files: CertificateFiles,
  state: string,
  { everyMs, changed, failed }: CertificateWatch,
): () => void {
  let seen = state;
  const timer = setInterval(() => {
    try {
      const now = stateOf(files);
      if (now === seen) return;
      changed(readCertificate(files));
      // Not before it is read: what could not be is read again at the next look.
      seen = now;
    } catch (error) {
      failed((error as Error).message);
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Another text whenever one of the files is another one or has another content. */
function stateOf({ certPath, keyPath }: CertificateFiles): string {
  const states = [certPath, keyPath].map((path) => statSync(path, { throwIfNoEntry: false }));
  return states
    .map((stat) => (stat ? [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join() : ''))
    .join(';');
}

function read(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${flag} ${path}: ${(cause as Error).message}`, { cause });
  }
}

function attempt<T>(work: () => T, sentence: string): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${sentence} (${(cause as Error).message})`, { cause });
  }
}

function warningOf(keyPath: string): string | null {
  const mode = statSync(keyPath).mode & 0o777;
  return (mode & 0o077) === 0
    ? null
    : `the private key ${keyPath} is open to others (mode ${mode.toString(8)}); run: chmod 600 ${keyPath}`;
}

/** Of `DNS:dev.example, IP Address:192.0.2.7, …`; what is quoted there is nothing that a Host could say. */
function namesIn(subjectAltName: string): string[] {
  const entries = [...subjectAltName.matchAll(/(?:^|, )([\w ]+):("(?:[^"\\]|\\.)*"|[^",]*)/g)];
  return entries.flatMap(([, kind, name = '']) => {
    if (kind === 'DNS' && /^(\*\.)?[\w-]+(\.[\w-]+)*$/.test(name)) return name.toLowerCase();
    // Written out in full there; a Host has it as URLs do.
    const url = `http://${bracketed(name)}`;
    return kind === 'IP Address' && URL.canParse(url) ? new URL(url).hostname : [];
  });
}
