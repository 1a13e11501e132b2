// Tests of the tokens that operators create for agents, and of their limit: rules AU15 and AU18.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeAgentToken } from './agent-tokens.ts';
import type { Identity } from './identity.ts';
import { makePage } from './pages.ts';
import { Tokens } from './tokens.ts';

let dir: string;
let tokens: Tokens;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-agent-tokens-'));
  tokens = new Tokens(dir);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const give = (giver: Identity, isConnected: (id: string) => boolean = () => false) => {
  vi.advanceTimersByTime(1);
  return makeAgentToken(tokens, { name: 'agent', ttlMs: null, giver, isConnected });
};
const isGood = ({ token }: { token: string }): boolean => tokens.verify(token) !== null;
const operator = (): Identity => tokens.create({ name: 'op', role: 'operator', ttlMs: null }).identity;

it('[AU15] a new agent token replaces the oldest ones of its creator, and no others', () => {
  const printed = tokens.create({ name: 'agent', role: 'agent', ttlMs: null });
  const [eve, ada] = [operator(), operator()];
  const adas = give(ada);
  const eves = Array.from({ length: 21 }, () => give(eve));
  // An agent token that a page from eve's link creates counts towards eve's limit, too.
  const welcome = { role: 'operator', name: null, giver: eve } as const;
  const page = makePage(tokens, { welcome, ttlMs: 60_000, isConnected: () => false });
  give(page.identity);
  expect(eves.map(isGood)).toEqual([false, false, ...Array<boolean>(19).fill(true)]);
  expect([printed, adas].map(isGood)).toEqual([true, true]);
});

it('[AU15] a new agent token replaces no token of a connected agent', () => {
  const eve = operator();
  const given = Array.from({ length: 20 }, () => give(eve));
  const [first] = given;
  give(eve, (id) => id === first?.identity.tokenId);
  expect(given.map(isGood)).toEqual([true, false, ...Array<boolean>(18).fill(true)]);
  expect(() => give(eve, () => true)).toThrow('which is the limit');
});

it('[AU18] a revoked operator cannot create an agent token', () => {
  const eve = operator();
  tokens.revoke(eve.tokenId);
  expect(() => give(eve)).toThrow('no longer valid');
});
