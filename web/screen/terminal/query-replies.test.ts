// @vitest-environment happy-dom
// Queries that a real xterm can answer, which it receives only if the page may answer.
import { Terminal } from '@xterm/xterm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerQueriesOnlyIf, isReport } from './query-replies.ts';

/** xterm measures its letters on a canvas, which this DOM lacks. */
class NoCanvas {
  getContext(): object {
    return { measureText: () => ({ width: 8 }) };
  }
}
beforeEach(() => {
  vi.stubGlobal('OffscreenCanvas', NoCanvas);
  return () => {
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  };
});

function terminalThatAnswers(answers: () => boolean) {
  const terminal = new Terminal({
    allowProposedApi: true,
    // xterm reports the window size only with this option.
    windowOptions: { getWinSizeChars: true },
    vtExtensions: { kittyKeyboard: true },
  });
  // xterm has no colours before it is opened.
  terminal.open(document.body.appendChild(document.createElement('div')));
  const replies: string[] = [];
  terminal.onData((data) => replies.push(data));
  answerQueriesOnlyIf(terminal, answers);
  const write = (data: string): Promise<void> => new Promise((resolve) => terminal.write(data, resolve));
  return { terminal, replies, write };
}

const QUERIES = [
  ['primary device attributes', '\u001b[c'],
  ['secondary device attributes', '\u001b[>c'],
  ['operating status', '\u001b[5n'],
  ['cursor position', '\u001b[6n'],
  ['cursor position, the DEC way', '\u001b[?6n'],
  ['light or dark', '\u001b[?996n'],
  ['an ANSI mode', '\u001b[4$p'],
  ['a DEC mode', '\u001b[?25$p'],
  ['a setting', '\u001bP$qm\u001b\\'],
  ['window size', '\u001b[18t'],
  ['version', '\u001b[>q'],
  ['keyboard protocol', '\u001b[?u'],
  ['a palette colour', '\u001b]4;1;?\u0007'],
  ['foreground', '\u001b]10;?\u0007'],
  ['background', '\u001b]11;?\u001b\\'],
  ['cursor colour', '\u001b]12;?\u0007'],
] as const;

describe('Queries', () => {
  it.each(QUERIES)('about %s are answered by a terminal that may answer', async (_, query) => {
    const { replies, write } = terminalThatAnswers(() => true);
    await write(query);
    expect(replies).toHaveLength(1);
  });

  it.each(QUERIES)('about %s are dropped by any other terminal', async (_, query) => {
    const { terminal, replies, write } = terminalThatAnswers(() => false);
    await write(`a${query}b`);
    expect(replies).toEqual([]);
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('ab');
  });

  it('are answered or dropped individually, as the bytes are parsed', async () => {
    let isLive = false;
    const { terminal, replies, write } = terminalThatAnswers(() => isLive);
    terminal.write('\u001b[c');
    terminal.write('', () => {
      isLive = true;
    });
    await write('\u001b[5n');
    expect(replies).toEqual(['\u001b[0n']);
  });

  it('are the only sequences dropped', async () => {
    const { terminal, write } = terminalThatAnswers(() => false);
    await write('\u001b[2;3Hx');
    expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe('  x');
  });
});

it.each([
  ['\u001b[I', true],
  ['\u001b[O', true],
  ['\u001b[<0;12;3M', true],
  ['\u001b[<35;1;1m', true],
  ['\u001b[M !!', true],
  ['\u001b[?997;1n', true],
  ['\u001b[A', false],
  ['\u001bOP', false],
  ['I', false],
])('isReport for %j: %s', (data, is) => expect(isReport(data)).toBe(is));
