// Tests of fs/* with a sandbox: a helper inside the sandbox runs the operations, with the same errors as
// without one.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  at,
  base64,
  call,
  client,
  dir,
  expectCode,
  make,
  server,
  uri,
  withFilesFolder,
} from '../../testing/files-folder.ts';
import { readOnly, workspaceWrite } from '../../testing/intents.ts';

withFilesFolder();

const walkOptions = { maxDepth: 5, maxDirectories: 100, maxEntries: 1000, followDirectorySymlinks: false };
const stateUri = (path = ''): string => pathToFileURL(`${server.stateDir}${path}`).href;

describe('[SB12] An fs method with a sandbox', () => {
  it('reads permitted files, and reports missing ones', async () => {
    make('folder/file', 'content');
    const sandbox = readOnly(dir);
    expect(await call('readFile', { path: uri('folder/file'), sandbox })).toEqual({
      dataBase64: base64('content'),
    });
    expect(await call('readDirectory', { path: uri('folder'), sandbox })).toEqual({
      entries: [{ fileName: 'file', isDirectory: false, isFile: true }],
    });
    expect(await call('getMetadata', { path: uri('folder/file'), sandbox })).toMatchObject({ size: 7 });
    expect(await call('canonicalize', { path: uri('folder/../folder'), sandbox })).toEqual({
      path: uri('folder'),
    });
    expect(await call('walk', { path: uri('folder'), options: walkOptions, sandbox })).toMatchObject({
      entries: [{ path: uri('folder/file'), kind: 'file' }],
    });
    await expectCode(-32004, 'readFile', { path: uri('none'), sandbox });
  });

  it('cannot write in a read-only sandbox', async () => {
    make('file', 'old');
    const sandbox = readOnly(dir);
    await expectCode(-32603, 'writeFile', { path: uri('file'), dataBase64: base64('x'), sandbox });
    await expectCode(-32603, 'createDirectory', { path: uri('new'), sandbox });
    await expectCode(-32603, 'remove', { path: uri('file'), sandbox });
    await expectCode(-32603, 'copy', {
      sourcePath: uri('file'),
      destinationPath: uri('copy'),
      recursive: false,
      sandbox,
    });
    await expectCode(-32603, 'open', { handleId: 'h', path: uri('file'), mode: 'replace', sandbox });
    expect([readdirSync(dir), readFileSync(at('file'), 'utf8')]).toEqual([['file'], 'old']);
  });

  it('writes in its workspace, but not outside, not to protected files and not through a link', async () => {
    mkdirSync(at('work'));
    make('outside', 'old');
    symlinkSync(at('outside'), at('work/link'));
    const sandbox = workspaceWrite(at('work'), { denied: [at('work/secret')] });
    writeFileSync(at('work/secret'), 'hidden');
    const write = (path: string): object => ({ path: uri(path), dataBase64: base64('new'), sandbox });
    expect(await call('writeFile', write('work/file'))).toEqual({});
    expect(readFileSync(at('work/file'), 'utf8')).toBe('new');
    await expectCode(-32603, 'writeFile', write('outside'));
    await expectCode(-32603, 'writeFile', write('work/link'));
    await expectCode(-32603, 'writeFile', write('work/.git/config'));
    await expectCode(-32600, 'readFile', { path: uri('work/secret'), sandbox });
    await expectCode(-32600, 'copy', {
      sourcePath: uri('work/secret'),
      destinationPath: uri('work/seen'),
      recursive: false,
      sandbox,
    });
    expect(readFileSync(at('outside'), 'utf8')).toBe('old');
    expect(readdirSync(at('work')).toSorted()).toEqual(['file', 'link', 'secret']);
  });

  it('opens files with the same handle ids and limit as without a sandbox', async () => {
    make('work/file', 'abcdef');
    make('other');
    const sandbox = workspaceWrite(at('work'));
    const open = (handleId: string, path: string, more: object = { sandbox }) =>
      call('open', { handleId, path: uri(path), ...more });
    expect(await open('h', 'work/file')).toEqual({ handleId: 'h' });
    await expectCode(-32600, 'open', { handleId: 'h', path: uri('other') });
    expect(await call('readBlock', { handleId: 'h', offset: 4, len: 4 })).toEqual({
      chunk: base64('ef'),
      eof: true,
    });
    await open('w', 'work/new', { sandbox, mode: 'replace' });
    await call('writeBlock', { handleId: 'w', offset: 0, chunk: base64('parts') });
    await open('x', 'other', {});
    await expectCode(-32600, 'open', { handleId: 'y', path: uri('other'), sandbox });
    await call('close', { handleId: 'w' });
    expect(readFileSync(at('work/new'), 'utf8')).toBe('parts');
    await open('y', 'other');
    await call('close', { handleId: 'h' });
    await expectCode(-32004, 'readBlock', { handleId: 'h', offset: 0, len: 1 });
  });

  it('leaves no helper and no placeholder behind when its connection ends', async () => {
    make('work/file', 'x');
    await call('open', { handleId: 'h', path: uri('work/file'), sandbox: workspaceWrite(at('work')) });
    expect(existsSync(at('work/.git'))).toBe(true);
    await client.cut();
    const other = await server.client();
    // The other connection is served after the first one has ended; the helper then exits and removes the
    // placeholder.
    await expect.poll(() => existsSync(at('work/.git')), { timeout: 10_000, interval: 10 }).toBe(false);
    await other.cut();
  });
});

describe('[SB11] The state of the gateway', () => {
  it('cannot be read, changed, listed or opened by any method and path', async () => {
    symlinkSync(server.stateDir, at('link'));
    for (const path of [
      stateUri(),
      stateUri('/tokens.json'),
      stateUri('/none/deep'),
      uri('link'),
      uri('link/tokens.json'),
    ]) {
      await expectCode(-32600, 'readFile', { path });
      await expectCode(-32600, 'writeFile', { path, dataBase64: base64('x') });
      await expectCode(-32600, 'readDirectory', { path });
      await expectCode(-32600, 'getMetadata', { path });
      await expectCode(-32600, 'createDirectory', { path });
      await expectCode(-32600, 'walk', { path, options: walkOptions });
      await expectCode(-32600, 'open', { handleId: 'h', path });
      await expectCode(-32600, 'copy', { sourcePath: path, destinationPath: uri('copy'), recursive: true });
      await expectCode(-32600, 'watchMissing', { watchId: 1, missing: [path] });
      await expectCode(-32600, 'watchMissing', { watchId: 1, missing: [uri('none')], present: path });
    }
    await expectCode(-32600, 'remove', { path: stateUri() });
  });

  it('is not copied or removed with its parent folder, and a walk does not enter it', async () => {
    const above = new URL('.', stateUri()).href;
    await expectCode(-32600, 'copy', { sourcePath: above, destinationPath: uri('copy'), recursive: true });
    await expectCode(-32600, 'remove', { path: above });
    const { entries } = await call<{ entries: { path: string }[] }>('walk', {
      path: above,
      options: walkOptions,
    });
    const paths = entries.map(({ path }) => path);
    expect(paths).toContain(stateUri());
    expect(paths.filter((path) => path.startsWith(`${stateUri()}/`))).toEqual([]);
  });

  it('is unchanged by a copy that is merged into its parent folder', async () => {
    const above = new URL('.', stateUri()).href;
    const name = basename(server.stateDir);
    make(`tree/${name}/planted`, '{}');
    make('tree/beside', 'copied');
    const refused = { sourcePath: uri('tree'), recursive: true };
    await expectCode(-32600, 'copy', { ...refused, destinationPath: above });
    mkdirSync(at('there'));
    symlinkSync(server.stateDir, at(`there/${name}`));
    await expectCode(-32600, 'copy', { ...refused, destinationPath: uri('there') });
    expect(existsSync(`${server.stateDir}/planted`)).toBe(false);
  });

  it('does not get a file through a link to a missing file', async () => {
    const [target, up] = [`${server.stateDir}/tokens.json.lock`, basename(dirname(server.stateDir))];
    symlinkSync(target, at('link'));
    symlinkSync('link', at('to-link'));
    symlinkSync(dirname(server.stateDir), at(up));
    symlinkSync(`${up}/../${up}/${basename(server.stateDir)}/tokens.json.lock`, at('by-dots'));
    make('source', 'x');
    for (const path of [uri('link'), uri('to-link'), uri('by-dots')]) {
      await expectCode(-32600, 'writeFile', { path, dataBase64: base64('x') });
      await expectCode(-32600, 'open', { handleId: 'h', path, mode: 'replace' });
      await expectCode(-32600, 'copy', {
        sourcePath: uri('source'),
        destinationPath: path,
        recursive: false,
      });
    }
    expect(existsSync(target)).toBe(false);
  });

  it('is masked in a sandbox', async () => {
    const sandbox = readOnly(dir);
    await expectCode(-32600, 'readDirectory', { path: stateUri(), sandbox });
    await expectCode(-32600, 'readFile', { path: stateUri('/tokens.json'), sandbox });
  });
});
