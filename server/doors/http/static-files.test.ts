// The built files of the page are served, and no others.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadPage } from './static-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-page-'));
  mkdirSync(join(dir, 'web/assets'), { recursive: true });
  for (const [name, text] of Object.entries({
    'assets/app-abc.js': 'x'.repeat(1000),
    'index.html': 'short',
  })) {
    writeFileSync(join(dir, 'web', name), text);
    writeFileSync(join(dir, 'web', `${name}.br`), brotliCompressSync(text));
  }
  writeFileSync(join(dir, 'secret.html'), 'secret');
});
afterEach(() => rmSync(dir, { recursive: true }));

it('loadPage serves the page at / and by its name, without caching', () => {
  const page = loadPage(join(dir, 'web'));
  expect([...page.keys()].toSorted()).toEqual(['/', '/assets/app-abc.js', '/index.html']);
  expect(page.get('/')).toMatchObject({ type: 'text/html; charset=utf-8', cacheControl: 'no-cache' });
});

it('loadPage makes hashed assets immutable, and compresses them if that makes them smaller', () => {
  const page = loadPage(join(dir, 'web'));
  const asset = page.get('/assets/app-abc.js');
  expect(asset).toMatchObject({ type: 'text/javascript; charset=utf-8' });
  expect(asset?.cacheControl).toContain('immutable');
  expect(asset).toMatchObject({ isPacked: true, bytes: 1000 });
  expect(brotliDecompressSync(asset?.body ?? '').toString()).toBe('x'.repeat(1000));
  expect(page.get('/')).toMatchObject({ isPacked: false, body: Buffer.from('short') });
});

it('[AU32] loadPage lists the hash of the import map, which a policy needs to allow it', () => {
  writeFileSync(
    join(dir, 'web/index.html'),
    '<script type="importmap">{}</script><script src="a.js"></script>',
  );
  const page = loadPage(join(dir, 'web'));
  // The hash is the output of: printf '{}' | openssl dgst -sha256 -binary | base64.
  expect(page.get('/')?.inlineScripts).toEqual(["'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='"]);
  expect(page.get('/assets/app-abc.js')?.inlineScripts).toEqual([]);
});

it('loadPage serves documents as plain text', () => {
  writeFileSync(join(dir, 'web/assets/remote-abc.md'), '# Remote');
  const type = loadPage(join(dir, 'web')).get('/assets/remote-abc.md')?.type;
  expect(type).toBe('text/plain; charset=utf-8');
});

it('loadPage changes the ETag with the content', () => {
  const before = loadPage(join(dir, 'web')).get('/')?.etag;
  writeFileSync(join(dir, 'web/index.html'), 'SHORT');
  expect(loadPage(join(dir, 'web')).get('/')?.etag).not.toBe(before);
});

it('loadPage follows no symlink out of the build', () => {
  symlinkSync(join(dir, 'secret.html'), join(dir, 'web/link.html'));
  symlinkSync(dir, join(dir, 'web/up'));
  expect([...loadPage(join(dir, 'web')).values()].map(({ body }) => body.toString())).not.toContain('secret');
});

it('loadPage does not take the page for an asset when a parent folder is called assets', () => {
  mkdirSync(join(dir, 'assets/web'), { recursive: true });
  writeFileSync(join(dir, 'assets/web/index.html'), '<!doctype html>');
  expect(loadPage(join(dir, 'assets/web')).get('/')?.cacheControl).toBe('no-cache');
});

it('loadPage explains what to do when there is no build', () => {
  expect(() => loadPage(join(dir, 'missing'))).toThrow('npm run build');
  rmSync(join(dir, 'web/index.html'));
  expect(() => loadPage(join(dir, 'web'))).toThrow('npm run build');
});
