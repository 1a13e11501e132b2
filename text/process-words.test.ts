// Statuses, durations and amounts in words.
import { describe, expect, it } from 'vitest';
import type { EndedBy } from '../protocol/console.ts';
import { processInfo } from '../protocol/testing/process-info.ts';
import { bytesText, agoText, durationText, leftText } from './amounts.ts';
import { elapsedMs, isSuspended, isWaiting, statusOf, statusText } from './process-words.ts';

const by = (how: EndedBy['how'], who = 'page') => ({ who, how, atMs: 1 });

describe('statusOf', () => {
  it.each([
    [{}, 'running', 'running'],
    [{ state: 'starting' }, 'starting', 'starting'],
    [{ terminatingSinceMs: 5 }, 'terminating', 'terminating'],
    [{ state: 'exited', exitCode: 0 }, 'succeeded', 'succeeded'],
    [{ state: 'closed', exitCode: 0, terminatingSinceMs: 5 }, 'succeeded', 'succeeded'],
    [{ state: 'closed', exitCode: 42 }, 'failed', 'failed · exit 42'],
    [
      { state: 'closed', exitCode: 1, sandboxDenied: true },
      'failed',
      'failed · exit 1 · probably blocked by its sandbox',
    ],
    [{ state: 'closed', exitCode: 137, signal: 'SIGKILL' }, 'failed', 'failed · killed by SIGKILL'],
    [{ state: 'closed', exitCode: 130, signal: 'SIGINT' }, 'stopped', 'interrupted'],
    [
      { state: 'closed', exitCode: 130, signal: 'SIGINT', endedBy: by('interrupt') },
      'stopped',
      'interrupted by page',
    ],
    [
      { state: 'closed', exitCode: 130, endedBy: by('interrupt') },
      'stopped',
      'interrupted by page · exit 130',
    ],
    [
      { state: 'closed', exitCode: 143, signal: 'SIGTERM', endedBy: by('terminate', 'a\u202eb') },
      'stopped',
      'terminated by a\\u202eb',
    ],
    [{ state: 'exited', exitCode: 0, endedBy: by('terminate') }, 'stopped', 'terminated by page · exit 0'],
    [{ state: 'closed', exitCode: 137, signal: 'SIGKILL', endedBy: by('kill') }, 'stopped', 'killed by page'],
    [
      { state: 'closed', exitCode: 137, signal: 'SIGKILL', endedBy: by('kill', 'somebody') },
      'stopped',
      'killed',
    ],
    [
      { state: 'closed', exitCode: 143, signal: 'SIGTERM', endedBy: by('gatewayStopped', 'gateway') },
      'stopped',
      'ended with the gateway',
    ],
    [{ state: 'closed', exitCode: 0, signal: 'SIGTERM' }, 'failed', 'failed · killed by SIGTERM'],
    [{ state: 'lost' }, 'lost', 'lost'],
    [{ state: 'lost', stillRunning: true, pid: 42 }, 'lost', 'lost, still running: PID 42'],
    [{ state: 'lost', exitCode: 7 }, 'lost', 'lost · exit 7'],
  ] as const)('returns for %j the status %s, and statusText returns %j', (change, status, words) => {
    expect(statusOf(processInfo(change))).toBe(status);
    expect(statusText(processInfo(change))).toBe(words);
  });
});

it('isWaiting is false once the process has ended', () => {
  expect(isWaiting({ state: 'running', waitsForInput: true })).toBe(true);
  expect(isWaiting({ state: 'running', waitsForInput: false })).toBe(false);
  expect(isWaiting({ state: 'lost', waitsForInput: true })).toBe(false);
});

describe('elapsedMs', () => {
  const times = { state: 'running', startedAtMs: 1000, exitedAtMs: null, lastOutputAtMs: 1500 } as const;
  it('grows with the clock, and stops at the exit, or at the last output of a lost process', () => {
    expect(elapsedMs(times, 4000)).toBe(3000);
    expect(elapsedMs({ ...times, state: 'closed', exitedAtMs: 1200 }, 4000)).toBe(200);
    expect(elapsedMs({ ...times, state: 'lost' }, 4000)).toBe(500);
    expect(elapsedMs(times, 900)).toBe(0);
  });
});

it.each([
  [-5, '<1s'],
  [999, '<1s'],
  [59_999, '59s'],
  [60_000, '1m 00s'],
  [3_599_999, '59m 59s'],
  [3_600_000, '1h 00m'],
  [86_400_000, '1d 00h'],
])('durationText of %d ms is %s', (ms, text) => expect(durationText(ms)).toBe(text));

it.each([
  [1, '1s'],
  [4001, '5s'],
  [59_001, '1m 00s'],
  [0, '<1s'],
])('leftText of %d ms is %s', (ms, text) => expect(leftText(ms)).toBe(text));

it.each([
  [-5, 'just now'],
  [59_999, 'just now'],
  [60_000, '1m ago'],
  [3_599_000, '59m ago'],
  [3_600_000, '1h ago'],
  [86_400_000 * 4, '4d ago'],
])('agoText of %d ms is %s', (ms, text) => expect(agoText(ms)).toBe(text));

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [48_200_000, '48.2 MB'],
])('bytesText of %d bytes is %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));

it('isSuspended is true from a suspension until the next resumption or the end', () => {
  const by = (...how: ('suspend' | 'resume' | 'interrupt')[]) =>
    how.map((each, atMs) => ({ who: 'page', how: each, atMs, afterSeq: 7 }));
  expect(isSuspended(processInfo())).toBe(false);
  expect(isSuspended(processInfo({ acts: by('suspend', 'interrupt') }))).toBe(true);
  expect(isSuspended(processInfo({ acts: by('suspend', 'resume') }))).toBe(false);
  expect(isSuspended(processInfo({ acts: by('resume', 'suspend') }))).toBe(true);
  expect(isSuspended(processInfo({ state: 'closed', acts: by('suspend') }))).toBe(false);
});
