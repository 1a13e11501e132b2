// Columns are where the program placed them, whatever characters they contain: rules HC4 and SN11.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

const LINES = [
  ['|\u{1FAE0}ok |', '|\u{1FAE0}ok |'],
  ['|abok |', '|abok |'],
  ['|git\u200bhub\u001b[8G|', '|github|'],
  ['\ufeff|\u202eab\u2066\u001b[4G|', '|ab|'],
  ['|\u{1FAEA}\u{1F6DC}\u4DC0\u001b[8G|', '|\u{1FAEA}\u{1F6DC}\u4DC0|'],
  ['|क्ष\u001b[4G|', '|क्ष|'],
] as const;

test('[HC4] [SN11] a pane places each letter in its cells, with any number of combining marks, even when reopened', async ({
  agent,
  console,
  gateway,
}) => {
  await test.step('[HC4] a letter with any number of combining marks takes one cell and shows only a few of them', async () => {
    const file = join(gateway.dir, 'marks');
    writeFileSync(file, `a${'\u0301'.repeat(150_000)}\n漢${'\u200d'.repeat(150_000)}|\nthe end\n`);
    const { key } = await agent.start(['/bin/sh', '-c', 'cat "$0"; read -r end', file], { tty: true });
    await console.open(key);
    await console.shows(key, 'the end');
    const [marked = '', joined = ''] = (await console.text(key)).split('\n');
    expect([marked.length, joined.length].every((length) => length < 100)).toBe(true);
    expect(joined.endsWith('|')).toBe(true);
  });
  await test.step('[SN11] a pane places each letter in its cells, even when reopened', async () => {
    const file = join(gateway.dir, 'lines');
    writeFileSync(file, LINES.map(([printed]) => `${printed}\n`).join(''));
    const { key } = await agent.start(['/bin/sh', '-c', 'cat "$0"; read -r end', file], { tty: true });
    const shown = LINES.map(([, line]) => line);
    const rows = async (): Promise<string[]> => (await console.text(key)).split('\n').slice(0, LINES.length);
    await console.open(key);
    await expect.poll(rows).toEqual(shown);
    await console.page.reload();
    await console.isOnline();
    await expect.poll(rows).toEqual(shown);
  });
});
