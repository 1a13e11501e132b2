// What is kept to start a process again: bounded, the oldest first: rule CO12.
import { describe, expect, it } from 'vitest';
import { decoders } from '../protocol/decoders.ts';
import { Restarts, type StartParams } from './restarts.ts';

function params(secret: string): StartParams {
  const decoded = decoders['process/start']({
    processId: 'p',
    argv: ['cat'],
    cwd: 'file:///',
    env: { SECRET: secret },
    tty: false,
  });
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.params;
}

describe('Restarts', () => {
  it('[CO12] gives what was asked for, with the size of now', () => {
    const restarts = new Restarts({ restartBytes: 2000, restartBytesPerToken: 2000 });
    restarts.keep('a', params('x'), 't');
    const size = { rows: 3, cols: 4 };
    expect(restarts.paramsOf({ key: 'a', size })).toMatchObject({
      argv: ['cat'],
      env: { SECRET: 'x' },
      size,
    });
    restarts.forget('a');
    expect(restarts.has('a')).toBe(false);
    expect(restarts.paramsOf({ key: 'a', size })).toBeNull();
  });

  it('[CO12] forgets the oldest when there is too much, also when it is forgotten out of turn', () => {
    const restarts = new Restarts({ restartBytes: 2000, restartBytesPerToken: 2000 });
    for (const key of ['a', 'b', 'c']) restarts.keep(key, params('x'.repeat(300)), 't');
    expect(['a', 'b', 'c'].map((key) => restarts.has(key))).toEqual([true, true, true]);
    restarts.forget('b');
    restarts.keep('d', params('x'.repeat(300)), 't');
    expect(['a', 'c', 'd'].map((key) => restarts.has(key))).toEqual([true, true, true]);
    restarts.keep('e', params('x'.repeat(300)), 't');
    expect(['a', 'c', 'd', 'e'].map((key) => restarts.has(key))).toEqual([false, true, true, true]);
    restarts.keep('f', params('x'.repeat(2000)), 't');
    expect(['c', 'd', 'e', 'f'].map((key) => restarts.has(key))).toEqual([false, false, false, false]);
  });
});
