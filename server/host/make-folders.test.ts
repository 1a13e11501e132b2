// Creating folders together with their parents, even where the system always refuses.
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeFolders, makeFoldersSync } from './make-folders.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-folders-'));
  return () => rmSync(dir, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each([
  ['makeFolders', makeFolders],
  ['makeFoldersSync', async (path: string, mode?: number) => makeFoldersSync(path, mode)],
])('%s', (_name, make) => {
  it('creates every missing folder with the mode, and leaves existing ones unchanged', async () => {
    mkdirSync(join(dir, 'a'), { mode: 0o755 });
    await make(join(dir, 'a/b/c'), 0o700);
    await make(join(dir, 'a/b/c'), 0o711);
    expect(['a', 'a/b', 'a/b/c'].map((each) => modeOf(join(dir, each)))).toEqual([0o755, 0o700, 0o700]);
  });

  it.skipIf(process.platform !== 'linux')('[FS9] fails where no folder can exist', async () => {
    await expect(make('/proc/none/of/this')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  // The system refuses a folder in /sys even to root.
  it.skipIf(process.platform !== 'linux')('[FS9] reports the refusal of the system', async () => {
    await expect(make('/sys/none')).rejects.toThrow(/^E(?:PERM|ACCES|ROFS): .*'\/sys\/none'$/);
  });

  it('names a file and a dangling link in the path', async () => {
    writeFileSync(join(dir, 'file'), '');
    symlinkSync(join(dir, 'nowhere'), join(dir, 'link'));
    await expect(make(join(dir, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(make(join(dir, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    for (const path of ['link', 'link/below'])
      await expect(make(join(dir, path))).rejects.toThrow('EEXIST: a dangling symbolic link is in the path');
  });

  it('follows a link to a folder', async () => {
    mkdirSync(join(dir, 'real'));
    symlinkSync('real', join(dir, 'link'));
    await make(join(dir, 'link/below'));
    expect(statSync(join(dir, 'real/below')).isDirectory()).toBe(true);
  });
});
