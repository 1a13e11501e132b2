// Tests of the history filter, which selects the processes of a request.
import { describe, expect, it } from 'vitest';
import { historyParams } from '../../protocol/history.ts';
import { isWanted } from './filter.ts';

const ENDED = {
  startedBy: 'codex',
  startedAtMs: 100,
  exitCode: 0,
  signal: null,
  state: 'closed',
  cwd: '/srv/app',
} as const;

describe('A history filter [HS18]', () => {
  it.each([
    ['/srv/app', true],
    ['/srv/app/', true],
    ['/srv', true],
    ['/', true],
    ['/srv/app/src', false],
    ['/srv/ap', false],
    ['/srv/apple', false],
    ['/app', false],
  ])('selects a process in /srv/app by the folder %s: %s', (folder, isSelected) => {
    expect(isWanted(ENDED, 200, { folder })).toBe(isSelected);
  });

  it('selects a process in the root folder by that folder only', () => {
    expect(isWanted({ ...ENDED, cwd: '/' }, 200, { folder: '/' })).toBe(true);
    expect(isWanted({ ...ENDED, cwd: '/' }, 200, { folder: '/srv' })).toBe(false);
  });

  it('selects a process that was running in the requested time', () => {
    expect(isWanted(ENDED, 200, { sinceMs: 200, untilMs: 101 })).toBe(true);
    expect(isWanted(ENDED, 200, { sinceMs: 201 })).toBe(false);
    expect(isWanted(ENDED, 200, { untilMs: 100 })).toBe(false);
    expect(isWanted(ENDED, null, { sinceMs: 10_000 })).toBe(true);
  });

  it.each([
    [{ exitCode: 0 }, false],
    [{ exitCode: 3 }, true],
    [{ exitCode: null, signal: 'SIGTERM' }, true],
    [{ exitCode: null, state: 'lost' }, true],
    [{ exitCode: null, state: 'running' }, false],
  ] as const)('selects %o as failed: %s', (outcome, isFailed) => {
    expect(isWanted({ ...ENDED, ...outcome }, 200, { failed: true })).toBe(isFailed);
    expect(isWanted({ ...ENDED, ...outcome }, 200, { failed: false })).toBe(true);
  });

  it('selects only what matches all its members', () => {
    expect(isWanted(ENDED, 200, { agent: 'codex', folder: '/srv' })).toBe(true);
    expect(isWanted(ENDED, 200, { agent: 'claude', folder: '/srv' })).toBe(false);
    expect(isWanted(ENDED, 200, { agent: 'codex', folder: '/elsewhere' })).toBe(false);
  });

  it('[HS10] compares names and folders as the reader sees them, so that none of their secrets can be guessed', () => {
    const hidden = { ...ENDED, startedBy: 'token=1234', cwd: '/srv/token=1234' };
    const seen = (text: string): string => text.replaceAll('1234', '****');
    expect(isWanted(hidden, 200, { folder: '/srv/token=1234', seen })).toBe(false);
    expect(isWanted(hidden, 200, { folder: '/srv/token=****', seen })).toBe(true);
    expect(isWanted(hidden, 200, { agent: 'token=1234', seen })).toBe(false);
    expect(isWanted(hidden, 200, { agent: 'token=****', seen })).toBe(true);
  });

  it('needs an absolute path', () => {
    const refused = historyParams.safeParse({ folder: 'src' });
    expect(refused.error?.issues[0]?.message).toBe('must be an absolute path');
    expect(historyParams.safeParse({ folder: `/${'x'.repeat(4096)}` }).success).toBe(false);
  });
});
