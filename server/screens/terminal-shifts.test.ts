// Tests of SS2 and SS3, on the page's terminals and the gateway's alike.
import { expect, it } from 'vitest';
import { freshTerminal, written } from '../testing/seen-terminal.ts';
import { Screen } from './screen.ts';

const SIZE = { rows: 3, cols: 20 };

it.each([
  ['\u001b*0\u001bNqq', '─q'],
  ['\u001b+0\u001bOqq', '─q'],
  ['\u001b)0\u001b*A\u000eq\u001bN#q', '─£─'],
  ['\u001b*0\u001bN\u001b[1mqq', '─q'],
  ['\u001b*0\u001bN\u001bc\u001b*0qq', 'qq'],
  ['\u001bNqq\u001bOqq', 'qqqq'],
])('%j shows %j', async (output, shown) => {
  const terminal = freshTerminal(SIZE, 0);
  await written(terminal, output);
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe(shown);
});

it.each(['a\u001b*0\u001bNqq', 'a\u001b+0\u001bOqb'])(
  'a snapshot of %j continues it, wherever it is split',
  async (output) => {
    for (let cut = 0; cut <= output.length; cut += 1) {
      const screen = new Screen(SIZE, 0);
      await screen.feed(Buffer.from(output.slice(0, cut)));
      const [fresh, whole] = [freshTerminal(SIZE, 0), freshTerminal(SIZE, 0)];
      await written(fresh, Buffer.concat([screen.snapshot(0), Buffer.from(output.slice(cut))]));
      await written(whole, output);
      const lines = [fresh, whole].map((terminal) =>
        terminal.buffer.active.getLine(0)?.translateToString(true),
      );
      expect(lines[0]).toBe(lines[1]);
    }
  },
);
