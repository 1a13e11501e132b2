// A digest that a thread works at, asked at any moment; the thread is played here, and answers when it is told to.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { hashInThread } from './digest-thread.ts';
import { OutputDigest } from './output-digest.ts';
import { Sha256, type Sha256State } from './sha256.ts';

vi.mock('./digest-thread.ts', () => ({ hashInThread: vi.fn() }));

let tasks: { readonly bytes: number; readonly answer: (hasFailed?: boolean) => void }[] = [];
beforeEach(() => {
  tasks = [];
  vi.mocked(hashInThread).mockImplementation(({ state, bytes }, done) => {
    const answer = (hasFailed = false): void => {
      const digest = Sha256.from(state);
      digest.update(bytes);
      done(hasFailed ? null : (structuredClone(digest.state) satisfies Sha256State));
    };
    tasks.push({ bytes: bytes.length, answer });
  });
});

const KIB = 1024;
const MIB = 1024 * KIB;
const piece = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill);
const sha256 = (parts: readonly Uint8Array[]): string =>
  createHash('sha256').update(Buffer.concat(parts)).digest('hex');

it('OutputDigest is exact whenever it is asked, whatever the thread has answered by then', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.integer({ min: 1, max: 20 * KIB }),
          fc.constantFrom('answer', 'answerLate', 'fail', 'ask'),
        ),
        { maxLength: 40, size: 'max' },
      ),
      (steps) => {
        tasks = [];
        const digest = new OutputDigest();
        const parts: Uint8Array[] = [];
        for (const [at, step] of steps.entries()) {
          if (typeof step === 'number') {
            const bytes = piece(step, at);
            parts.push(bytes);
            digest.update(bytes);
          } else if (step === 'ask') expect(digest.hex()).toBe(sha256(parts));
          else if (step === 'answerLate') tasks.pop()?.answer();
          else tasks.shift()?.answer(step === 'fail');
        }
        expect(digest.hex()).toBe(sha256(parts));
      },
    ),
    { numRuns: 200 },
  );
});

it('OutputDigest hands much over and hashes little itself, one task at a time', () => {
  const digest = new OutputDigest();
  digest.update(piece(4 * KIB, 1));
  expect(tasks).toEqual([]);
  digest.update(piece(64 * KIB, 2));
  digest.update(piece(64 * KIB, 3));
  digest.update(piece(1, 4));
  expect(tasks.map(({ bytes }) => bytes)).toEqual([64 * KIB]);
  tasks[0]?.answer();
  expect(tasks.map(({ bytes }) => bytes)).toEqual([64 * KIB, 64 * KIB + 1]);
  tasks[1]?.answer();
  expect(tasks).toHaveLength(2);
});

it('OutputDigest keeps 8 MiB for a thread that does not answer, and hashes what is more itself', () => {
  const digest = new OutputDigest();
  const parts = Array.from({ length: 9 }, (_, fill) => piece(MIB, fill));
  const update = vi.spyOn(Sha256.prototype, 'update');
  for (const part of parts.slice(0, 8)) digest.update(part);
  expect(update).not.toHaveBeenCalled();
  for (const part of parts.slice(8)) digest.update(part);
  expect(update).toHaveBeenCalledTimes(9);
  update.mockRestore();
  tasks[0]?.answer();
  expect(digest.hex()).toBe(sha256(parts));
});
