// Tests of collected output: both ends retained, everything counted, each byte returned once.
import { describe, expect, it } from 'vitest';
import { Collected } from './collected.ts';

const MIB = 1024 * 1024;
const drained = (pieces: readonly (string | Buffer)[], isCut = false) => {
  const collected = new Collected();
  for (const piece of pieces) collected.add(Buffer.from(piece));
  return { collected, ...collected.drain(isCut) };
};

describe('collected output', () => {
  it('is returned once', () => {
    const { collected, bytes } = drained(['one', 'two']);
    expect(bytes.toString()).toBe('onetwo');
    expect(collected.drain(false)).toMatchObject({ total: 0, omitted: 0 });
  });

  it('is whole up to a mebibyte, however it is split into pieces', () => {
    const { bytes, omitted } = drained(Array.from({ length: 4096 }, (_, at) => Buffer.alloc(256, at)));
    expect(omitted).toBe(0);
    expect(bytes.equals(Buffer.concat(Array.from({ length: 4096 }, (_, at) => Buffer.alloc(256, at))))).toBe(
      true,
    );
  });

  it.each([1, 1000, 70_000, 3 * MIB])(
    'retains the first and the last half, with pieces of %d bytes',
    (size) => {
      const all = Buffer.from(Array.from({ length: MIB + 100_001 }, (_, at) => at % 251));
      const pieces: Buffer[] = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
      const { bytes, total, omitted } = drained(
        size === 1 ? [all.subarray(0, MIB), ...pieces.slice(MIB)] : pieces,
      );
      const gap = Buffer.from('\n... 100001 bytes omitted ...\n');
      expect({ total, omitted }).toEqual({ total: MIB + 100_001, omitted: 100_001 });
      expect(bytes.equals(Buffer.concat([all.subarray(0, MIB / 2), gap, all.subarray(-MIB / 2)]))).toBe(true);
    },
  );

  it.each([0, 1, 5, 10, MIB / 2, MIB])(
    'ends with its newest bytes, with %d bytes beyond the first half',
    (more) => {
      const all = Buffer.from(Array.from({ length: MIB / 2 + more }, (_, at) => at % 251));
      const collected = new Collected();
      collected.add(all);
      expect(collected.end(10).equals(all.subarray(-10))).toBe(true);
      expect(collected.bytes).toBe(all.length);
    },
  );

  it('counts output that was lost before it arrived', () => {
    const collected = new Collected();
    collected.add(Buffer.from('a'));
    collected.missed(7);
    collected.add(Buffer.from('b'));
    expect(collected.drain(false)).toMatchObject({ total: 9, omitted: 7 });
  });

  it.each(['é', '€', '😀'])(
    'retains an unfinished %s for the next drain while the process runs',
    (character) => {
      const whole = Buffer.from(character);
      for (let cut = 1; cut < whole.length; cut += 1) {
        const { collected, bytes, total } = drained([`a${character}`, whole.subarray(0, cut)], true);
        expect(bytes.toString()).toBe(`a${character}`);
        expect(total).toBe(1 + whole.length);
        collected.add(whole.subarray(cut));
        expect(collected.drain(true).bytes.toString()).toBe(character);
      }
    },
  );

  it('retains nothing that cannot become a character, and nothing at the end', () => {
    expect(drained([Buffer.from([0x61, 0xbf, 0xbf, 0xbf, 0xbf])], true).total).toBe(5);
    expect(drained([Buffer.from([0x61, 0xc3])], false).bytes.toString()).toBe('a\ufffd');
  });
});
