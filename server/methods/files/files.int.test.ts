// Tests of reading and changing files over a real socket: rules FS1 to FS4.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  at,
  base64,
  call,
  dir,
  expectCode,
  make,
  server,
  uri,
  withFilesFolder,
} from '../../testing/files-folder.ts';

withFilesFolder();

describe('Reading', () => {
  it('[FS1] returns a file unchanged, whatever its name', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    make('ü & %41 #?.bin', bytes);
    expect(await call('readFile', { path: uri('ü & %41 #?.bin'), sandbox: null })).toEqual({
      dataBase64: base64(bytes),
    });
    const large = Buffer.from(Array.from({ length: 2_999_999 }, (_, i) => i % 251));
    make('large', large);
    const { dataBase64 } = await call<{ dataBase64: string }>('readFile', { path: uri('large') });
    expect(dataBase64 === base64(large)).toBe(true);
    make('empty');
    expect(await call('readFile', { path: uri('empty') })).toEqual({ dataBase64: '' });
  });

  it('[FS2] distinguishes a missing file, a path that is not a file, and an invalid path', async () => {
    make('file');
    await expectCode(-32004, 'readFile', { path: uri('none') });
    await expectCode(-32600, 'readFile', { path: uri('.') });
    await expectCode(-32600, 'readFile', { path: 'file:///dev/null' });
    await expectCode(-32603, 'readFile', { path: uri('file/below') });
    await expectCode(-32602, 'readFile', { path: at('file') });
    await expectCode(-32602, 'readFile', { path: 'file://elsewhere/file' });
    await expectCode(-32602, 'readFile', {});
  });

  it('[FS3] refuses a file that is too large for a reply, and names the alternative', async () => {
    make('large', Buffer.alloc(3_000_001));
    await expect(call('readFile', { path: uri('large') })).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('fs/readBlock'),
    });
  });

  it('returns metadata and real paths, following links', async () => {
    make('file', 'four');
    symlinkSync('file', at('link'));
    symlinkSync('.', at('loop'));
    symlinkSync('nowhere', at('dangling'));
    const file = { isDirectory: false, isFile: true, isSymlink: false, size: 4 };
    expect(await call('getMetadata', { path: uri('file') })).toMatchObject({
      ...file,
      modifiedAtMs: Math.floor(statSync(at('file')).mtimeMs),
    });
    expect(await call('getMetadata', { path: uri('link') })).toMatchObject({ ...file, isSymlink: true });
    expect(await call('getMetadata', { path: uri('loop') })).toMatchObject({
      isDirectory: true,
      isSymlink: true,
    });
    expect(await call('getMetadata', { path: 'file:///dev/null' })).toMatchObject({
      isDirectory: false,
      isFile: false,
    });
    await expectCode(-32004, 'getMetadata', { path: uri('dangling') });
    expect(await call('canonicalize', { path: uri('loop/loop/link') })).toEqual({ path: uri('file') });
    await expectCode(-32004, 'canonicalize', { path: uri('dangling') });
    const { entries } = await call<{ entries: { fileName: string }[] }>('readDirectory', { path: uri('.') });
    expect(entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))).toEqual([
      { fileName: 'file', isDirectory: false, isFile: true },
      { fileName: 'link', isDirectory: false, isFile: true },
      { fileName: 'loop', isDirectory: true, isFile: false },
    ]);
    await expectCode(-32603, 'readDirectory', { path: uri('file') });
    await expectCode(-32004, 'readDirectory', { path: uri('none') });
  });
});

describe('fs/walk', () => {
  const options = { maxDepth: 6, maxDirectories: 2000, maxEntries: 20_000, followDirectorySymlinks: false };
  const walk = (change: object = {}, path = 'w') =>
    call<{ entries: { path: string; kind: string }[]; truncated: boolean }>('walk', {
      path: uri(path),
      options: { ...options, ...change },
    }).then(({ entries, truncated }) => [
      entries
        .map((entry) => entry.path.slice(uri('w').length + 1) + (entry.kind === 'file' ? '' : '/'))
        .join(' '),
      truncated,
    ]);
  beforeEach(() => {
    make('w/.h');
    make('w/.hid/in');
    make('w/f');
    make('w/sub/deep/g');
    symlinkSync('f', at('w/ln'));
    symlinkSync('.', at('w/loop'));
    symlinkSync('none', at('w/dangling'));
  });

  it('lists level by level, by name, and links only on request', async () => {
    expect(await walk()).toEqual(['.h .hid/ f sub/ .hid/in sub/deep/ sub/deep/g', false]);
    expect(await walk({ followDirectorySymlinks: true })).toEqual([
      '.h .hid/ f loop/ sub/ .hid/in sub/deep/ sub/deep/g',
      false,
    ]);
    expect(await walk({ pruneHiddenDirectories: true })).toEqual([
      '.h .hid/ f sub/ sub/deep/ sub/deep/g',
      false,
    ]);
    expect(await walk({ pruneHiddenDirectories: true }, 'w/.hid')).toEqual(['.hid/in', false]);
  });

  it('respects its limits, and reports truncation', async () => {
    expect(await walk({ maxDepth: 0 })).toEqual(['.h .hid/ f sub/', false]);
    expect(await walk({ maxDepth: 1 })).toEqual(['.h .hid/ f sub/ .hid/in sub/deep/', false]);
    // The links that are not followed count towards the limit; the dangling one does not.
    expect(await walk({ maxEntries: 4 })).toEqual(['.h .hid/ f', true]);
    expect(await walk({ maxDirectories: 2 })).toEqual(['.h .hid/ f sub/ .hid/in', true]);
    await expectCode(-32600, 'walk', { path: uri('w'), options: { ...options, maxEntries: 0 } });
    await expectCode(-32600, 'walk', { path: uri('w'), options: { ...options, maxDirectories: 0 } });
    await expectCode(-32602, 'walk', { path: uri('w'), options: {} });
  });

  it('[LI11] truncates a reply that would be too long, and fs/readDirectory refuses such a folder', async () => {
    for (let n = 0; n < 120; n += 1) make(`long/${String(n).padStart(200, '0')}`);
    const [paths, truncated] = await walk({}, 'long');
    expect(truncated).toBe(true);
    expect(String(paths).split(' ').length).toBeGreaterThan(50);
    expect(String(paths).length).toBeLessThan(20_000);
    await expectCode(-32600, 'readDirectory', { path: uri('long') });
  });

  it('reports names that it skips because they are not valid UTF-8', async () => {
    const inLatin1 = Buffer.concat([Buffer.from(at('w/caf')), Buffer.from([0xe9])]);
    writeFileSync(inLatin1, '');
    const { entries, errors } = await call<
      Record<'entries' | 'errors', { path: string; message?: string }[]>
    >('walk', { path: uri('w'), options });
    expect(entries).toHaveLength(7);
    expect(errors).toEqual([{ path: uri('w'), message: expect.stringContaining('caf\ufffd') }]);
  });

  it('[FS3] counts names that are not UTF-8 towards the limits, and is truncated beyond them', async () => {
    const name = Buffer.alloc(200, 'x');
    for (let n = 0; n < 120; n += 1) {
      name.writeUInt16BE(0xff80 + n);
      writeFileSync(Buffer.concat([Buffer.from(at('w/sub/')), name]), '');
    }
    type Walked = { errors: object[]; truncated: boolean };
    const path = uri('w/sub');
    const few = await call<Walked>('walk', { path, options: { ...options, maxEntries: 7 } });
    // The first of the seven is the folder `deep`.
    expect([few.errors.length, few.truncated]).toEqual([6, true]);
    const many = await call<Walked>('walk', { path, options });
    expect(many.truncated).toBe(true);
    expect(JSON.stringify(many).length).toBeLessThan(40_000);
  });

  it('returns nothing for a file, and an error for a missing path', async () => {
    expect(await walk({}, 'w/f')).toEqual(['', false]);
    await expectCode(-32004, 'walk', { path: uri('none'), options });
  });
});

describe('Writing', () => {
  const write = (path: string, content: string): Promise<unknown> =>
    call('writeFile', { path: uri(path), dataBase64: base64(content) });

  it('[FS4] creates and replaces files, follows links, and keeps modes and hard links', async () => {
    await write('new', 'one');
    expect(readFileSync(at('new'), 'utf8')).toBe('one');
    chmodSync(at('new'), 0o751);
    await write('new', 'two');
    expect(statSync(at('new')).mode & 0o777).toBe(0o751);
    symlinkSync('new', at('link'));
    await write('link', 'three');
    expect([readFileSync(at('new'), 'utf8'), lstatSync(at('link')).isSymbolicLink()]).toEqual([
      'three',
      true,
    ]);
    linkSync(at('new'), at('other'));
    await write('new', 'four');
    expect(readFileSync(at('other'), 'utf8')).toBe('four');
    symlinkSync('made', at('dangling'));
    await write('dangling', 'five');
    expect(readFileSync(at('made'), 'utf8')).toBe('five');
    expect(readdirSync(dir).toSorted()).toEqual(['dangling', 'link', 'made', 'new', 'other']);
    await call('writeFile', { path: 'file:///dev/null', dataBase64: base64('gone') });
  });

  it('[FS2] reports why it failed, and leaves the old file', async () => {
    make('kept', 'old');
    mkdirSync(at('folder'));
    await expectCode(-32600, 'writeFile', { path: uri('kept'), dataBase64: '!' });
    await expectCode(-32603, 'writeFile', { path: uri('folder'), dataBase64: '' });
    await expectCode(-32004, 'writeFile', { path: uri('none/file'), dataBase64: '' });
    expect(readFileSync(at('kept'), 'utf8')).toBe('old');
  });

  it('creates folders', async () => {
    await call('createDirectory', { path: uri('a/b/c') });
    await call('createDirectory', { path: uri('a/b/c'), recursive: null });
    expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
    await expectCode(-32603, 'createDirectory', { path: uri('a'), recursive: false });
    await expectCode(-32004, 'createDirectory', { path: uri('x/y'), recursive: false });
    make('file');
    await expectCode(-32603, 'createDirectory', { path: uri('file') });
  });

  it('removes a link itself and not its target', async () => {
    make('full/file');
    symlinkSync('full', at('link'));
    await expectCode(-32603, 'remove', { path: uri('full'), recursive: false });
    await call('remove', { path: uri('link'), recursive: true });
    expect([existsSync(at('link')), existsSync(at('full/file'))]).toEqual([false, true]);
    await call('remove', { path: uri('full') });
    await call('remove', { path: uri('full') });
    await expectCode(-32004, 'remove', { path: uri('full'), force: false });
  });

  it('copies everything except names that are not valid UTF-8, and reports them', async () => {
    make('from/a');
    make('from/z');
    writeFileSync(Buffer.concat([Buffer.from(at('from/caf')), Buffer.from([0xe9])]), '');
    const asked = call('copy', { sourcePath: uri('from'), destinationPath: uri('to'), recursive: true });
    await expect(asked).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('caf') });
    expect(readdirSync(at('to'))).toEqual(['a', 'z']);
  });

  it('copies files, links and folders, and merges folders', async () => {
    make('from/sub/file', 'new');
    make('from/run', 'x');
    chmodSync(at('from/run'), 0o755);
    symlinkSync('run', at('from/link'));
    make('to/sub/other', 'kept');
    // Codex's exec-server skips pipes within a folder, too.
    execFileSync('mkfifo', [at('from/pipe')]);
    await call('copy', { sourcePath: uri('from'), destinationPath: uri('to'), recursive: true });
    expect(readFileSync(at('to/sub/file'), 'utf8')).toBe('new');
    expect(readFileSync(at('to/sub/other'), 'utf8')).toBe('kept');
    expect(readlinkSync(at('to/link'))).toBe('run');
    expect(existsSync(at('to/pipe'))).toBe(false);
    expect(statSync(at('to/run')).mode & 0o777).toBe(0o755);
    await call('copy', { sourcePath: uri('from/link'), destinationPath: uri('link'), recursive: false });
    expect(readlinkSync(at('link'))).toBe('run');
    await expectCode(-32600, 'copy', {
      sourcePath: uri('from'),
      destinationPath: uri('x'),
      recursive: false,
    });
    await expectCode(-32600, 'copy', {
      sourcePath: uri('from'),
      destinationPath: uri('from/in'),
      recursive: true,
    });
    await expectCode(-32603, 'copy', {
      sourcePath: uri('from/run'),
      destinationPath: uri('to'),
      recursive: false,
    });
    await expectCode(-32004, 'copy', { sourcePath: uri('none'), destinationPath: uri('x'), recursive: true });
    await expectCode(-32600, 'copy', {
      sourcePath: 'file:///dev/null',
      destinationPath: uri('x'),
      recursive: false,
    });
    await expectCode(-32602, 'copy', { sourcePath: uri('from'), destinationPath: uri('x') });
    expect(existsSync(at('x'))).toBe(false);
    await call('copy', { sourcePath: uri('from/run'), destinationPath: uri('from/run'), recursive: false });
    expect(readFileSync(at('from/run'), 'utf8')).toBe('x');
  });
});

it('[FS7] a copy ends with its connection and leaves nothing', async () => {
  make('source/endless');
  truncateSync(at('source/endless'), 2 ** 40);
  const other = await server.client();
  const params = { sourcePath: uri('source'), destinationPath: uri('copy'), recursive: true, sandbox: null };
  const copying = other.request('fs/copy', params).catch(() => undefined);
  const copied = (): readonly string[] => (existsSync(at('copy')) ? readdirSync(at('copy')) : []);
  await expect.poll(copied).toHaveLength(1);
  await other.cut();
  await copying;
  await expect.poll(copied).toEqual([]);
});
