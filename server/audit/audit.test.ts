// The audit log is ordered and bounded, counts unwritten entries, and has no typed text: rules AD1 to AD3, AD8 and AD9.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mayCall } from '../policy/roles.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHOD_NAMES, samplesOf } from '../../protocol/records.ts';
import { actOf } from './acts.ts';
import { AUDIT_LIMITS, auditAct as act } from '../testing/audit-acts.ts';
import { Audit, type Typist } from './audit.ts';

const LIMITS = { ...AUDIT_LIMITS, auditBytes: 2000, auditEntries: 5 };

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-audit-'));
  path = join(dir, 'audit.jsonl');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

const typist = (): Typist => act('input');
const make = (failed: (reason: string | null) => void = () => {}): Audit =>
  new Audit({ path, limits: LIMITS, failed });
const lines = (file = path): { act: string; bytes?: number; count?: number }[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { act: string });

describe('Audit', () => {
  it('[AD1] keeps every act with its person, in a file only for its owner, and continues after a restart', () => {
    const first = make();
    first.record(act('start', 'k1'));
    first.close();
    const second = make();
    second.record(act('terminate', 'k1'));
    expect(lines()).toMatchObject([
      { act: 'start', who: 'Ada', role: 'operator', token: 't1', from: '127.0.0.1:1', key: 'k1' },
      { act: 'terminate' },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    second.close();
  });

  it('[AD1] has an entry on one line for every reader, and nothing in it controls a terminal', () => {
    const name = 'a\n\u0085\u2028{"who":"admin"}\u001b[2J\u009b2J\u202egnp.exe';
    make().record({ ...act('start'), details: { argv: [name] } });
    expect(lines()).toMatchObject([{ details: { argv: [name] } }]);
    expect(readFileSync(path, 'utf8')).toMatch(/^[\u0020-\u007e]+\n$/);
  });

  it('[AD2] counts the bytes of input, joins them for a while, and writes them before the next act', () => {
    vi.useFakeTimers();
    const audit = make();
    audit.recordInput('c1', 'k1', 3, typist);
    audit.recordInput('c1', 'k1', 4, typist);
    audit.recordInput('c1', 'k2', 1, typist);
    vi.advanceTimersByTime(1000);
    audit.recordInput('c1', 'k1', 5, typist);
    audit.record(act('signal', 'k1'));
    expect(lines().map((line) => [line.act, line.bytes])).toEqual([
      ['input', 7],
      ['input', 1],
      ['input', 5],
      ['signal', undefined],
    ]);
    audit.close();
  });

  it('[AD1] rotates full files, and keeps a limited number', () => {
    const audit = make();
    for (let count = 0; count < 100; count += 1) audit.record(act(`act ${count}`));
    audit.close();
    const all = [`${path}.2`, `${path}.1`, path].flatMap((file) => lines(file));
    for (const file of [path, `${path}.1`, `${path}.2`])
      expect(statSync(file).size).toBeLessThanOrEqual(2000);
    expect(existsSync(`${path}.3`)).toBe(false);
    const last = all.map((line) => line.act);
    expect(last).toEqual(Array.from({ length: last.length }, (_, at) => `act ${100 - last.length + at}`));
  });

  it.each([
    ['a folder', (): void => mkdirSync(path)],
    ['a FIFO', (): void => void execFileSync('mkfifo', [path])],
    ['a device', (): void => symlinkSync('/dev/null', path)],
  ])(
    '[AD3] reports that %s cannot be written, continues in memory, and later notes the number of missing entries',
    (what, put) => {
      const reasons: (string | null)[] = [];
      put();
      const audit = make((reason) => reasons.push(reason));
      audit.record(act('one'));
      audit.record(act('two'));
      expect(reasons.at(-1)).toContain(`cannot be written (${path} is ${what}, not a file; remove it)`);
      rmSync(path, { recursive: true });
      audit.record(act('three'));
      expect(reasons.at(-1)).toBeNull();
      expect(lines()).toMatchObject([{ act: 'unwritten', count: 2 }, { act: 'three' }]);
      expect(audit.read({}, 10).map((entry) => entry.act)).toEqual(['three', 'two', 'one']);
      audit.close();
    },
  );

  it('[AD1] returns the newest entries first, of one process or of all, page by page', () => {
    const audit = make();
    for (const key of ['a', 'b', 'a', 'b', 'a']) audit.record(act('signal', key));
    const page = audit.read({ key: 'a' }, 2);
    expect(page.map(({ number }) => number)).toEqual([5, 3]);
    expect(audit.read({ key: 'a', before: page.at(-1)?.number ?? 0 }, 2)).toMatchObject([{ number: 1 }]);
    audit.record({ ...act('terminate', 'a'), who: 'Olga' });
    expect(audit.read({ who: 'Olga' }, 9).map(({ number }) => number)).toEqual([6]);
    expect(audit.read({ act: 'terminate', key: 'b' }, 9)).toEqual([]);
    expect(audit.read({ after: 4 }, 9).map(({ number }) => number)).toEqual([6, 5]);
    for (let count = 0; count < 20; count += 1) audit.record(act('more'));
    expect(audit.read({}, 1000).length).toBeLessThanOrEqual(2 * LIMITS.auditEntries);
    audit.close();
  });

  it('[AD8] loses no act to any number of connection entries, in memory or in the files', () => {
    const audit = make();
    audit.record(act('start', 'k1'));
    for (let count = 0; count < 100; count += 1) audit.record(act('refused', 'k1'));
    audit.record({ ...act('terminate', 'k1'), details: { running: false } });
    expect(lines()).toMatchObject([{ act: 'start' }]);
    expect(lines(join(dir, 'audit-visits.jsonl')).at(-1)).toMatchObject({ act: 'terminate' });
    const all = audit.read({}, 1000).map(({ number }) => number);
    expect([all[0], all.at(-1)]).toEqual([102, 1]);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    audit.close();
  });

  it('[AD3] counts as recovered with the first written entry of either file', () => {
    const reasons: (string | null)[] = [];
    const visits = join(dir, 'audit-visits.jsonl');
    mkdirSync(visits);
    const audit = make((reason) => reasons.push(reason));
    audit.record(act('connected'));
    audit.record(act('start'));
    expect(reasons.at(-1)).toContain('cannot be written');
    rmSync(visits, { recursive: true });
    audit.record(act('start'));
    expect(reasons.at(-1)).toBeNull();
    expect(lines(visits)).toMatchObject([{ act: 'unwritten', count: 1 }]);
    audit.close();
  });
});

describe('actOf', () => {
  it('[AD9] returns an act for every method that is forbidden to observers, except read-only ones', () => {
    const samples = samplesOf({ key: 'k', processId: 'p', folder: 'file:///tmp' });
    const silent = METHOD_NAMES.filter((method) => {
      if (mayCall('observer', method, false) || mayCall('observer', method, true)) return false;
      const { own, any } = samples[method];
      return actOf(method, { ...(own ?? any), mode: 'replace' }, {}) === null;
    });
    expect(silent.sort()).toEqual([
      // A request that waits for approval is logged with its decision, like every request of the queue.
      'approvals/ask',
      'console/audit',
      'console/checkCommand',
      'console/rules',
      'console/shares',
      'console/tokens',
      'environmentConfig/read',
      'fs/canonicalize',
      'fs/close',
      'fs/getMetadata',
      'fs/readBlock',
      'fs/readDirectory',
      'fs/readFile',
      'fs/walk',
      'fs/watchMissing',
      // Requests on an open file, whose opening is logged, and counted requests have no entry of their own.
      'fs/writeBlock',
      'process/write',
    ]);
    expect(actOf('fs/open', { path: 'file:///a', mode: 'read' }, {})).toBeNull();
  });

  it('[AD9] limits all details, so that one request cannot fill the audit log', () => {
    const long = 'x'.repeat(1_000_000);
    const all = samplesOf({ key: long, processId: long, folder: `file:///${long}` });
    for (const [method, { own, any }] of Object.entries(all)) {
      for (const params of [own, any].filter((each) => each !== undefined)) {
        const { details } =
          actOf(method as RequestMethod, { argv: [long, long], url: `http://h/${long}`, ...params }, {}) ??
          {};
        expect(JSON.stringify(details ?? {}).length, method).toBeLessThan(20_000);
      }
    }
  });

  it('[AD2] shortens a long command line, and returns no act for a read, and no query of a URL', () => {
    const argv = Array.from({ length: 200 }, () => 'x'.repeat(5000));
    const start = actOf('process/start', { argv, cwd: 'file:///tmp' }, { key: 'k' });
    expect(JSON.stringify(start).length).toBeLessThan(10_000);
    expect(actOf('process/read', { key: 'k' }, {})).toBeNull();
    expect(actOf('http/request', { method: 'GET', url: 'https://host/path?token=secret' }, {})).toMatchObject(
      {
        details: { url: 'https://host/path' },
      },
    );
  });
});
