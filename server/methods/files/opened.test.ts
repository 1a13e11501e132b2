// Tests of links that are replaced between the check of a path and the opening of the file.
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PrivateInodes, PrivatePlaces } from './private-places.ts';
import { list, openFile, readWhole } from './read.ts';

let dir: string;
let own: PrivatePlaces;
const at = (name: string): string => join(dir, name);
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'opened-')));
  mkdirSync(at('state'));
  writeFileSync(at('state/token'), 'secret');
  writeFileSync(at('notes'), 'notes');
  own = new PrivatePlaces(() => [at('state')]);
});
afterEach(() => rmSync(dir, { recursive: true }));

function lead(to: string): void {
  rmSync(at('link'), { force: true });
  symlinkSync(to, at('link'));
}

describe.runIf(process.platform === 'linux')('A file that was opened', () => {
  it('[SB11] is refused when its link leads into the state folder by then', async () => {
    lead(at('notes'));
    await own.refuse(at('link'));
    lead(at('state/token'));
    const refuseOpened = own.refuseOpened.bind(own);
    await expect(openFile(at('link'), refuseOpened)).rejects.toThrow('own state');
    await expect(readWhole(at('link'), 100, refuseOpened)).rejects.toThrow('own state');
  });

  it('[SB11] is refused when it is a folder of the state folder by then', async () => {
    lead(dir);
    await own.refuse(at('link'));
    lead(at('state'));
    const checks = { refuseOpened: own.refuseOpened.bind(own), doesAnswer: () => Promise.resolve(true) };
    await expect(list(at('link'), 1000, checks)).rejects.toThrow('own state');
    lead('/proc/self/fd');
    await expect(list(at('link'), 1000, checks)).rejects.toThrow('cannot access');
    lead(dir);
    const names = (await list(at('link'), 1000, checks)).map(({ fileName }) => fileName);
    expect(names.toSorted()).toEqual(['link', 'notes', 'state']);
  });

  it('[FS3] lists names that are not UTF-8, also of links', async () => {
    const inLatin1 = (name: string): Buffer => Buffer.concat([Buffer.from(at(name)), Buffer.from([0xff])]);
    writeFileSync(inLatin1('file'), '');
    symlinkSync('/etc/hosts', inLatin1('link'));
    const checks = { refuseOpened: () => Promise.resolve(), doesAnswer: () => Promise.resolve(true) };
    const entries = await list(dir, 1000, checks);
    expect(entries).toContainEqual({ fileName: 'file\ufffd', isDirectory: false, isFile: true });
    expect(entries).toContainEqual({ fileName: 'link\ufffd', isDirectory: false, isFile: false });
  });

  it.each([
    ['leads elsewhere again', () => lead(at('notes'))],
    ['is gone', () => unlinkSync(at('link'))],
  ])('[SB11] is refused when its link %s by then', async (_, change) => {
    lead(at('state/token'));
    const handle = await open(at('link'));
    change();
    await expect(own.refuseOpened(at('link'), handle)).rejects.toThrow('own state');
    await handle.close();
  });

  it('[SB11] is refused when it was removed before it was opened', async () => {
    const handle = await open(at('state/token'));
    unlinkSync(at('state/token'));
    await expect(own.refuseOpened(at('notes'), handle)).rejects.toThrow('own state');
    await handle.close();
  });

  it.each(['/proc/self/environ', '/proc/thread-self/maps', `/proc/${process.ppid}/status`])(
    '[FS8] is refused when it is %s, whatever its path leads to by then',
    async (path) => {
      const handle = await open(path);
      for (const privacy of [own, new PrivateInodes()])
        await expect(privacy.refuseOpened(at('notes'), handle)).rejects.toThrow('cannot access');
      await handle.close();
    },
  );

  it('[FS8] is read when it belongs to no process', async () => {
    const refuseOpened = own.refuseOpened.bind(own);
    await expect(readWhole('/proc/version', 10_000, refuseOpened)).resolves.toBeTruthy();
    await expect(readWhole(at('notes'), 100, refuseOpened)).resolves.toEqual(Buffer.from('notes'));
  });
});
