// @vitest-environment happy-dom
// Requests of a program to set the clipboard: rule HC2.
import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { CopyRequests, wantedText } from './copy-requests.ts';

const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64');

describe('[HC2] the text that is wanted in the clipboard', () => {
  it.each([
    ['c;', 'plain'],
    [';', 'Grüße 🦀\nsecond line'],
    ['pc;', '\u001b[31m'],
  ])('after %j: %j', (selection, text) => expect(wantedText(`${selection}${encoded(text)}`)).toBe(text));

  it.each([
    ['a question', 'c;?'],
    ['a question in more', 'c;?aaaa'],
    ['nothing', 'c;'],
    ['no selection', encoded('x')],
    ['no base64', 'c;a-b_'],
    ['no UTF-8', `c;${encoded(Buffer.from([0xff, 0xfe]))}`],
    ['too much', `c;${encoded('x'.repeat(102_401))}`],
  ])('is none when it is %s', (_what, data) => expect(wantedText(data)).toBeNull());

  it('is one up to 100 KiB', () => {
    expect(wantedText(`c;${encoded('x'.repeat(102_400))}`)).toHaveLength(102_400);
  });
});

describe('[HC2] asking for it', () => {
  function start(mayAsk = () => true) {
    const terminal = new Terminal({ allowProposedApi: true });
    const asked: (number | null)[] = [];
    const requests = new CopyRequests({
      terminal,
      mayAsk,
      asks: (chars) => asked.push(chars),
    });
    const copy = (text: string): Promise<void> =>
      new Promise((resolve) => terminal.write(`\u001b]52;c;${encoded(text)}\u0007`, resolve));
    return { asked, requests, copy };
  }

  it('shows one until it is answered, whatever comes meanwhile', async () => {
    const { asked, requests, copy } = start();
    for (const text of ['first', 'second!']) await copy(text);
    expect([asked, requests.text]).toEqual([[5], 'first']);
    requests.granted();
    expect([asked, requests.text]).toEqual([[5, null], '']);
    await copy('third!');
    expect([asked, requests.text]).toEqual([[5, null, 6], 'third!']);
  });

  it('asks nobody who may not be asked', async () => {
    const { asked, copy } = start(() => false);
    await copy('first');
    expect(asked).toEqual([]);
  });

  it('does not ask again who has said no', async () => {
    const { asked, requests, copy } = start();
    await copy('first');
    requests.ignored();
    await copy('second');
    expect(asked).toEqual([5, null]);
  });
});
