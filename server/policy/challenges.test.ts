// Tests of the admission of pages by their own key: rules AU22 and AU24.
import { generateKeyPairSync, hkdfSync, createHash, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { proofText, statement } from '../../protocol/proof.ts';
import { Challenges } from './challenges.ts';
import { makePage } from './pages.ts';
import { Tokens } from './tokens.ts';

const PORT = 7420;
const NONCE = 'n'.repeat(24);

let dir: string;
let tokens: Tokens;
let challenges: Challenges;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-challenges-'));
  tokens = new Tokens(dir);
  challenges = new Challenges(tokens);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

interface TestPage {
  readonly token: string;
  readonly id: string;
  readonly privateKey: KeyObject;
}

function signIn(): TestPage {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  const { token } = makePage(tokens, {
    welcome: { role: 'operator', name: null, giver: null },
    page: { publicKey: spki, port: PORT },
    ttlMs: 3_600_000,
    isConnected: () => false,
  });
  return { token, id: sha256(sha256(token)).toString('base64url'), privateKey };
}

function proofOf({ id, privateKey }: Omit<TestPage, 'token'>, at = challenges): string {
  const handshake = { id, clientNonce: NONCE, gatewayNonce: at.challenge(id, NONCE)?.nonce ?? '' };
  const text = Buffer.from(statement('client', handshake));
  return proofText(
    handshake,
    sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  );
}

it('[AU22] a page is admitted by its own key, and not by another page’s', () => {
  const [page, other] = [signIn(), signIn()];
  expect(challenges.verify(proofOf(page), PORT)).toMatchObject({ role: 'operator' });
  expect(challenges.verify(proofOf({ ...page, privateKey: other.privateKey }), PORT)).toBeNull();
});

it('[AU24] a page is admitted only at the port where it signed in', () => {
  const page = signIn();
  expect(challenges.verify(proofOf(page), PORT + 1)).toBeNull();
  expect(challenges.verify(proofOf(page), PORT)).not.toBeNull();
});

it('[AU24] a secret is not accepted in place of a page’s key', () => {
  const page = signIn();
  expect(tokens.verify(page.token)).toBeNull();
  const handshake = {
    id: page.id,
    clientNonce: NONCE,
    gatewayNonce: challenges.challenge(page.id, NONCE)?.nonce ?? '',
  };
  const bytes = Buffer.from(page.token);
  const cover = Buffer.from(
    hkdfSync('sha256', sha256(page.token), '', statement('client', handshake), bytes.length),
  );
  const covered = Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0))).toString('base64url');
  expect(challenges.verify(proofText(handshake, covered), PORT)).toBeNull();
  // A reader of the state folder can create neither of them.
  expect(readFileSync(join(dir, 'tokens.json'), 'utf8')).not.toContain(page.token);
});

it('[AU22] a proof is valid once, and only for a short time', () => {
  const page = signIn();
  const [first, late] = [proofOf(page), proofOf(page)];
  expect(challenges.verify(first, PORT)).not.toBeNull();
  expect(challenges.verify(first, PORT)).toBeNull();
  vi.advanceTimersByTime(20_001);
  expect(challenges.verify(late, PORT)).toBeNull();
  expect(challenges.verify(first, PORT)).toBeNull();
});

it('[AU22] a page that was revoked or has expired is unknown', () => {
  const page = signIn();
  const proof = proofOf(page);
  tokens.revoke(tokens.list().at(-1)?.id ?? '');
  expect(challenges.verify(proof, PORT)).toBeNull();
  expect(challenges.challenge(page.id, NONCE)).toBeNull();
  const other = signIn();
  vi.advanceTimersByTime(3_600_000);
  expect(challenges.challenge(other.id, NONCE)).toBeNull();
});

it('[AU22] a restarted gateway with the same state folder knows the page, but no earlier proof', () => {
  const page = signIn();
  const before = proofOf(page);
  const restarted = new Challenges(new Tokens(dir));
  expect(restarted.verify(before, PORT)).toBeNull();
  expect(restarted.verify(proofOf(page, restarted), PORT)).toMatchObject({ role: 'operator' });
});
