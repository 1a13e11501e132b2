// Reading the audit log of earlier gateways: rule AD11.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_LIMITS, auditAct as act } from '../testing/audit-acts.ts';
import { Audit } from './audit.ts';
import { parsePast, readPast } from './past-entries.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-past-'));
  path = join(dir, 'audit.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = (limits: Partial<typeof AUDIT_LIMITS> = {}): Audit =>
  new Audit({ path, limits: { ...AUDIT_LIMITS, ...limits }, failed: () => {} });
/** Records these acts as an earlier gateway. */
function recorded(...acts: readonly string[]): void {
  const audit = open();
  for (const each of acts) audit.record(act(each, 'k1'));
  audit.close();
}
function pastOf(limits: Partial<typeof AUDIT_LIMITS> = {}): ReturnType<typeof parsePast> {
  const all = { ...AUDIT_LIMITS, ...limits };
  return parsePast(readPast(path, all), all);
}
const read = (limits: Partial<typeof AUDIT_LIMITS> = {}) => {
  const { entries, skipped, failure } = pastOf(limits);
  return { acts: entries.map(({ entry }) => entry.act), skipped, failure };
};
const whole = (...acts: readonly string[]) => ({ acts, skipped: 0, failure: null });

describe('readPast', () => {
  it('[AD11] returns entries as they were recorded, oldest first', () => {
    const audit = open();
    audit.record({ ...act('approve', 'k1'), details: { id: 'a-1' } });
    audit.recordInput('c1', 'k1', 3, () => act('input', 'k1'));
    audit.close();
    const [approved, typed] = pastOf().entries.map(({ entry }) => entry);
    expect(approved).toEqual({
      ...act('approve', 'k1'),
      details: { id: 'a-1' },
      atMs: expect.any(Number) as number,
    });
    expect(typed).toEqual({ ...act('input', 'k1'), bytes: 3, atMs: expect.any(Number) as number });
  });

  it('[AD11] returns nothing without a file, and from an empty one', () => {
    expect(read()).toEqual(whole());
    writeFileSync(path, '');
    expect(read()).toEqual(whole());
  });

  it('[AD11] skips and counts a last line that was cut, and later entries stay whole', () => {
    recorded('start', 'approve');
    truncateSync(path, readFileSync(path).length - 10);
    expect(read()).toEqual({ ...whole('start'), skipped: 1 });
    recorded('decline');
    expect(read()).toEqual({ ...whole('start', 'decline'), skipped: 1 });
  });

  it('[AD11] skips and counts a line with a changed byte', () => {
    recorded('start', 'approve', 'decline');
    const bytes = readFileSync(path);
    for (const [place, changed] of [
      [bytes.indexOf('approve') + 2, 0xff],
      [bytes.indexOf('"approve"') + 8, 0x20],
      [bytes.indexOf('operator', bytes.indexOf('\n')), 0x20],
    ] as const) {
      const damaged = Buffer.from(bytes);
      damaged[place] = changed;
      writeFileSync(path, damaged);
      expect(read()).toEqual({ ...whole('start', 'decline'), skipped: 1 });
    }
  });

  it('[AD11] skips and counts lines that are not entries, except the line about missing entries', () => {
    recorded('start');
    appendFileSync(path, '{"act":"unwritten","count":2}\n\n');
    for (const line of ['{}', 'null', '[1]', 'hello', '{"at":"soon","act":"x"}'])
      appendFileSync(path, `${line}\n`);
    recorded('approve');
    expect(read()).toEqual({ ...whole('start', 'approve'), skipped: 5 });
  });

  it('[AD11] skips and counts a line longer than any entry', () => {
    recorded('start');
    const [line = ''] = readFileSync(path, 'utf8').split('\n');
    appendFileSync(path, `${line.replace('Ada', 'A'.repeat(300_000))}\n`);
    recorded('approve');
    expect(read()).toEqual({ ...whole('start', 'approve'), skipped: 1 });
  });

  it('[AD11] reads only the newest bytes, without the line that their beginning cuts', () => {
    recorded('start', 'approve');
    const size = readFileSync(path).length;
    const last = size - readFileSync(path).indexOf('\n') - 1;
    expect(read({ auditPastBytes: last + 5 })).toEqual(whole('approve'));
    expect(read({ auditPastBytes: last - 5 })).toEqual(whole());
    expect(read({ auditPastBytes: size })).toEqual(whole('start', 'approve'));
  });

  it('[AD11] continues in rotated files, up to both limits together', () => {
    recorded('one', 'two');
    renameSync(path, `${path}.1`);
    renameSync(`${path}.1`, `${path}.2`);
    recorded('three', 'four');
    renameSync(path, `${path}.1`);
    recorded('five');
    expect(read()).toEqual(whole('one', 'two', 'three', 'four', 'five'));
    expect(read({ auditEntries: 4 })).toEqual(whole('two', 'three', 'four', 'five'));
    const newest = readFileSync(path).length + readFileSync(`${path}.1`).length;
    expect(read({ auditPastBytes: newest })).toEqual(whole('three', 'four', 'five'));
    expect(read({ auditFiles: 2 })).toEqual(whole('three', 'four', 'five'));
    rmSync(path);
    expect(read()).toEqual(whole('one', 'two', 'three', 'four'));
  });

  it('[AD11] reports a file that cannot be read, without waiting for a pipe', () => {
    mkdirSync(path);
    expect(read().failure).toBe(`${path} is a folder, not a file; remove it`);
    rmSync(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(read()).toMatchObject({ acts: [], failure: `${path} is a FIFO, not a file; remove it` });
  });
});

describe('Audit', () => {
  const numbered = (audit: Audit): unknown[] => audit.read({}, 100).map((entry) => [entry.number, entry.act]);

  it('[AD11] shows the entries of earlier gateways once, before its own, however often it restarts', () => {
    recorded('connected', 'start', 'approve');
    for (let restart = 0; restart < 2; restart += 1) {
      const audit = open();
      audit.lookBack();
      expect(audit.earlierActs.map((entry) => entry.act)).toEqual(['start', 'approve']);
      expect(new Set(audit.read({}, 100).map((entry) => entry.act))).toEqual(
        new Set(['approve', 'start', 'connected']),
      );
      audit.close();
    }
    const audit = open();
    audit.lookBack();
    // This gateway's own entry is recorded before the entries of earlier gateways are first read.
    audit.record(act('decline', 'k1'));
    expect(numbered(audit)[0]).toEqual([4, 'decline']);
    expect(audit.earlierActs).toHaveLength(2);
    expect(audit.read({ after: 3 }, 100)).toHaveLength(1);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(3);
    audit.close();
  });

  it('[AD11] evicts entries of earlier gateways before its own', () => {
    recorded('one', 'two', 'three');
    const audit = open({ auditEntries: 4 });
    audit.lookBack();
    audit.record(act('four', 'k1'));
    audit.record(act('five', 'k1'));
    expect(numbered(audit)).toEqual([
      [5, 'five'],
      [4, 'four'],
      [3, 'three'],
      [2, 'two'],
    ]);
    audit.record(act('six', 'k1'));
    expect(numbered(audit).at(-1)).toEqual([3, 'three']);
    audit.close();
  });

  it('[AD11] reports skipped lines once', () => {
    recorded('one');
    appendFileSync(path, 'damaged\nmore\n');
    const reports: unknown[] = [];
    const skipped = (...report: readonly unknown[]): number => reports.push(report);
    const audit = new Audit({ path, limits: AUDIT_LIMITS, failed: () => {}, skipped });
    audit.lookBack();
    expect(reports).toEqual([]);
    expect([audit.read({}, 9).length, audit.read({}, 9).length]).toEqual([1, 1]);
    expect(reports).toEqual([[2, null]]);
    audit.close();
  });

  it('[AD11] orders acts and visits by time, and by file where the clock was set back', () => {
    const line = (what: string, second: number): string =>
      `${JSON.stringify({ at: new Date(second * 1000).toISOString(), number: 1, ...act(what, 'k1') })}\n`;
    writeFileSync(path, line('start', 2) + line('approve', 9) + line('decline', 5));
    writeFileSync(join(dir, 'audit-visits.jsonl'), line('connected', 1) + line('disconnected', 7));
    const audit = open();
    audit.lookBack();
    expect(numbered(audit)).toEqual([
      [5, 'decline'],
      [4, 'approve'],
      [3, 'disconnected'],
      [2, 'start'],
      [1, 'connected'],
    ]);
    audit.close();
  });
});
