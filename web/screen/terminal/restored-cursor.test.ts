// The page's xterm.js has the same internals as the gateway's (rule SN9); the other tests of that rule run on the
// gateway's.
import { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { restoreWholeCursor } from '../../../text/terminal-saving.ts';

async function linesAfter(output: string): Promise<(string | undefined)[]> {
  const terminal = new Terminal({ rows: 3, cols: 8, allowProposedApi: true });
  restoreWholeCursor(terminal);
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  return [0, 1, 2].map((y) => active.getLine(y)?.translateToString(true));
}

it.each([
  ['character sets', '\u001b[?1049h \u001b(0 test \u001b[?1049l xxx\r\nprompt$', [' xxx', 'prompt$', '']],
  ['a pending wrap', '12345678\u001b7\u001b[3;1Hx\u001b8yz', ['12345678', 'yz', 'x']],
  ['protection', '\u001b[1"q\u001b7\u001b[0"qa\u001b8\u001b[mb\u001b[?2J', ['b', '', '']],
  ['the saved state after a soft reset', '\u001b(0\u001b7\u001b[!p\u001b8q', ['q', '', '']],
  ['a line feed after a full reset', '\u001b[20h\u001bcab\nc', ['ab', '  c', '']],
])('[SN9] the page’s terminal restores %s', async (_, output, lines) => {
  expect(await linesAfter(output)).toEqual(lines);
});
