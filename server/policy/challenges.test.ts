// Tests of the admission of clients that prove their credential: rules AU22, AU24, AU33 and AU34.
import { generateKeyPairSync, hkdfSync, createHash, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { IncomingHttpHeaders } from 'node:http';
import { isGreeting, proofFor, tokenCredential } from '../../client/proof.ts';
import { NEXT_PROOF, clientStatement, proofText, SOCKET_USE } from '../../protocol/proof.ts';
import { Challenges } from './challenges.ts';
import { makePage } from './pages.ts';
import { Shares } from './shares.ts';
import { Tokens } from './tokens.ts';

const PORT = 7420;
const NONCE = 'n'.repeat(24);

const at = (port: number) => ({ port, use: SOCKET_USE });

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

function proofOf({ id, privateKey }: Omit<TestPage, 'token'>, from = challenges): string {
  const handshake = { id, clientNonce: NONCE, gatewayNonce: from.challenge(id, NONCE)?.nonce ?? '' };
  const text = Buffer.from(clientStatement(handshake, SOCKET_USE));
  return proofText(
    handshake,
    sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  );
}

it('[AU22] a page is admitted by its own key, and not by another page’s', () => {
  const [page, other] = [signIn(), signIn()];
  expect(challenges.verify(proofOf(page), at(PORT))).toMatchObject({ role: 'operator' });
  expect(challenges.verify(proofOf({ ...page, privateKey: other.privateKey }), at(PORT))).toBeNull();
});

it('[AU24] a page is admitted only at the port where it signed in', () => {
  const page = signIn();
  expect(challenges.verify(proofOf(page), at(PORT + 1))).toBeNull();
  expect(challenges.verify(proofOf(page), at(PORT))).not.toBeNull();
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
    hkdfSync('sha256', sha256(page.token), '', clientStatement(handshake, SOCKET_USE), bytes.length),
  );
  const covered = Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0))).toString('base64url');
  expect(challenges.verify(proofText(handshake, covered), at(PORT))).toBeNull();
  // The state folder lacks the token, so a program that can read the folder cannot even create this proof.
  expect(readFileSync(join(dir, 'tokens.json'), 'utf8')).not.toContain(page.token);
});

it('[AU22] a proof is valid once, and only for a short time', () => {
  const page = signIn();
  const [first, late] = [proofOf(page), proofOf(page)];
  expect(challenges.verify(first, at(PORT))).not.toBeNull();
  expect(challenges.verify(first, at(PORT))).toBeNull();
  vi.advanceTimersByTime(20_001);
  expect(challenges.verify(late, at(PORT))).toBeNull();
  expect(challenges.verify(first, at(PORT))).toBeNull();
});

it('[AU22] a page that was revoked or has expired is unknown', () => {
  const page = signIn();
  const proof = proofOf(page);
  tokens.revoke(tokens.list().at(-1)?.id ?? '');
  expect(challenges.verify(proof, at(PORT))).toBeNull();
  expect(challenges.challenge(page.id, NONCE)).toBeNull();
  const other = signIn();
  vi.advanceTimersByTime(3_600_000);
  expect(challenges.challenge(other.id, NONCE)).toBeNull();
});

it('[AU22] a restarted gateway with the same state folder accepts the page, but no earlier proof', () => {
  const page = signIn();
  const before = proofOf(page);
  const restarted = new Challenges(new Tokens(dir));
  expect(restarted.verify(before, at(PORT))).toBeNull();
  expect(restarted.verify(proofOf(page, restarted), at(PORT))).toMatchObject({ role: 'operator' });
});

const secretProof = async (secret: string, port = PORT) => {
  const credential = await tokenCredential(secret);
  const challenge = challenges.challenge(credential.id, NONCE);
  const proved = challenge && (await proofFor(credential, { clientNonce: NONCE, ...challenge }, SOCKET_USE));
  if (!proved) throw new Error('not challenged');
  return { credential, ...proved, identity: challenges.verify(proved.proof, at(port)) };
};

it('[AU22] the holder of a token or of a share’s guest is admitted at any port, and can verify the gateway’s greeting', async () => {
  const agent = tokens.create({ name: 'ci', role: 'agent', ttlMs: null });
  const shares = new Shares(tokens);
  const { secret } = shares.create({ key: null, ttlMs: 3_600_000, by: agent.identity });
  const guest = shares.open(secret, () => false);
  if (typeof guest === 'string') throw new Error(guest);
  for (const { token, identity } of [agent, guest]) {
    const { credential, proof, handshake, identity: admitted } = await secretProof(token, PORT + 1);
    expect(admitted).toEqual(identity);
    const greeting = challenges.greeting(proof);
    expect(await isGreeting(greeting, credential, handshake)).toBe(true);
    expect(await isGreeting(greeting, credential, { ...handshake, clientNonce: 'x'.repeat(24) })).toBe(false);
  }
  // A share's own secret grants no access.
  expect(challenges.challenge((await tokenCredential(secret)).id, NONCE)).toBeNull();
});

it('[AU22] a proof with a wrong token, or with a nonce of another handshake, is refused', async () => {
  const [mine, other] = ['mine', 'other'].map((name) => tokens.create({ name, role: 'agent', ttlMs: null }));
  const { proof } = await secretProof(mine?.token ?? '');
  const fresh = challenges.challenge(proof.split('.')[0] ?? '', NONCE)?.nonce ?? '';
  const { credential } = await secretProof(other?.token ?? '');
  const handshake = { id: proof.split('.')[0] ?? '', clientNonce: NONCE, gatewayNonce: fresh };
  const wrong = await credential.answer(clientStatement(handshake, SOCKET_USE));
  expect(challenges.verify(proofText(handshake, wrong), at(PORT))).toBeNull();
  const right = await (
    await tokenCredential(mine?.token ?? '')
  ).answer(clientStatement(handshake, SOCKET_USE));
  expect(challenges.verify(proofText({ ...handshake, id: credential.id }, right), at(PORT))).toBeNull();
  expect(
    challenges.verify(proofText({ ...handshake, clientNonce: 'm'.repeat(24) }, right), at(PORT)),
  ).toBeNull();
  expect(
    challenges.verify(proofText({ ...handshake, gatewayNonce: fresh.slice(0, -4) }, right), at(PORT)),
  ).toBeNull();
  // The last letter of a nonce of 56 bytes has unused bits: the same bytes have four spellings.
  const spelled = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    .map((letter) => fresh.slice(0, -1) + letter)
    .filter(
      (each) => each !== fresh && Buffer.from(each, 'base64url').equals(Buffer.from(fresh, 'base64url')),
    );
  expect(spelled.length).toBeGreaterThan(0);
  for (const gatewayNonce of spelled)
    expect(challenges.verify(proofText({ ...handshake, gatewayNonce }, right), at(PORT))).toBeNull();
  expect(challenges.verify(proofText(handshake, right), at(PORT))).not.toBeNull();
});

it('[AU22] the text of a proof has exactly four parts of base64url', () => {
  const page = signIn();
  const proof = proofOf(page);
  const parts = proof.split('.');
  for (const wrong of [
    '',
    parts.slice(0, 3).join('.'),
    `${proof}.x`,
    `${proof}.${'x'.repeat(20)}`,
    ...parts.map((_, at) => parts.with(at, 'x'.repeat(15)).join('.')),
    parts.with(3, 'x'.repeat(601)).join('.'),
    parts.with(3, `${parts[3]}=`).join('.'),
    parts.with(0, ` ${parts[0]}`).join('.'),
  ]) {
    expect(challenges.verify(wrong, at(PORT))).toBeNull();
    expect(challenges.greeting(wrong)).toBe('');
  }
  expect(challenges.verify(proof, at(PORT))).not.toBeNull();
});

it('[AU22] a challenge needs a client’s nonce of 22 to 64 letters', () => {
  const { id } = signIn();
  const isGiven = (nonce: string): boolean => challenges.challenge(id, nonce) !== null;
  expect([21, 22, 64, 65].map((length) => isGiven('n'.repeat(length)))).toEqual([false, true, true, false]);
  for (const odd of [`${NONCE}.`, ` ${NONCE}`, `${NONCE}\n`]) expect(isGiven(odd)).toBe(false);
});

it('[AU22] a nonce is valid for twenty seconds', () => {
  const page = signIn();
  const [early, late] = [proofOf(page), proofOf(page)];
  vi.advanceTimersByTime(19_999);
  expect(challenges.verify(early, at(PORT))).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(challenges.verify(late, at(PORT))).toBeNull();
});

it('[AU22] the reply to a verified proof has the next challenge if the request asks for one', () => {
  const page = signIn();
  const proof = proofOf(page);
  const setHeader = vi.fn();
  const bring = (verified: string | null, headers: IncomingHttpHeaders): void =>
    challenges.bringNext(verified, headers, { setHeader });
  bring(null, { [NEXT_PROOF.nonce]: NONCE });
  bring(proof, {});
  bring(proof, { [NEXT_PROOF.nonce]: [NONCE, NONCE] });
  bring(proof, { [NEXT_PROOF.nonce]: 'short' });
  bring('not a proof', { [NEXT_PROOF.nonce]: NONCE });
  expect(setHeader).not.toHaveBeenCalled();
  bring(proof, { [NEXT_PROOF.nonce]: NONCE });
  expect(setHeader).toHaveBeenCalledTimes(1);
  const [name, value] = setHeader.mock.calls[0] as [string, string];
  expect(name).toBe(NEXT_PROOF.challenge);
  const [gatewayNonce = '', mac = ''] = value.split('.');
  expect(gatewayNonce).toMatch(/^[\w-]{75}$/);
  expect(mac).toMatch(/^[\w-]{43}$/);
});

it('[AU33] a used proof stays used, and its credential valid, while another credential reaches its limit', async () => {
  const [mine, other] = ['mine', 'other'].map((name) => tokens.create({ name, role: 'agent', ttlMs: null }));
  challenges = new Challenges(tokens, 3);
  const used = await secretProof(mine?.token ?? '');
  for (let count = 0; count < 3; count += 1)
    expect((await secretProof(other?.token ?? '')).identity).toMatchObject({ name: 'other' });
  const beyond = await secretProof(other?.token ?? '');
  expect(beyond.identity).toBe('tooMany');
  expect(challenges.verify(used.proof, at(PORT))).toBeNull();
  expect((await secretProof(mine?.token ?? '')).identity).toMatchObject({ name: 'mine' });
  vi.advanceTimersByTime(19_999);
  expect(challenges.verify(used.proof, at(PORT))).toBeNull();
  expect(challenges.verify(beyond.proof, at(PORT))).toBe('tooMany');
  vi.advanceTimersByTime(1);
  expect((await secretProof(other?.token ?? '')).identity).toMatchObject({ name: 'other' });
});

it('[AU34] a proof is refused for any use other than its own, and stays valid', async () => {
  const page = signIn();
  const proof = proofOf(page);
  for (const use of ['', 'GET /', 'POST /auth/link?role=admin', `${SOCKET_USE} /`])
    expect(challenges.verify(proof, { port: PORT, use })).toBeNull();
  expect(challenges.verify(proof, at(PORT))).toMatchObject({ role: 'operator' });
});

it('[AU22] a used proof stays invalid after the clock was moved, and an unused one expires', () => {
  const page = signIn();
  const startMs = Date.now();
  const [used, unused] = [proofOf(page), proofOf(page)];
  expect(challenges.verify(used, at(PORT))).toMatchObject({ role: 'operator' });
  vi.advanceTimersByTime(20_001);
  // The next proof removes expired nonces.
  expect(challenges.verify(proofOf(page), at(PORT))).not.toBeNull();
  vi.setSystemTime(startMs);
  expect([used, unused].map((proof) => challenges.verify(proof, at(PORT)))).toEqual([null, null]);
  const next = proofOf(page);
  expect(challenges.verify(next, at(PORT))).not.toBeNull();
  vi.setSystemTime(startMs + 60_000);
  expect(challenges.verify(proofOf(page), at(PORT))).not.toBeNull();
  vi.setSystemTime(startMs);
  expect(challenges.verify(next, at(PORT))).toBeNull();
});
