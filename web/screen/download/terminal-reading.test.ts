// @vitest-environment happy-dom
// Terminal output as lines: complete, however short the lines are and wherever the output is split.
import { expect, it } from 'vitest';
import type { Retained } from './retained-output.ts';
import { readAsTerminal } from './terminal-reading.ts';

const SIZE = { rows: 5, cols: 20 };
/** Largest chunk that a gateway sends. */
const CHUNK_BYTES = 64 * 1024;
/** More lines than the scrollback holds. */
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

it('readAsTerminal returns every line of output that exceeds the scrollback', async () => {
  const lines = Array.from({ length: LINES }, (_, at) => String(at % 1000));
  expect(await read(`${lines.join('\r\n')}\r\n`)).toEqual(lines);
});

it("readAsTerminal preserves the program's scroll region and text while it collects lines", async () => {
  const [long, lines] = ['0123456789'.repeat(SIZE.rows), '\r\n'.repeat(LINES)];
  // The last row is outside the scroll region, so its text is not one of the printed lines.
  const text = `\u001b[5;1Hbelow\u001b[1;4r\u001b[4;1H${lines}${long}`;
  expect((await read(text)).filter((line) => line !== '')).toEqual([long, 'below']);
});
