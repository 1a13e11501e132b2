// Tests of the choice of a session to evict, among sessions in every state.
import { describe, expect, it } from 'vitest';
import { givesWay, type Candidate } from './prune.ts';

interface Named extends Candidate {
  readonly name: number;
}

/** Returns sessions, the least recently used first. */
const sessions = (count: number, of: (name: number) => Partial<Candidate> = () => ({})): Named[] =>
  Array.from({ length: count }, (_, name) => ({
    name,
    usedAt: name,
    hasExited: false,
    isLocked: false,
    ...of(name),
  }));

const nameOf = (candidates: readonly Named[]): number | undefined => givesWay(candidates)?.name;

describe('[UE6] the session that is evicted', () => {
  it('does not exist while there are fewer than 64', () => {
    expect(givesWay(sessions(63))).toBeNull();
  });

  it('is the least recently used live one, when none has exited', () => {
    expect(nameOf(sessions(64))).toBe(0);
    expect(nameOf(sessions(64).toReversed())).toBe(0);
  });

  it('is an exited one before any live one, and of these the least recently used', () => {
    expect(nameOf(sessions(64, (name) => ({ hasExited: name === 40 || name === 50 })))).toBe(40);
  });

  it('is none of the eight most recently used, even when they have exited', () => {
    expect(nameOf(sessions(64, (name) => ({ hasExited: name >= 56 })))).toBe(0);
    expect(nameOf(sessions(64, (name) => ({ hasExited: name >= 55 })))).toBe(55);
  });

  it('is not one that a call is using', () => {
    expect(nameOf(sessions(64, (name) => ({ isLocked: name < 3 })))).toBe(3);
    expect(nameOf(sessions(64, (name) => ({ hasExited: name < 2, isLocked: name === 0 })))).toBe(1);
  });

  it('is not a live one while an exited one is about to be reported', () => {
    expect(givesWay(sessions(64, (name) => ({ hasExited: name === 5, isLocked: name === 5 })))).toBeNull();
  });

  it('is not one that a person is using', () => {
    const busy = { usedAt: Number.POSITIVE_INFINITY };
    expect(nameOf(sessions(64, (name) => (name < 60 ? busy : {})))).toBe(60);
    expect(givesWay(sessions(64, () => busy))).toBeNull();
    expect(nameOf(sessions(64, (name) => (name === 0 ? { usedAt: Number.POSITIVE_INFINITY } : {})))).toBe(1);
  });
});
