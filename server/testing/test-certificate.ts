// Creates self-signed certificates, so that the sources contain none and none expires.
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Returns a certificate for these names and IPv4 addresses. */
export function testCertificate(...names: readonly string[]): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
  const subject = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('exec-console test')))));
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    der(0x30, time(-DAY_MS), time(DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension('551d11', der(0x30, ...names.map(generalName))))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const raw = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const certificate = new X509Certificate(raw);
  return {
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: certificate.fingerprint256,
  };
}

export interface WrittenCertificate extends TestCertificate {
  readonly certPath: string;
  readonly keyPath: string;
}

/** Writes a certificate and its private key to `dir`, replacing earlier ones. */
export function writeTestCertificate(dir: string, ...names: readonly string[]): WrittenCertificate {
  const made = testCertificate(...names);
  const paths = { certPath: join(dir, 'tls-cert.pem'), keyPath: join(dir, 'tls-key.pem') };
  writeFileSync(paths.keyPath, made.key, { mode: 0o600 });
  writeFileSync(paths.certPath, made.cert);
  return { ...made, ...paths };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const extension = (id: string, value: Buffer): Buffer => der(0x30, oid(id), der(0x04, value));

const time = (fromNowMs: number): Buffer =>
  der(0x18, Buffer.from(new Date(Date.now() + fromNowMs).toISOString().replace(/[-:T]|\.\d+/g, '')));

const generalName = (name: string): Buffer =>
  /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
