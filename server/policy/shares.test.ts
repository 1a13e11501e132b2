// Tests of the storage of shares, and of their limits: rules SH1, SH5 and AU18.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Identity } from './identity.ts';
import { Shares } from './shares.ts';
import { Tokens } from './tokens.ts';

const HOUR_MS = 3_600_000;

let dir: string;
let tokens: Tokens;
let shares: Shares;
let maker: Identity;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-shares-'));
  tokens = new Tokens(dir);
  shares = new Shares(tokens);
  maker = tokens.create({ name: 'Olga', role: 'operator', ttlMs: null }).identity;
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const share = (key: string | null = null) => shares.create({ key, ttlMs: HOUR_MS, by: maker });
function open(secret: string, isConnected: (id: string) => boolean = () => false) {
  const opened = shares.open(secret, isConnected);
  if (typeof opened === 'string') throw new Error(opened);
  return opened;
}

it('[SH1] a share admits observers whose tokens end with it, even after a restart', () => {
  const { secret, share: made } = share('k1');
  const { token, identity } = open(secret);
  expect(identity).toEqual({
    tokenId: identity.tokenId,
    name: 'guest 1',
    role: 'observer',
    expiresAtMs: made.expiresAtMs,
    share: { id: made.id, key: 'k1' },
  });
  vi.advanceTimersByTime(HOUR_MS - 1);
  expect(new Tokens(dir).verify(token)).toEqual(identity);
  vi.advanceTimersByTime(1);
  expect(new Tokens(dir).verify(token)).toBeNull();
  expect(shares.open(secret, () => false)).toBe('ended');
  expect(shares.list()).toEqual([]);
});

it('[SH1] shares are stored so that an older gateway ignores them, beside tokens of an older file', () => {
  writeFileSync(
    join(dir, 'tokens.json'),
    JSON.stringify({
      tokens: [
        { id: 'old', name: 'ci', role: 'agent', sha256: '0'.repeat(64), createdAtMs: 0, expiresAtMs: null },
      ],
    }),
  );
  tokens = new Tokens(dir);
  tokens.accept('the file', 'token file', 'operator');
  const by = tokens.verify('the file') ?? maker;
  const { secret } = new Shares(tokens).create({ key: null, ttlMs: HOUR_MS, by });
  shares = new Shares(tokens);
  open(secret);
  const stored = JSON.parse(readFileSync(join(dir, 'tokens.json'), 'utf8')) as { tokens: { id: string }[] };
  expect(stored.tokens.map(({ id }) => id)).toEqual(['old']);
  expect(JSON.stringify(stored)).not.toContain(secret);
});

it('[SH5] at most a hundred shares exist', () => {
  for (let made = 0; made < 100; made += 1) share();
  expect(() => share()).toThrow('100 shares are active');
  shares.revoke(shares.list()[0]?.id ?? '');
  share();
});

it('[SH5] a share has fifty guests, and a new one replaces the one absent for longest, never one connected', () => {
  const { secret } = share();
  const guests = Array.from({ length: 50 }, () => {
    vi.advanceTimersByTime(1);
    return open(secret);
  });
  // No guest may be removed yet, because all of them are new.
  expect(shares.open(secret, () => false)).toBe('full');
  vi.advanceTimersByTime(60_001);
  const [first, second, third] = guests;
  tokens.verify(second?.token ?? '');
  const late = open(secret, (id) => id === first?.identity.tokenId);
  const isGood = (token = ''): boolean => tokens.verify(token) !== null;
  expect([first, second, third, late].map((each) => isGood(each?.token))).toEqual([true, true, false, true]);
  expect(shares.open(secret, () => true)).toBe('full');
});

it('[AU18] a share ends with its creator’s token, and cannot be created or opened after that', () => {
  const brief = tokens.create({ name: 'brief', role: 'operator', ttlMs: 1000 }).identity;
  const { secret, share: made } = shares.create({ key: null, ttlMs: HOUR_MS, by: brief });
  expect(made.expiresAtMs).toBe(brief.expiresAtMs);
  vi.advanceTimersByTime(1000);
  expect(shares.open(secret, () => false)).toBe('ended');
  expect(() => shares.create({ key: null, ttlMs: HOUR_MS, by: brief })).toThrow('no longer valid');
  const later = share();
  // Another process revokes the creator's token, and this one has not checked the file since.
  new Tokens(dir).revoke(maker.tokenId);
  expect(shares.open(later.secret, () => false)).toBe('ended');
  expect(new Tokens(dir).records()).toEqual([]);
});
