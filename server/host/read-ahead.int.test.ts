// Reading ahead on real terminals: in few chunks, completely, in turns, and no longer than allowed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ReadAhead } from './read-ahead.ts';
import { closeTerminal, openTerminal, type Terminal } from './terminal.ts';

const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;
const SIZE = { rows: 24, cols: 80 };
/** Size of one read from the kernel. */
const KERNELS_BYTES = 4096;
/** Maximum size of one batch. */
const MOST_BYTES = 512 * 1024;
/** Part of a batch that is emitted in one turn. */
const TURN_BYTES = 64 * 1024;

/** Maximum number of chunks from an endless flood, in case it is not stopped. */
const MOST_PIECES = 1000;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
});

/** Opens a terminal in raw mode, without echo or translation. */
function rawTerminal(): Terminal {
  const terminal = openTerminal(SIZE);
  undo.push(() => closeTerminal(terminal));
  spawnSync('stty', ['raw', '-echo'], { stdio: [terminal.childs, 'ignore', 'ignore'] });
  return terminal;
}

/** Opens a flood that never blocks its reader. */
function endless(): Pick<Terminal, 'ours'> {
  const ours = openSync('/dev/zero', 'r');
  undo.push(() => closeSync(ours));
  return { ours };
}

/** Fills the kernel's buffer between the two ends; returns its size. */
function fill({ name }: Terminal): number {
  const fd = openSync(name, O_WRONLY | O_NOCTTY | O_NONBLOCK);
  let written = 0;
  try {
    for (;;) written += writeSync(fd, Buffer.alloc(1000, 'x'));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
  } finally {
    closeSync(fd);
  }
  return written;
}

interface Reader {
  readonly ahead: ReadAhead;
  readonly pieces: Buffer[];
  /** Resolves when the reader rests; call it before the start. */
  readonly rest: () => Promise<void>;
}

function readerOf(
  { ours }: Pick<Terminal, 'ours'>,
  goesOn = (): boolean => true,
  onPiece: () => unknown = () => {},
): Reader {
  const pieces: Buffer[] = [];
  let rested = (): void => {};
  const ahead = new ReadAhead(ours, {
    goesOn,
    onBytes: (bytes) => {
      onPiece();
      if (pieces.length < MOST_PIECES) pieces.push(Buffer.from(bytes));
    },
    onRest: () => rested(),
  });
  undo.push(() => ahead.close());
  return { ahead, pieces, rest: () => new Promise((resolve) => (rested = resolve)) };
}

const copies = (): number => readdirSync('/proc/self/fd').length;
async function idle(...readers: readonly Reader[]): Promise<void> {
  while (readers.some(({ ahead }) => ahead.isReading)) await turn();
}

describe.runIf(process.platform === 'linux')('Reading ahead', () => {
  it("reads everything available at once, however small the kernel's reads are, and then rests", async () => {
    const terminal = rawTerminal();
    const written = fill(terminal);
    const { ahead, pieces, rest } = readerOf(terminal);
    const rested = rest();

    expect(ahead.start()).toBe(true);
    await rested;

    expect(written).toBeGreaterThan(2 * KERNELS_BYTES);
    expect(Buffer.concat(pieces).length).toBe(written);
    expect(pieces.length).toBe(Math.ceil(written / TURN_BYTES));
    expect(ahead.isReading).toBe(false);
  });

  it('reads everything in order, up to the last byte of a program that has ended', async () => {
    const terminal = rawTerminal();
    const script = `exec perl -e 'srand 1; print map { chr 33 + rand 90 } 1..3_000_000'`;
    const text = spawnSync('sh', ['-c', script], { maxBuffer: 4_000_000 }).stdout;
    const program = spawn('sh', ['-c', script], { stdio: ['ignore', terminal.childs, 'ignore'] });
    const { ahead, pieces, rest } = readerOf(terminal);
    const exited = new Promise((resolve) => program.once('exit', resolve));

    let isOver = false;
    void exited.then(() => (isOver = true));
    for (let last = false; !last;) {
      last = isOver;
      const rested = rest();
      expect(ahead.start()).toBe(true);
      await rested;
    }

    const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const all = Buffer.concat(pieces);
    expect(all.length).toBe(3_000_000);
    expect(sha(all)).toBe(sha(text));
  });

  it('reads only one batch when it may not continue', async () => {
    const { ahead, pieces, rest } = readerOf(endless(), () => false);
    const rested = rest();
    expect(ahead.start()).toBe(true);
    await rested;
    expect(pieces.map(({ length }) => length)).toEqual(
      Array.from({ length: MOST_BYTES / TURN_BYTES }, () => TURN_BYTES),
    );
  });

  it('reads at most two terminals at a time, even while one only emits its batch', async () => {
    const third = readerOf(endless());
    const second = readerOf(endless());
    const begun: boolean[] = [];
    const first = readerOf(
      endless(),
      () => false,
      () => begun.push(third.ahead.start()),
    );
    const rested = first.rest();
    expect(second.ahead.start()).toBe(true);
    expect(first.ahead.start()).toBe(true);
    await rested;
    expect(begun).toEqual(first.pieces.map(() => false));
    second.ahead.close();
    await idle(second);
  });

  it('reads a third terminal in turn when two are being read', async () => {
    const first = readerOf(endless());
    const second = readerOf(endless());
    const third = readerOf(endless());
    const rested = Promise.race([first.rest(), second.rest()]);
    expect(first.ahead.start()).toBe(true);
    expect(second.ahead.start()).toBe(true);

    expect(third.ahead.start()).toBe(false);
    await rested;

    expect(third.ahead.start()).toBe(true);
    for (const { ahead } of [first, second, third]) ahead.close();
    await idle(first, second, third);
  });

  it('emits at once, on catchUp, everything that has been read', async () => {
    let begun = (): void => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const reader = readerOf(endless(), undefined, () => begun());
    const { ahead, pieces } = reader;
    ahead.catchUp();
    expect(pieces).toEqual([]);
    ahead.start();
    await hasBegun;

    ahead.catchUp();
    ahead.catchUp();
    expect(pieces.map(({ length }) => length)).toEqual([TURN_BYTES, MOST_BYTES - TURN_BYTES]);

    ahead.close();
    ahead.catchUp();
    await idle(reader);
    expect(pieces.length).toBe(2);
  });

  it('emits nothing once it is closed, and closes its descriptor', async () => {
    const terminal = endless();
    const before = copies();
    const reader = readerOf(terminal);
    const { ahead, pieces } = reader;
    expect(ahead.start()).toBe(true);
    expect(copies()).toBe(before + 1);
    const count = pieces.length;

    ahead.close();
    await idle(reader);

    expect(pieces.length).toBe(count);
    expect(copies()).toBe(before);
    expect(ahead.start()).toBe(false);
  });

  it('does not start without a descriptor', () => {
    const { ahead } = readerOf({ ours: -1 });
    expect(ahead.start()).toBe(false);
    expect(ahead.isReading).toBe(false);
  });
});
