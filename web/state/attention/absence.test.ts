// Summary of an absence: processes that started, ended and failed, and those that still need attention.
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../protocol/activity.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { absenceOf } from './absence.ts';

const infos: { readonly [key: string]: Partial<ProcessInfo> } = {
  good: { state: 'closed', exitCode: 0 },
  bad: { state: 'closed', exitCode: 2 },
  asks: { waitsForInput: true },
  asked: { waitsForInput: false },
  hidden: { state: 'closed', exitCode: 1, argv: ['a\u202eb'] },
};
const infoOf = (key: string): ProcessInfo | undefined => {
  const info = infos[key];
  return info && processInfo({ key, ...info });
};
const entry = (key: string, what: Activity['what'], text?: string): Activity => ({
  change: 1,
  atMs: 1,
  key,
  what,
  ...(text !== undefined && { text }),
});
const times = { sinceMs: 1, untilMs: 2 };
const sum = (...entries: Activity[]) => absenceOf({ entries, isComplete: true }, infoOf, times);

describe('absenceOf', () => {
  it('counts the activity, and names each process that needs attention once, newest first', () => {
    const absence = sum(
      entry('good', 'started'),
      entry('asks', 'notification', 'soon'),
      entry('good', 'exited'),
      entry('bad', 'exited'),
      entry('asked', 'waitsForInput'),
      entry('asks', 'waitsForInput'),
      entry('gone', 'exited'),
    );
    expect(absence).toMatchObject({ started: 1, ended: 3, failed: 1, waiting: 1, isComplete: true });
    expect(absence?.items.map(({ key, text }) => `${key}: ${text}`)).toEqual([
      'asks: waiting for input',
      'bad: failed · exit 2',
    ]);
  });

  it('names waiting processes, then those that notified, then failed ones, and counts each', () => {
    const absence = sum(
      entry('good', 'notification', 'deployed'),
      entry('asks', 'waitsForInput'),
      entry('asks', 'notification', 'answer me'),
      entry('bad', 'exited'),
    );
    expect(absence).toMatchObject({ waiting: 1, notified: 1, failed: 1 });
    expect(absence?.items.map(({ key, cause }) => `${key}: ${cause}`)).toEqual([
      'asks: waits',
      'good: notification',
      'bad: failed',
    ]);
  });

  it('is null when no process ended or waited', () => {
    expect(sum(entry('good', 'started'))).toBeNull();
    expect(sum(entry('asked', 'waitsForInput'))).toBeNull();
    expect(sum()).toBeNull();
  });

  it('escapes hidden characters', () => {
    expect(sum(entry('hidden', 'exited'))?.items[0]?.name).not.toContain('\u202e');
    expect(sum(entry('good', 'notification', 'a\u202eb'))?.items[0]?.text).not.toContain('\u202e');
  });
});
