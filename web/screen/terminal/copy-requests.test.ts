// @vitest-environment happy-dom
// A program's requests to set the clipboard: rule HC2.
import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { CopyRequests, wantedText } from './copy-requests.ts';

const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64');

describe('[HC2] The text that a program requests for the clipboard', () => {
  it.each([
    ['c;', 'plain'],
    [';', 'Grüße 🦀\nsecond line'],
    ['pc;', '\u001b[31m'],
  ])('after %j: %j', (selection, text) => expect(wantedText(`${selection}${encoded(text)}`)).toBe(text));

  it.each([
    ['a question', 'c;?'],
    ['a question with more after it', 'c;?aaaa'],
    ['an empty text', 'c;'],
    ['a request without a selection', encoded('x')],
    ['invalid base64', 'c;a-b_'],
    ['invalid UTF-8', `c;${encoded(Buffer.from([0xff, 0xfe]))}`],
    ['more than 100 KiB', `c;${encoded('x'.repeat(102_401))}`],
  ])('is null for %s', (_what, data) => expect(wantedText(data)).toBeNull());

  it('is limited to 100 KiB', () => {
    expect(wantedText(`c;${encoded('x'.repeat(102_400))}`)).toHaveLength(102_400);
  });
});

describe('[HC2] CopyRequests', () => {
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

  it('shows one request until it is answered, and ignores others in the meantime', async () => {
    const { asked, requests, copy } = start();
    for (const text of ['first', 'second!']) await copy(text);
    expect([asked, requests.text]).toEqual([[5], 'first']);
    requests.granted();
    expect([asked, requests.text]).toEqual([[5, null], '']);
    await copy('third!');
    expect([asked, requests.text]).toEqual([[5, null, 6], 'third!']);
  });

  it('does not ask while asking is not allowed', async () => {
    const { asked, copy } = start(() => false);
    await copy('first');
    expect(asked).toEqual([]);
  });

  it('does not ask again after a refusal', async () => {
    const { asked, requests, copy } = start();
    await copy('first');
    requests.ignored();
    await copy('second');
    expect(asked).toEqual([5, null]);
  });
});
