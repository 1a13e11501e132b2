// Reads the certificate and key of the port from files, and again when the files change.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync, type Stats } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readPlainFile, type PlainFile } from '../../policy/plain-file.ts';
import { bracketed } from '../../policy/own-names.ts';

export interface CertificateFiles {
  /** PEM: the gateway's certificate first, then the chain to its authority. */
  readonly certPath: string;
  readonly keyPath: string;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** DNS names, in lower case, and IP addresses in the certificate; IPv6 addresses are in brackets. */
  readonly names: readonly string[];
  /** SHA-256 fingerprint, in Node's format. */
  readonly fingerprint: string;
  /** Warning about a private key that other users can access; null for one that they cannot. */
  readonly warning: string | null;
  /** State of the files before they were read. */
  readonly state: string;
}

/** Returns the certificate and its key; throws an error that names the file with the problem. */
export function readCertificate({ certPath, keyPath }: CertificateFiles): Certificate {
  const state = stateOf({ certPath, keyPath });
  const { bytes: cert } = read('--tls-cert', certPath, "the gateway's certificate");
  const { bytes: key, stat } = read('--tls-key', keyPath, 'the private key of its certificate');
  const parsed = attempt(
    () => new X509Certificate(cert),
    `--tls-cert ${certPath}: this is not a PEM certificate`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    `--tls-key ${keyPath}: this is not a PEM private key without a passphrase`,
  );
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new Error(`--tls-key ${keyPath}: this is not the key of the certificate in ${certPath}`);
  }
  attempt(
    () => createSecureContext({ cert, key }),
    `--tls-cert ${certPath}: this certificate cannot be used`,
  );
  return {
    cert,
    key,
    names: namesIn(parsed.subjectAltName ?? ''),
    fingerprint: parsed.fingerprint256,
    warning: warningOf(keyPath, stat),
    state,
  };
}

export interface CertificateWatch {
  /** Interval between checks of the files. */
  readonly everyMs: number;
  readonly changed: (certificate: Certificate) => void;
  /** Called at each check that finds changed files which cannot be used. */
  readonly failed: (reason: string) => void;
}

/**
 * Polls the files themselves, since programs that renew certificates replace files, folders or links.
 * `state`: `Certificate.state` of the one in use. Returns a function that stops polling.
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
      // `seen` only changes after reading, so files that could not be read are read again at the next check.
      seen = now;
    } catch (error) {
      failed((error as Error).message);
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Returns a text that changes when a file is replaced or modified. */
function stateOf({ certPath, keyPath }: CertificateFiles): string {
  const states = [certPath, keyPath].map((path) => statSync(path, { throwIfNoEntry: false }));
  return states
    .map((stat) => (stat ? [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join() : ''))
    .join(';');
}

function read(flag: string, path: string, content: string): PlainFile {
  try {
    return readPlainFile(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EACCES: 'the gateway is not allowed to read this file',
    };
    const reason = reasons[code ?? ''] ?? message;
    throw new Error(`${flag} ${path}: ${reason}; specify the PEM file that contains ${content}`, {
      cause,
    });
  }
}

function attempt<T>(work: () => T, sentence: string): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${sentence} (${(cause as Error).message})`, { cause });
  }
}

function warningOf(keyPath: string, stat: Stats): string | null {
  const mode = stat.mode & 0o777;
  return (mode & 0o077) === 0
    ? null
    : `the private key ${keyPath} is accessible to other users (mode ${mode.toString(8)}); run: chmod 600 ${keyPath}`;
}

/** Parses `DNS:dev.example, IP Address:192.0.2.7, …`; quoted entries cannot be a Host. */
function namesIn(subjectAltName: string): string[] {
  const entries = [...subjectAltName.matchAll(/(?:^|, )([\w ]+):("(?:[^"\\]|\\.)*"|[^",]*)/g)];
  return entries.flatMap(([, kind, name = '']) => {
    if (kind === 'DNS' && /^(\*\.)?[\w-]+(\.[\w-]+)*$/.test(name)) return name.toLowerCase();
    // The certificate has IPv6 addresses in full; a Host header has them as in URLs.
    const url = `http://${bracketed(name)}`;
    return kind === 'IP Address' && URL.canParse(url) ? new URL(url).hostname : [];
  });
}
