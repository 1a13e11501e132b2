// Tests of signatures created directly from unconverted output.
import { describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import { plainView } from './plain-view.ts';
import { SignatureWriter } from './signature.ts';

const PIECES = [
  'make: Entering',
  ' TIMEOUT after 5\tms',
  '\u001b[1;31m',
  '\u001b[0m',
  '\u001b[38:5:12m',
  '\r\n',
  '\r\r\n',
  '\n',
  'Größe ✓',
  '\u0080'.repeat(2),
] as const;
const OTHERS = [
  '\r',
  '\b',
  '\u001b[K',
  '\u001b[2K\r',
  '\u001b[1',
  '\u001b]0;title\u0007',
  '\u001bM',
  '\u0000',
  '\u007f',
  '\u009b31m',
] as const;

const signed = (add: (writer: SignatureWriter) => void): Buffer => {
  const writer = new SignatureWriter();
  add(writer);
  return writer.toBytes(8);
};

describe('SignatureWriter', () => {
  it('signs output as it signs the view of it', () => {
    const dice = new Dice(1);
    let raw = 0;
    for (let round = 0; round < 400; round += 1) {
      const pieces = Array.from({ length: dice.pick(0, 12) }, () =>
        dice.chance(0.05) ? dice.oneOf(OTHERS) : dice.oneOf(PIECES),
      );
      const output = Buffer.from(pieces.join(''));
      const [start, end] = [dice.pick(0, 3), output.length - dice.pick(0, 3)];
      const view = plainView(output.toString('latin1', start, end), true);
      const expected = signed((writer) => writer.add(3, view));
      const nothing = signed(() => undefined);
      let isRaw = false;
      const found = signed((writer) => (isRaw = writer.addRaw(3, output, start, end)));
      expect(found.equals(isRaw ? expected : nothing)).toBe(true);
      raw += Number(isRaw);
    }
    expect(raw).toBeGreaterThan(100);
  });
});
