// Tests of the search for paths that may hang, with folders in place of mounts.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  beforeLook,
  beforeRealLook,
  guarded,
  hanging,
  mountsBelow,
  mountsIn,
  NotAnswered,
} from './hanging.ts';

const line = (point: string, type: string): string =>
  `36 35 0:42 / ${point} rw,nosuid shared:1 - ${type} source rw\n`;

describe('Mounts that may hang', () => {
  it('[LI21] are all but those that need only this machine', () => {
    const table = [
      line('/', 'nfs4'),
      line('/proc', 'proc'),
      line('/tmp', 'tmpfs'),
      line('/mnt/nfs', 'nfs4'),
      line('/mnt/ssh', 'fuse.sshfs'),
      line('/mnt/new', 'a-type-of-the-future'),
      line('/net', 'autofs'),
    ].join('');
    expect(mountsIn(table).map(({ point }) => point)).toEqual(['/mnt/nfs', '/mnt/ssh', '/mnt/new', '/net']);
  });

  it('[LI21] may have blanks and other alphabets in their names', () => {
    const name = Buffer.from('/mnt/ä b')
      .toString('latin1')
      .replace(' ', String.raw`\040`);
    expect(mountsIn(line(name, 'cifs'))).toEqual([{ point: '/mnt/ä b', isAutomount: false }]);
  });
});

describe('A path', () => {
  let folder: string;
  const at = (path: string): string => join(folder, path);
  const mounts = () => [
    { point: at('hung'), isAutomount: false },
    { point: at('hung/inner'), isAutomount: false },
    { point: at('net'), isAutomount: true },
  ];
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hanging-')));
    for (const name of ['hung', 'hunger', 'net', 'work']) mkdirSync(at(name));
    symlinkSync(at('hung'), at('link'));
    symlinkSync('../link/deep', at('work/link'));
    symlinkSync('loop', at('loop'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['hung', 'hung'],
    ['hung/file', 'hung'],
    ['hung/inner/file', 'hung/inner'],
    ['link', 'hung'],
    ['link/inner/x', 'hung/inner'],
    ['work/link/more', 'hung'],
    ['work/../hung/x', 'hung'],
    ['missing/../hung', 'hung'],
    ['hung/../work', 'hung'],
    ['net', 'net'],
    ['net/host/folder', 'net/host'],
  ])('[LI21] may hang where it leads to such a mount: %s', (path, part) => {
    const named = `${folder}/${path}`;
    expect(hanging(named, mounts())).toEqual({ path: named, part: at(part) });
  });

  it.each(['', 'hunger', 'work', 'work/missing', 'loop', 'x'.repeat(5000)])(
    '[LI21] does not hang where it leads elsewhere: %s',
    (path) => expect(hanging(`${folder}/${path}`, mounts())).toBeNull(),
  );

  it('[LI21] has the mounts below it, even through a link', () => {
    symlinkSync(folder, at('work/all'));
    for (const path of [folder, at('work/all'), '/']) expect(mountsBelow(path, mounts())).toHaveLength(3);
    expect(mountsBelow(at('work'), mounts())).toEqual([]);
  });

  it('[LI21] is refused in synchronous lookups until its part has answered', () => {
    const look = (): void => beforeLook(at('work'), at('link/a'), at('net/one'), at('net/two'));
    expect(look).not.toThrow();
    const partsOf = (answered: readonly string[]): readonly string[] => {
      try {
        guarded(mounts(), new Set(answered), look);
        return [];
      } catch (error) {
        return (error as NotAnswered).hanging.map(({ part }) => part.slice(folder.length));
      }
    };
    expect(partsOf([])).toEqual(['/hung', '/net/one', '/net/two']);
    expect(partsOf([at('hung'), at('net/one')])).toEqual(['/net/two']);
    expect(partsOf([at('hung'), at('net/one'), at('net/two')])).toEqual([]);
    expect(() => guarded(mounts(), new Set(), () => beforeRealLook(at('link')))).not.toThrow();
    expect(look).not.toThrow();
  });
});
