// Contents of certificate files, and errors about unusable files.
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testCertificate, writeTestCertificate } from '../../testing/test-certificate.ts';
import { readCertificate, watchCertificate } from './certificate.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-tls-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('[AU7] readCertificate returns the names and the fingerprint of the certificate', () => {
  const files = writeTestCertificate(dir, 'Dev.Example', '*.wild.example', '192.0.2.7');
  expect(readCertificate(files)).toMatchObject({
    names: ['dev.example', '*.wild.example', '192.0.2.7'],
    fingerprint: files.fingerprint,
    warning: null,
  });
});

it('[AU7] readCertificate accepts a key that others can read, with a warning', () => {
  const files = writeTestCertificate(dir, 'dev.example');
  chmodSync(files.keyPath, 0o640);
  expect(readCertificate(files).warning).toContain(`chmod 600 ${files.keyPath}`);
});

it.each([
  ['certPath', 'nothing', 'not a PEM certificate'],
  ['keyPath', 'nothing', 'not a PEM private key'],
  ['keyPath', testCertificate('dev.example').key, 'not the key of the certificate in'],
] as const)(
  '[AU7] readCertificate names the file when its %s has other contents',
  (which, content, sentence) => {
    const files = writeTestCertificate(dir, 'dev.example');
    writeFileSync(files[which], content);
    expect(() => readCertificate(files)).toThrow(files[which]);
    expect(() => readCertificate(files)).toThrow(sentence);
  },
);

it('[AU7] readCertificate names a missing file', () => {
  const certPath = join(dir, 'missing');
  expect(() => readCertificate({ certPath, keyPath: certPath })).toThrow(
    `--tls-cert ${certPath}: there is no such file`,
  );
});

it('[AU7] watchCertificate reports a folder that cannot be read, and reads the files once it can', () => {
  vi.useFakeTimers();
  const folder = join(dir, 'live');
  mkdirSync(folder);
  const files = writeTestCertificate(folder, 'dev.example');
  const [changed, failed] = [vi.fn(), vi.fn()];
  const stop = watchCertificate(files, readCertificate(files).state, { everyMs: 1000, changed, failed });
  renameSync(folder, `${folder}.former`);
  // Part of the path is now a file instead of a folder, so the error is not ENOENT.
  writeFileSync(folder, '');
  vi.advanceTimersByTime(1000);
  expect(failed).toHaveBeenCalledTimes(1);
  rmSync(folder);
  mkdirSync(folder);
  writeTestCertificate(folder, 'dev.example');
  vi.advanceTimersByTime(1000);
  expect(changed).toHaveBeenCalledTimes(1);
  stop();
  vi.useRealTimers();
});
