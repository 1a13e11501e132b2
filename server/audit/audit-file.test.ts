// The file of the audit log, written by two gateways with one state folder: rules AD3 and AD10.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AuditFile } from './audit-file.ts';

// File functions behave as usual, unless a test replaces them.
vi.mock('node:fs', { spy: true });

const LIMITS = { auditBytes: 200, auditFiles: 3 };

let dir: string;
let path: string;
let one: AuditFile;
let two: AuditFile;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-audit-file-'));
  path = join(dir, 'audit.jsonl');
  [one, two] = [new AuditFile(path, LIMITS), new AuditFile(path, LIMITS)];
});
afterEach(() => {
  one.close();
  two.close();
  rmSync(dir, { recursive: true });
});

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
/** Simulates a disk with this number of free bytes; `meanwhile` may write to the file as another process. */
const fillUpAfter = (bytes: number, meanwhile: () => void = () => {}): void => {
  vi.mocked(writeSync).mockImplementationOnce((file: number, buffer: unknown) => {
    const written = writeSync(file, (buffer as Buffer).subarray(0, bytes));
    meanwhile();
    return written;
  });
};

it('[AD10] AuditFile removes only its own partial line, however much another gateway has written', () => {
  one.append('one');
  two.append('two');
  fillUpAfter(2);
  expect(() => one.append('three')).toThrow('the disk is full');
  expect(linesOf(path)).toEqual(['one', 'two']);
  fillUpAfter(2, () => two.append('four'));
  expect(() => one.append('three')).toThrow('the disk is full');
  one.append('five');
  expect(linesOf(path)).toEqual(['one', 'two', 'thfour', 'five']);
});

it('[AD3] AuditFile leaves no partial line when nothing could be written', () => {
  one.append('one');
  fillUpAfter(0);
  expect(() => one.append('two')).toThrow('the disk is full');
  expect(linesOf(path)).toEqual(['one']);
});

it('[AD10] AuditFile rotates a full file once, whichever gateway fills it, and continues in the shared one', () => {
  const written = Array.from({ length: 100 }, (_, at) => `entry ${String(at).padStart(3, '0')}`);
  for (const [at, line] of written.entries()) (at % 10 === 0 ? one : two).append(line);
  const files = [`${path}.2`, `${path}.1`, path];
  // A full file has 20 lines of 10 bytes.
  expect(files.map((file) => statSync(file).size)).toEqual([200, 200, 200]);
  expect(files.flatMap(linesOf)).toEqual(written.slice(-60));
  expect(readdirSync(dir)).toHaveLength(3);
});

it('[AD10] AuditFile does not rotate a file that has just replaced the full one', () => {
  one.append('x'.repeat(198));
  two.append('y'.repeat(198));
  // Another gateway rotates the file between the check that it is full and the lock.
  vi.mocked(writeFileSync).mockImplementationOnce((...lock) => {
    two.append('two');
    writeFileSync(...lock);
  });
  one.append('one');
  expect(linesOf(path)).toEqual(['two', 'one']);
  expect(linesOf(`${path}.1`)).toEqual(['y'.repeat(198)]);
});

it('[AD10] AuditFile continues in a full file while another process has the lock, and rotates it afterwards', () => {
  one.append('x'.repeat(198));
  writeFileSync(`${path}.lock`, `${hostname()} ${process.ppid} another`);
  one.append('y'.repeat(198));
  expect(linesOf(path)).toEqual(['x'.repeat(198), 'y'.repeat(198)]);
  rmSync(`${path}.lock`);
  one.append('one');
  expect(linesOf(path)).toEqual(['one']);
  expect(linesOf(`${path}.1`)).toHaveLength(2);
});

it('[AD10] AuditFile continues at its path when its file is moved or removed', () => {
  one.append('one');
  rmSync(path);
  one.append('two');
  expect(linesOf(path)).toEqual(['two']);
  expect(existsSync(`${path}.1`)).toBe(false);
});
