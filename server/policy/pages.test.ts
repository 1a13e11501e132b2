// Tests of the tokens from links, and of their lifetimes: rules AU18 and AU19.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Identity } from './identity.ts';
import { makePage } from './pages.ts';
import { Shares } from './shares.ts';
import { Tokens } from './tokens.ts';

const DAY_MS = 24 * 3_600_000;

let dir: string;
let tokens: Tokens;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-pages-'));
  tokens = new Tokens(dir);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const operator = (name: string, ttlMs: number | null = null): Identity =>
  tokens.create({ name, role: 'operator', ttlMs }).identity;
const page = (giver: Identity | null, isConnected: (id: string) => boolean = () => false) =>
  makePage(tokens, { welcome: { role: 'operator', name: null, giver }, ttlMs: DAY_MS, isConnected });
const isGood = ({ token }: { token: string }): boolean => tokens.verify(token) !== null;

it('[AU18] pages end with the token that created their link, and so do their own pages and shares, but no others', () => {
  const [eve, ada] = [operator('eve'), operator('ada')];
  const first = page(eve);
  const second = page(first.identity);
  const { secret } = new Shares(tokens).create({ key: null, ttlMs: DAY_MS, by: second.identity });
  const others = [page(ada), page(null)];
  const ended: string[] = [];
  const unwatch = tokens.watch((id) => ended.push(id));
  tokens.revoke(eve.tokenId);
  unwatch();
  expect([first, second, ...others].map(isGood)).toEqual([false, false, true, true]);
  expect(new Shares(tokens).open(secret, () => false)).toBe('ended');
  expect(ended).toEqual(
    expect.arrayContaining([eve, first.identity, second.identity].map((each) => each.tokenId)),
  );
  expect(() => page(eve)).toThrow('no longer has access');
});

it('[AU18] pages cannot be created by an ended token, and never outlast the token that created their link', () => {
  const [eve, brief] = [operator('eve'), operator('brief', 1500)];
  expect(page(brief).identity.expiresAtMs).toBe(brief.expiresAtMs);
  vi.advanceTimersByTime(1500);
  expect(() => page(brief)).toThrow('no longer has access');
  new Tokens(dir).revoke(eve.tokenId);
  expect(() => page(eve)).toThrow('no longer has access');
});

it('[AU18] pages from the gateway’s own tokens survive its restart', () => {
  tokens.accept('local', 'cli', 'admin');
  const { token, identity } = page(tokens.verify('local'));
  expect(new Tokens(dir).verify(token)).toEqual(identity);
});

it('pages without a name are numbered', () => {
  const ada = operator('ada');
  const names = [page(ada), page(null), page(ada)].map(({ identity }) => identity.name);
  expect(names).toEqual(['operator', 'operator 2', 'operator 3']);
});

it('[AU19] a new page replaces no page of another creator, no connected page and no named token', () => {
  const [eve, ada] = [operator('eve'), operator('ada')];
  const remaining = [
    page(ada),
    page(null),
    tokens.create({ name: 'operator 3', role: 'agent', ttlMs: null }),
  ];
  const first = page(eve);
  vi.advanceTimersByTime(1);
  // Pages that sign in with links of another page count for that page's creator, too.
  const rest = Array.from({ length: 199 }, () => page(first.identity));
  vi.advanceTimersByTime(1);
  const isThere = (id: string): boolean => id === rest[0]?.identity.tokenId;
  const late = page(eve, isThere);
  expect(remaining.map(isGood)).toEqual([true, true, true]);
  expect([first, ...rest.slice(0, 3), late].map(isGood)).toEqual([true, true, false, true, true]);
  expect(() => page(eve, () => true)).toThrow('which is the limit');
  page(ada, () => true);
});
