// Tests of the parameters retained for restarts: bounded, with the oldest evicted first: rule CO12.
import { describe, expect, it } from 'vitest';
import { decoders } from '../../protocol/records.ts';
import type { ProcessView } from '../keeper/process-view.ts';
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

const sandboxOf = (network: 'restricted' | 'enabled'): NonNullable<StartParams['sandbox']> => ({
  permissions: { type: 'managed', file_system: { type: 'restricted', entries: [] }, network },
});
const SANDBOX = sandboxOf('restricted');

describe('A start like another process', () => {
  const model = { key: 'a', size: null } as ProcessView;
  const restarts = new Restarts({ restartBytes: 10_000, restartBytesPerToken: 10_000 });
  restarts.keep('a', { ...params('x'), cwd: 'file:///model', sandbox: SANDBOX }, 't');
  const wanted = { ...params('x'), env: { ADDED: 'y' }, cwd: 'file:///', session: 'console' } as const;
  const started = (like: StartParams['like'], more: Partial<StartParams> = {}): StartParams =>
    restarts.likeItsModel({ ...wanted, ...more, like }, () => model);

  it('[CO16] has the environment and the sandbox of its model, whose folder stays the same', () => {
    expect(started({ key: 'a' })).toMatchObject({
      cwd: 'file:///',
      env: { SECRET: 'x', ADDED: 'y' },
      sandbox: { ...SANDBOX, cwd: 'file:///model' },
    });
  });

  it('[CO16] has its own environment or sandbox when each is requested', () => {
    const none = started({ key: 'a', ownSandbox: true });
    expect(none.sandbox).toBeUndefined();
    expect(none.env).toEqual({ SECRET: 'x', ADDED: 'y' });
    const own = started({ key: 'a', ownEnv: true });
    expect(own.env).toEqual({ ADDED: 'y' });
    expect(own.sandbox).toMatchObject(SANDBOX);
    expect(started(undefined)).toEqual(wanted);
  });

  it('[CO16] is refused when it would implicitly weaken the sandbox', () => {
    expect(() => started({ key: 'a' }, { sandbox: sandboxOf('enabled') })).toThrow('like.ownSandbox');
    expect(() => started({ key: 'a' }, { env: { TMPDIR: '/' } })).toThrow('params.env.TMPDIR');
    expect(() => started({ key: 'a' }, { session: undefined })).toThrow('only with session "console"');
    const forgotten = new Restarts({ restartBytes: 1, restartBytesPerToken: 1 });
    const like = { key: 'a', ownEnv: true };
    expect(() => forgotten.likeItsModel({ ...wanted, like }, () => model)).toThrow('no longer retained');
    expect(forgotten.likeItsModel({ ...wanted, like: { ...like, ownSandbox: true } }, () => model)).toEqual(
      wanted,
    );
  });
});

describe('Restarts', () => {
  it('[CO12] returns the original parameters with the current size', () => {
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

  it('[CO12] evicts the oldest parameters beyond the limit, even after one was forgotten out of turn', () => {
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
