// Tests of links and underlines in a snapshot, and of their limits: rule SN12.
import { describe, expect, it } from 'vitest';
import { Screen } from './screen.ts';
import { EvictedState } from './evicted-state.ts';

const LINK = '\u001b]8;;http://x.y/\u0007';
const NO_LINK = '\u001b]8;;\u0007';
// oxlint-disable-next-line no-control-regex -- it is a control sequence
const ANY_LINK = /\u001b\]8;[^\u0007]*\u0007/g;

async function snapshotAfter(output: string, size = { rows: 4, cols: 20 }): Promise<string> {
  const screen = new Screen(size, 0);
  await screen.feed(Buffer.from(output));
  const snapshot = screen.snapshot(0).toString();
  screen.dispose();
  return snapshot;
}

describe('A snapshot', () => {
  it.each([
    [
      'a link, which it does not underline',
      `${LINK}link${NO_LINK} plain`,
      `\u001b[0m${LINK}link${NO_LINK} plain`,
    ],
    ['a link that a program ends with ST', '\u001b]8;;http://x.y/\u001b\\link', `${LINK}link`],
    ['the name of a link', '\u001b]8;k=v:id=a;file://h/\u0007link', '\u001b]8;id=a;file://h/\u0007link'],
    ['a link that a program underlines', `${LINK}\u001b[4mlink`, `\u001b[0;4m${LINK}link`],
    ['a link over two rows as one', `${LINK}one\r\ntwo${NO_LINK}.`, `${LINK}one\r\ntwo${NO_LINK}.`],
    ['a link that was only opened', LINK, LINK],
    ['a curly underline in colour', '\u001b[4:3;58;5;1mcurly\u001b[0m', '\u001b[0;4:3;58:5:1mcurly'],
    ['a double underline', '\u001b[21mdouble\u001b[0m', '\u001b[0;4:2mdouble'],
    ['a single underline', '\u001b[4:1msingle\u001b[0m', '\u001b[0;4msingle'],
    [
      'an underline in a colour of its own',
      '\u001b[4;58;2;1;2;3mred\u001b[59mnone\u001b[0m',
      '\u001b[0;4;58:2::1:2:3mred\u001b[0;4mnone',
    ],
  ])('[SN12] has %s', async (_, output, printed) => {
    // The tab completes the last character, which would otherwise be held back.
    const snapshot = await snapshotAfter(`${output}\t`);
    expect(snapshot).toContain(printed);
    expect(await snapshotAfter(snapshot)).toBe(snapshot);
  });

  it('[SN12] reopens a link that is open', async () => {
    expect((await snapshotAfter(`${LINK}link`)).split(LINK)).toHaveLength(3);
    expect((await snapshotAfter(`${LINK}link${NO_LINK}`)).split(LINK)).toHaveLength(2);
  });

  it('[SN12] has a link that is open after output that was never drawn', async () => {
    const state = new EvictedState();
    state.take(Buffer.from(`text${LINK}text`));
    const screen = new Screen({ rows: 4, cols: 20 }, 0);
    await screen.gap(state.sequence);
    expect(screen.snapshot(0).toString()).toContain(LINK);
    screen.dispose();
  });

  it('[SN12] has all text, but only the links of the last rows when there are too many', async () => {
    const address = `http://x.y/${'z'.repeat(4000)}`;
    const row = `\u001b]8;id=a;${address}\u0007x\u001b]8;;\u0007-`.repeat(50);
    const snapshot = await snapshotAfter(`${row}\r\n`.repeat(39) + `${row}\t`, { rows: 40, cols: 100 });
    expect(snapshot.length).toBeLessThan(1.1 * 1024 * 1024);
    const rows = snapshot.split('\r\n');
    const text = rows.map((each) => each.replaceAll(ANY_LINK, ''));
    expect(text.filter((each) => each.includes('x-'.repeat(50)))).toHaveLength(40);
    const hasLinks = rows.map((each) => each.includes(address));
    expect(hasLinks[0]).toBe(false);
    expect(hasLinks.at(-1)).toBe(true);
    expect(hasLinks).toEqual(hasLinks.toSorted((one, other) => Number(one) - Number(other)));
  });
});
