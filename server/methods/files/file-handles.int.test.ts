// Tests of a connection's file handles, watch and order of requests over a real socket: rules FS5 to FS7.
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  at,
  base64,
  call,
  client,
  expectCode,
  make,
  server,
  uri,
  withFilesFolder,
} from '../../testing/files-folder.ts';

withFilesFolder();

describe('Blocks', () => {
  const open = (handleId: string, path: string, mode?: string): Promise<unknown> =>
    call('open', { handleId, path: uri(path), mode });

  it('[FS5] read a file in parts, and report its end', async () => {
    make('file', 'abcdef');
    expect(await open('h', 'file')).toEqual({ handleId: 'h' });
    const block = (offset: number, len: number) => call('readBlock', { handleId: 'h', offset, len });
    expect(await block(0, 4)).toEqual({ chunk: base64('abcd'), eof: false });
    expect(await block(0, 6)).toEqual({ chunk: base64('abcdef'), eof: false });
    expect(await block(4, 4)).toEqual({ chunk: base64('ef'), eof: true });
    expect(await block(9, 1)).toEqual({ chunk: '', eof: true });
    await expectCode(-32600, 'readBlock', { handleId: 'h', offset: 0, len: 0 });
    await expectCode(-32600, 'readBlock', { handleId: 'h', offset: 0, len: 1_048_577 });
    await expectCode(-32603, 'writeBlock', { handleId: 'h', offset: 0, chunk: base64('x') });
    await expectCode(-32600, 'open', { handleId: 'h', path: uri('file') });
    await call('close', { handleId: 'h' });
    await call('close', { handleId: 'h' });
    await expectCode(-32004, 'readBlock', { handleId: 'h', offset: 0, len: 1 });
  });

  it('[FS5] write a file in parts, at any offset', async () => {
    make('file', 'to be replaced');
    await open('w', 'file', 'replace');
    expect(readFileSync(at('file'), 'utf8')).toBe('');
    await call('writeBlock', { handleId: 'w', offset: 3, chunk: base64('def') });
    await call('writeBlock', { handleId: 'w', offset: 0, chunk: base64('a') });
    expect(readFileSync(at('file'))).toEqual(Buffer.from('a\0\0def'));
    await expectCode(-32600, 'writeBlock', { handleId: 'w', offset: 0, chunk: '' });
    await expectCode(-32602, 'writeBlock', { handleId: 'w', offset: 0, chunk: '!' });
    await expectCode(-32004, 'writeBlock', { handleId: 'x', offset: 0, chunk: base64('a') });
  });

  it('[FS5] are refused for anything other than a file, and beyond the limit', async () => {
    await expectCode(-32600, 'open', { handleId: 'h', path: uri('.') });
    await expectCode(-32600, 'open', { handleId: 'h', path: 'file:///dev/null' });
    await expectCode(-32004, 'open', { handleId: 'h', path: uri('none') });
    await expectCode(-32603, 'open', { handleId: 'h', path: uri('.'), mode: 'replace' });
    make('file');
    for (const id of ['1', '2', '3']) await open(id, 'file');
    await expectCode(-32600, 'open', { handleId: '4', path: uri('file') });
    await call('close', { handleId: '2' });
    await open('4', 'file');
    const other = await server.client();
    await other.request('fs/open', { handleId: '1', path: uri('file') });
    await other.cut();
  });
});

describe('fs/watchMissing', () => {
  const watch = (watchId: number, missing: string[], present: string | null = null) =>
    call('watchMissing', {
      watchId,
      missing: missing.map(uri),
      present: present === null ? null : uri(present),
    });
  const reported = (): unknown[] =>
    client.log.flatMap(({ method, params }) => (method === 'fs/missingChanged' ? [params?.['watchId']] : []));

  it('[FS6] notifies once when a path appears', async () => {
    expect(await watch(0, ['a', 'b/c'])).toEqual({ watching: true });
    make('b/c');
    await client.until(() => reported().length === 1, 'the change');
    make('a');
    expect(await watch(1, ['d'])).toEqual({ watching: true });
    symlinkSync('nowhere', at('d'));
    await client.until(() => reported().length === 2, 'the next change');
    expect(reported()).toEqual([0, 1]);
  });

  it('[FS6] notifies when the present path disappears, and only for the latest watch', async () => {
    make('here');
    expect(await watch(1, ['a'])).toEqual({ watching: true });
    expect(await watch(2, ['b'], 'here')).toEqual({ watching: true });
    make('a');
    rmSync(at('here'));
    await client.until(() => reported().length === 1, 'the change');
    expect(reported()).toEqual([2]);
  });

  it('[FS6] does not watch when its condition is already met, or for too many paths', async () => {
    make('here');
    expect(await watch(1, ['here'])).toEqual({ watching: false });
    expect(await watch(1, [])).toEqual({ watching: false });
    expect(await watch(1, ['a'], 'none')).toEqual({ watching: false });
    expect(await watch(1, ['a', 'b', 'c', 'd', 'e'])).toEqual({ watching: false });
    await expectCode(-32602, 'watchMissing', { watchId: -1, missing: [] });
    await expectCode(-32602, 'watchMissing', { watchId: 'x', missing: [] });
  });
});

it('[FS7] fs requests of a connection run in order, and do not delay other requests', async () => {
  const text = 'x'.repeat(2_000_000);
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  const write = call('writeFile', { path: uri('file'), dataBase64: base64(text) }).then(note('write'));
  const read = call('readFile', { path: uri('file') }).then(({ dataBase64 }) => {
    expect(dataBase64).toBe(base64(text));
    order.push('read');
  });
  const status = client.request('environment/status').then(note('status'));
  await Promise.all([write, read, status]);
  expect(order).toEqual(['status', 'write', 'read']);
});

it('fs methods require a permitted role and a valid sandbox', async () => {
  make('file');
  const observer = await server.client('observer');
  await expect(observer.request('fs/readFile', { path: uri('file') })).rejects.toMatchObject({
    code: -32021,
  });
  await observer.cut();
  const sandbox = { permissions: { type: 'managed' } };
  await expectCode(-32602, 'writeFile', { path: uri('file'), dataBase64: base64('x'), sandbox });
  expect(readFileSync(at('file'), 'utf8')).toBe('');
});
