// Output that terminals do not expect, mixed with random bytes; the same seed yields the same output.

/** Sequences that are truncated, nested or malformed, and characters in forbidden places. */
const FRAGMENTS: readonly string[] = [
  '\u007f',
  '\u001b\u007f',
  '\u001bé',
  '\u001b[é',
  '\u001b[ é m',
  '\u001b[1;é2m',
  '\u001b[>é',
  '\u001b(é',
  '\u001b%é',
  '\u001b]é\u0007',
  '\u001b]8;;\u0000\u0007x',
  '\u001b]999999999999999999999;x\u0007',
  '\u001b]4;999;é\u001b\\',
  '\u001b]52;c;***\u0007',
  '\u001bP\u0001é\u001b\\',
  '\u001bP1;2$é',
  '\u001bP+q\u001b\\',
  '\u001bPq#é~-\u001b\\',
  '\u001b_Gé\u001b\\',
  '\u001b_Gi=1,a=q;AAAA\u001b\\',
  '\u001b^é\u001b\\',
  '\u001bXé\u0018',
  '\u0018\u001a\u001b\u001b\u001b',
  '\u001b[38;2;é;4;m',
  '\u001b[4:99:99:99m',
  '\u001b[?9999999999h',
  '\u001b[?1005h\u001b[?1015h\u001b[?1005l',
  '\u001b[99999999999999999999;1H',
  '\u001b#é',
  '\u0084\u0085\u0090é\u009c\u009bé\u009d\u009e',
  '\u200b\u0301\ufe0f\u{e0041}',
  '\ufffe\uffff\u{10ffff}',
  'e\u0301\u0301\u0301',
  '\r\n',
  'plain words ',
];

/** Returns `length` bytes, or slightly more. */
export function hostileOutput(length: number, seed = 1): Buffer {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const parts: Buffer[] = [];
  for (let made = 0; made < length;) {
    const part =
      random(3) === 0
        ? Buffer.from(Array.from({ length: random(40) }, () => random(256)))
        : Buffer.from(FRAGMENTS[random(FRAGMENTS.length)] ?? '');
    parts.push(part);
    made += part.length;
  }
  return Buffer.concat(parts);
}
