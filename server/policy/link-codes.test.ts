// Tests that a code is valid once and for a limited time, and that the number of codes is limited: rules AU14 and AU19.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LinkCodes } from './link-codes.ts';

const OPERATOR = { role: 'operator', name: null, giver: null } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a code is valid once', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create(OPERATOR).code;
  expect(codes.redeem(code)).toMatchObject(OPERATOR);
  expect(codes.redeem(code)).toBeNull();
});

it('a code expires', () => {
  const codes = new LinkCodes(1000);
  const [early, late] = [codes.create(OPERATOR).code, codes.create(OPERATOR).code];
  vi.advanceTimersByTime(999);
  expect(codes.redeem(early)).toMatchObject(OPERATOR);
  vi.advanceTimersByTime(1);
  expect(codes.redeem(late)).toBeNull();
});

it('a code is not accepted in any other spelling', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create(OPERATOR).code;
  for (const wrong of ['', code.slice(1), `${code}x`, code.toLowerCase()])
    expect(codes.redeem(wrong)).toBeNull();
  expect(codes.redeem(code)).toMatchObject(OPERATOR);
});

it('the oldest code is evicted beyond the limit', () => {
  const codes = new LinkCodes(1000);
  const all = Array.from({ length: 17 }, () => codes.create(OPERATOR).code);
  expect(all.map((code) => codes.redeem(code) !== null)).toEqual([
    false,
    ...Array.from({ length: 16 }, () => true),
  ]);
});

it('[AU19] codes are limited for each creator, and never evicted by another creator’s', () => {
  const codes = new LinkCodes(1000);
  const by = (tokenId: string) => codes.create({ ...OPERATOR, giver: { tokenId, expiresAtMs: null } }).code;
  const [printed, ada] = [codes.create(OPERATOR).code, by('ada')];
  const eves = Array.from({ length: 17 }, () => by('eve'));
  expect([printed, ada, ...eves.slice(0, 2)].map((code) => codes.linkOf(code) !== null)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  codes.forget('eve');
  expect([printed, ada, ...eves].filter((code) => codes.redeem(code))).toEqual([printed, ada]);
});

it('[AU14] a code yields the role and name that it was created for', () => {
  const codes = new LinkCodes(1000);
  const [admin, observer] = [
    codes.create({ role: 'admin', name: 'Ada', giver: null }).code,
    codes.create({ role: 'observer', name: null, giver: null }).code,
  ];
  expect([codes.redeem(observer), codes.redeem(admin)]).toMatchObject([
    { role: 'observer', name: null },
    { role: 'admin', name: 'Ada' },
  ]);
});

it('expired codes do not count towards the limit', () => {
  const codes = new LinkCodes(1000);
  for (let made = 0; made < 16; made += 1) codes.create(OPERATOR);
  vi.advanceTimersByTime(500);
  const late = codes.create(OPERATOR).code;
  vi.advanceTimersByTime(500);
  const again = Array.from({ length: 15 }, () => codes.create(OPERATOR).code);
  expect([late, ...again].every((code) => codes.linkOf(code))).toBe(true);
});
