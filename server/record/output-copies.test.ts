// Tests of copies of output: their content, and the reuse of their memory.
import { describe, expect, it } from 'vitest';
import { OutputCopies } from './output-copies.ts';

const CHUNK_BYTES = 32 * 1024;

describe('OutputCopies', () => {
  it('preserves what was copied, whatever happens to the source', () => {
    const copies = new OutputCopies();
    const source = Buffer.from('as it was');
    const { bytes } = copies.copy(source);
    source.fill(0);
    expect(bytes.toString()).toBe('as it was');
  });

  it('never reuses memory before it is released', () => {
    const copies = new OutputCopies();
    const all = Array.from({ length: 100 }, (_, at) => copies.copy(Buffer.alloc(CHUNK_BYTES, at)));
    for (const [at, { release }] of all.entries()) if (at % 2 === 0) release();
    for (let at = 0; at < 100; at += 1) copies.copy(Buffer.alloc(CHUNK_BYTES, 255));
    expect(all.every(({ bytes }, at) => at % 2 === 0 || bytes.every((byte) => byte === at))).toBe(true);
  });

  it('needs no more memory for a flood than for its unreleased part', () => {
    const copies = new OutputCopies();
    const memories = new Set<ArrayBufferLike>();
    for (let at = 0; at < 1000; at += 1) {
      const { bytes, release } = copies.copy(Buffer.alloc(CHUNK_BYTES));
      memories.add(bytes.buffer);
      release();
    }
    expect(memories.size).toBeLessThan(4);
  });

  it('copies chunks larger than a block', () => {
    const source = Buffer.alloc(1024 * 1024, 7);
    const { bytes, release } = new OutputCopies().copy(source);
    release();
    expect(bytes.equals(source)).toBe(true);
  });
});
