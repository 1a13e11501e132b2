// @vitest-environment happy-dom
// What a terminal has printed as lines: all of it, however short the lines are and wherever the output is cut.
import { expect, it } from 'vitest';
import type { Retained } from './retained-output.ts';
import { readAsTerminal } from './terminal-reading.ts';

const SIZE = { rows: 5, cols: 20 };
/** As large as a gateway gives them. */
const CHUNK_BYTES = 64 * 1024;
/** More lines than a scrollback has. */
const LINES = 170_000;

async function* pagesOf(text: string): AsyncGenerator<readonly Retained[]> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    yield [{ kind: 'output', seq: at + 1, stream: 'pty', bytes: chunk, atMs: null }];
  }
}

async function read(text: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const slice of readAsTerminal(pagesOf(text), SIZE)) {
    for (const line of slice) {
      if (line.continues) lines.push((lines.pop() ?? '') + line.text);
      else lines.push(line.text);
    }
  }
  return lines;
}

it('has every line of more than a terminal keeps', async () => {
  const lines = Array.from({ length: LINES }, (_, at) => String(at % 1000));
  expect(await read(`${lines.join('\r\n')}\r\n`)).toEqual(lines);
});

it('leaves what the program has set, where lines are written down meanwhile', async () => {
  const [long, lines] = ['0123456789'.repeat(SIZE.rows), '\r\n'.repeat(LINES)];
  // The last row is not scrolled: what stands there is no line of what is printed.
  const text = `\u001b[5;1Hbelow\u001b[1;4r\u001b[4;1H${lines}${long}`;
  expect((await read(text)).filter((line) => line !== '')).toEqual([long, 'below']);
});
