// Tests of a log without a reader, or on a full device: a real FIFO and /dev/full.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogOutput } from './log-output.ts';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const LINE = `${'x'.repeat(1023)}\n`;
const MISSING = /^(\d+) missing$/;

let dir: string;
let path: string;
let reader: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'));
  path = join(dir, 'fifo');
  execFileSync('mkfifo', [path]);
  reader = openSync(path, O_RDONLY | O_NONBLOCK);
});
afterEach(() => {
  closeSync(reader);
  rmSync(dir, { recursive: true });
});

const output = (fd: number): LogOutput => new LogOutput(fd, (count) => `${count} missing\n`);

/** Returns the output available now. */
function read(): string {
  const pieces: Buffer[] = [];
  const buffer = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const count = readSync(reader, buffer);
      if (count === 0) break;
      pieces.push(Buffer.from(buffer.subarray(0, count)));
    } catch {
      break;
    }
  }
  return Buffer.concat(pieces).toString();
}

it('[LG4] LogOutput never blocks, retains a mebibyte, and notes in place how many lines are missing', async () => {
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  const log = output(writer);
  for (let count = 0; count < 5000; count += 1) log.write(LINE);
  let text = '';
  await vi.waitFor(() => {
    text += read();
    expect(text).toMatch(/missing\n$/);
  }, 10_000);
  log.write('after\n');
  const lines = (text + read()).split('\n').slice(0, -1);
  const whole = lines.filter((line) => `${line}\n` === LINE).length;
  const [missing = 0] = lines.flatMap((line) => MISSING.exec(line)?.slice(1).map(Number) ?? []);
  expect(whole * LINE.length).toBeGreaterThan(1024 ** 2);
  expect(whole * LINE.length).toBeLessThan(1.2 * 1024 ** 2);
  expect(whole + missing).toBe(5000);
  expect(lines.slice(whole)).toEqual([`${missing} missing`, 'after']);
  closeSync(writer);
});

it('[LG4] LogOutput continues with whole lines when there is a reader again', () => {
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  const log = output(writer);
  log.write('one\n');
  expect(read()).toBe('one\n');
  closeSync(reader);
  for (const lost of ['two\n', 'three\n', 'four\n']) log.write(lost);
  reader = openSync(path, O_RDONLY | O_NONBLOCK);
  log.write('five\n');
  expect(read()).toBe('3 missing\nfive\n');
  closeSync(writer);
});

it('[LG4] LogOutput survives a full disk', () => {
  const writer = openSync('/dev/full', O_WRONLY);
  const log = output(writer);
  for (let count = 0; count < 1000; count += 1) log.write(LINE);
  log.flush();
  closeSync(writer);
});
