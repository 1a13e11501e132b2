// Tests that the work of the gateway grows linearly with any output: rule HC4.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SequenceParser } from './cli/sequence-parser.ts';
import { lastLine } from './keeper/last-line.ts';
import { plainView } from './history/plain-view.ts';
import { plainLine } from '../text/plain-text.ts';
import { TerminalHints } from './keeper/terminal-hints.ts';
import { textCells } from '../text/characters.ts';
import { beyond } from '../protocol/json-extent.ts';
import { findSecrets } from '../text/masking.ts';
import { SecretStream } from '../text/secret-streams.ts';
import { withoutControls } from '../text/without-controls.ts';
import { redactedText } from './delivery/redacted-log.ts';
import { expressionOf } from '../text/line-query.ts';
import { matchLines } from './screens/match-lines.ts';
import { completeLength } from './screens/open-sequence.ts';
import { EvictedState } from './screens/evicted-state.ts';
import { GROWTH_RUNS, repeated, tooMuchGrowth, type Scanner } from './testing/growth.ts';

const LENGTH = 256 * 1024;
const QUERY = expressionOf({ text: 'nowhere', isRegex: false, isCaseSensitive: false });

function pieces(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
}

/** Scans an unfinished sequence that arrives in small pieces. */
function completePieces(bytes: Buffer): void {
  let open = Buffer.alloc(0);
  for (const piece of pieces(bytes, 64)) {
    const all = Buffer.concat([open, piece]);
    open = all.subarray(completeLength(all, open.length));
  }
}

const SCANNERS: { readonly [name: string]: Scanner } = {
  'the last line': {
    length: 64 * 1024,
    scan: (_, bytes) => lastLine(bytes, { bytes: LENGTH, isWhole: true, opening: '' }),
  },
  'a plain line': { length: LENGTH, scan: (text) => plainLine(text) },
  'lines of a recording': { length: LENGTH, scan: (text) => plainView(text) },
  'the hints for a terminal': {
    length: LENGTH,
    scan: (_, bytes) => new TerminalHints(() => undefined).scan(bytes),
  },
  'the cells of a text': { length: LENGTH, scan: (text) => textCells(text) },
  'the extent of a message': {
    length: LENGTH,
    scan: (text) => beyond(`"${text}`, { levels: 1e9, values: 1e9, members: 1e9 }),
  },
  'text without controls': { length: LENGTH, scan: (text) => withoutControls(text) },
  secrets: { length: LENGTH, scan: (text) => findSecrets(text) },
  'secrets in a stream': {
    length: LENGTH,
    scan: (text) => {
      const stream = new SecretStream();
      for (let at = 0; at < text.length; at += 8192) stream.next(text.slice(at, at + 8192));
    },
  },
  'a masked screen': { length: LENGTH, scan: (text) => redactedText(text, 'sk-') },
  'a search': {
    length: LENGTH,
    scan: (_, output) => matchLines(QUERY, { output, offset: 0, limit: 10, isRedacted: true }),
  },
  'the settings of evicted output': {
    length: LENGTH,
    scan: (_, bytes) => {
      const state = new EvictedState();
      state.take(bytes);
      return state.sequence;
    },
  },
  'sequences for a terminal': {
    length: LENGTH,
    scan: (text) =>
      new SequenceParser().parse(text, {
        text: () => undefined,
        control: () => undefined,
        sequence: () => undefined,
      }),
  },
  'the complete length': { length: LENGTH, scan: (_, bytes) => completeLength(bytes) },
  'the complete length, in small pieces': { length: 64 * 1024, scan: (_, bytes) => completePieces(bytes) },
};

it.each(Object.keys(SCANNERS))('[HC4] the work of finding %s grows no faster than the output', (name) => {
  const scanner = SCANNERS[name] as Scanner;
  fc.assert(
    fc.property(repeated, (what) => {
      expect(tooMuchGrowth(scanner, what)).toBeNull();
    }),
    GROWTH_RUNS,
  );
});
