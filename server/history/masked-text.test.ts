// Tests of secrets that are split by other output, the border of a segment or a gap: rules HS10 and SC4.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stream } from '../../protocol/process.ts';
import { Dice } from '../../client/testing/dice.ts';
import { segmentName } from '../record/places.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { maskedRanges, maskedText, type PartedText, type TextPart } from './masked-text.ts';
import { matchSegment } from './match-segment.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'masked-'))));
afterEach(() => rmSync(folder, { recursive: true }));

type Piece = readonly [stream: Stream, text: string];
const TOKEN = 'ghp_aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP9lO8';

/** Writes segments and resolves with their paths; `gap` bytes are missing before each but the first. */
async function written(segments: readonly (readonly Piece[])[], gap = 0): Promise<string[]> {
  const paths: string[] = [];
  const own = mkdtempSync(join(folder, 'segments-'));
  let offset = 0;
  for (const [at, pieces] of segments.entries()) {
    const path = join(own, segmentName(at + 1));
    if (at > 0) offset += gap;
    const head = { key: 'k', segment: at + 1, firstOffset: offset, wallMs: 0, monotonicUs: 0, salt: 1 };
    const writer = SegmentWriter.create(path, head);
    for (const [type, text] of pieces) {
      const payload = Buffer.from(text, 'latin1');
      writer.appendSync([{ type, atMs: 5, offset, payload }]);
      offset += payload.length;
    }
    await writer.close();
    paths.push(path);
  }
  return paths;
}

/** Returns all lines that an observer finds. */
const found = (paths: readonly string[], isPreviousThere = true): string =>
  paths
    .flatMap((path, at) => {
      const { hits } = matchSegment({
        path,
        nextPath: paths[at + 1] ?? null,
        hasGap: false,
        hasPrevious: at > 0,
        previousPath: isPreviousThere ? (paths[at - 1] ?? null) : null,
        query: { text: '^', isRegex: true, isCaseSensitive: false },
        isRedacted: true,
        limit: 1000,
        beforeLine: null,
      });
      return hits.map(({ text }) => text).toReversed();
    })
    .join('\n');

describe('A segment that an observer searches', () => {
  it.each([10, 20, 39])(
    '[HS10] masks a secret that output of another stream splits after %s letters',
    async (at) => {
      const pieces: Piece[] = [
        ['stdout', `it is ${TOKEN.slice(0, at)}`],
        ['stderr', 'a warning\n'],
        ['stdout', `${TOKEN.slice(at)} at last\n`],
      ];
      const masked = `it is ghp_${'*'.repeat(at - 4)}a warning\n${'*'.repeat(40 - at)} at last`;
      expect(found(await written([pieces]))).toBe(masked);
      for (const cut of [1, 2])
        expect(found(await written([pieces.slice(0, cut), pieces.slice(cut)]))).toBe(masked);
    },
  );

  it.each([
    ['begins late', undefined],
    ['follows one without output', { text: '', parts: [] }],
  ])('[HS10][SC9] masks the first word of each stream when it %s', (_how, previous) => {
    const text = `${TOKEN.slice(20)} E1\n`;
    const at = text.indexOf('E1');
    const parts = (offset: number): TextPart[] => [
      { stream: 'stdout', start: 0, end: at, offset },
      { stream: 'stderr', start: at, end: text.length, offset: offset + at },
    ];
    expect(maskedText({ text, parts: parts(7) }, previous)).toBe(`${'*'.repeat(20)} **\n`);
    expect(maskedText({ text, parts: parts(0) }, previous)).toBe(text);
  });

  it.each([
    ['the same stream', 'stdout'],
    ['another stream', 'stderr'],
  ] as const)(
    '[HS10][SC9] masks the first word after a gap in the previous segment and %s',
    (_how, stream) => {
      const earlier: PartedText = {
        text: 'hello x\nwarning\n',
        parts: [
          { stream: 'stdout', start: 0, end: 8, offset: 0 },
          { stream: 'stderr', start: 8, end: 16, offset: 20 },
        ],
      };
      const text = `${TOKEN.slice(20)} end\n`;
      const own: PartedText = { text, parts: [{ stream, start: 0, end: text.length, offset: 28 }] };
      expect(maskedText(own, earlier)).toBe(stream === 'stdout' ? `${'*'.repeat(20)} end\n` : text);
    },
  );

  it('[HS10] masks the rest of a secret whose beginning was removed or is missing', async () => {
    const pieces: Piece[][] = [
      [
        ['stdout', `it is ${TOKEN.slice(0, 20)}`],
        ['stderr', 'a warning\n'],
      ],
      [['stdout', `${TOKEN.slice(20)} at last\n`]],
    ];
    expect(found(await written(pieces), false)).not.toContain(TOKEN.slice(30));
    const shown = found(await written(pieces, 1));
    expect(shown).not.toContain(TOKEN.slice(30));
    expect(shown).toContain(' at last');
  });

  it('[HS10] masks the lines of a private key that continues in the next segment', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${'AbC+d/09'.repeat(8).slice(at % 5)}\n`);
    const [first, second] = [lines.slice(0, 9).join(''), lines.slice(9).join('')];
    const paths = await written([
      [['stdout', `-----BEGIN PRIVATE KEY-----\n${first}`]],
      [['stdout', `${second}! and it never ends\n`]],
    ]);
    expect(found(paths)).not.toContain('AbC+');
    expect(found(paths)).toContain('never ends');
  });
});

it.each(SECRET_VECTORS)('[SC4] a text in two streams is masked like each stream: $name', (vector) => {
  const { before, secret, after = '' } = vector;
  const words = Array.from(`x ${before}${secret}${after}\nend\n`, (letter) =>
    Buffer.from(letter).toString('latin1'),
  );
  const parts: TextPart[] = [];
  let text = '';
  for (const [at, word] of words.entries())
    for (const [stream, piece] of [
      ['stdout', word],
      ['stderr', at % 7 === 0 ? '\n' : '.'],
    ] as const) {
      parts.push({ stream, start: text.length, end: text.length + piece.length, offset: text.length });
      text += piece;
    }
  const shown = maskedText({ text, parts }, undefined);
  expect(shown).toHaveLength(text.length);
  const own = parts
    .filter(({ stream }) => stream === 'stdout')
    .map(({ start, end }) => shown.slice(start, end));
  const hidden = own.slice(2 + before.length, 2 + before.length + secret.length);
  for (const letter of hidden) expect(letter).toMatch(/^(?:\*+|\s)$/);
});

describe('A range of a segment', () => {
  it('[HS10] is masked as in the whole text, wherever it begins and ends', () => {
    const dice = new Dice(7);
    const word = (): string => dice.random().toString(36).slice(2);
    const secret = (): string => word() + word() + word();
    const pieces = Array.from({ length: 400 }, () => {
      const forms = [
        `plain ${word()}\n`,
        `db_password=${secret()} ${word()}\n`,
        `\u001b[1mdb_pass\u001b[0mword=${secret()}\u001b[K\n`,
        `TOKEN_SECRET="${secret()} ${word()}" `,
        `-----BEGIN PRIVATE KEY-----\n${`${'Ab3/'.repeat(16)}\n`.repeat(dice.pick(1, 40))}`,
        '-----END PRIVATE KEY-----\n',
        'x'.repeat(dice.pick(1, 9000)),
        '\u001b]0;title',
      ];
      return forms[dice.pick(0, forms.length + 3)] ?? `${word()} ${word()}\n`;
    });
    for (const previous of [undefined, null, partsOf(['db_password=', 'abc'], dice)]) {
      const start = previous ? endOffset(previous) : 0;
      const segment = partsOf(pieces, dice, start);
      const whole = maskedText(segment, previous);
      expect(whole).not.toBe(segment.text);
      for (let round = 0; round < 60; round += 1) {
        const from = round === 0 ? 0 : dice.pick(0, segment.text.length - 1);
        const end = dice.pick(from, segment.text.length);
        const shown = maskedRanges(segment, previous);
        const ranges = [{ start: from, end }];
        // Only the first ranges are masked alone.
        if (round % 10 === 0) ranges.push({ start: 0, end: 9 }, { start: 9, end: 10 }, { start: from, end });
        for (const range of ranges) expect(shown(range)).toBe(whole.slice(range.start, range.end));
      }
    }
  }, 120_000);
});

/** Cuts the pieces into parts of two streams, with a gap now and then. */
function partsOf(pieces: readonly string[], dice: Dice, firstOffset = 0): PartedText {
  const parts: TextPart[] = [];
  let text = '';
  let offset = firstOffset;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.slice(at, at + dice.pick(1, 3000));
      const stream = dice.chance(0.2) ? 'stderr' : 'stdout';
      if (dice.chance(0.01)) offset += 10;
      parts.push({ stream, start: text.length, end: text.length + part.length, offset });
      [text, offset, at] = [text + part, offset + part.length, at + part.length];
    }
  }
  return { text, parts };
}

const endOffset = ({ parts }: PartedText): number => {
  const last = parts.at(-1);
  return last ? last.offset + last.end - last.start : 0;
};
