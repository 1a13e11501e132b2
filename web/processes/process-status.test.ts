// The table of what a record means.
import { describe, expect, it } from 'vitest';
import { endedByInWords, endInWords, processStatus } from './process-status.ts';

const running = { state: 'running', exitCode: null, signal: null, terminatingSinceMs: null } as const;

describe('processStatus', () => {
  it.each([
    [{}, 'running', ''],
    [{ state: 'starting' }, 'starting', ''],
    [{ terminatingSinceMs: 5 }, 'terminating', ''],
    [{ state: 'exited', exitCode: 0 }, 'succeeded', 'exit 0'],
    [{ state: 'closed', exitCode: 0, terminatingSinceMs: 5 }, 'succeeded', 'exit 0'],
    [{ state: 'closed', exitCode: 42 }, 'failed', 'exit 42'],
    [{ state: 'closed', exitCode: 137, signal: 'SIGKILL' }, 'failed', 'killed by SIGKILL'],
    [{ state: 'closed', exitCode: 130, signal: 'SIGINT' }, 'failed', 'interrupted'],
    [{ state: 'closed', exitCode: 0, signal: 'SIGTERM' }, 'failed', 'killed by SIGTERM'],
    [{ state: 'lost' }, 'lost', 'its gateway is gone'],
  ] as const)('of %j is %s, in words %j', (change, status, words) => {
    expect(processStatus({ ...running, ...change })).toBe(status);
    expect(endInWords({ ...running, ...change })).toBe(words);
  });
});

describe('endedByInWords', () => {
  it('names who did it and how', () => {
    expect(endedByInWords({ who: 'page', how: 'terminate', atMs: 1 })).toBe('terminated by page');
    expect(endedByInWords({ who: 'gateway', how: 'gatewayStopped', atMs: 1 })).toBe('ended with the gateway');
    expect(endedByInWords(null)).toBe('');
  });
});
