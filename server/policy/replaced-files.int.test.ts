// Tests of files and folders of the operator that another user replaces while they are opened: rules AU7,
// AU20 and AU31.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCertificate } from '../doors/http/certificate.ts';
import { writeTestCertificate } from '../testing/test-certificate.ts';
import { openStateDir } from './state-dir.ts';
import { readTokenFile } from './token-file.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'exec-console-replaced-')));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('[AU20] the token file that was opened is checked, even if another file replaces it', async () => {
  const path = join(dir, 'token');
  const own = join(dir, 'own');
  writeFileSync(own, 'b'.repeat(32), { mode: 0o600 });
  execFileSync('mkfifo', ['-m', '666', path]);
  // The reader opens the attacker's pipe. The attacker then replaces the pipe with a regular file, and writes
  // a token into the pipe.
  const attacker = spawn('sh', [
    '-c',
    `exec 3>"$1"; mv "$2" "$1"; echo ${'a'.repeat(32)} >&3`,
    'sh',
    path,
    own,
  ]);
  const ended = once(attacker, 'exit');
  expect(() => readTokenFile(path)).toThrow(`chmod 600 ${path}`);
  await ended;
});

it.each(['certPath', 'keyPath'] as const)('[AU7] a pipe as %s is refused, and not waited for', (which) => {
  const files = writeTestCertificate(dir, 'dev.example');
  rmSync(files[which]);
  execFileSync('mkfifo', [files[which]]);
  // The writer closes the pipe at once, so that even a reader that waited for its end would not hang.
  const writer = spawn('sh', ['-c', ': > "$1"', 'sh', files[which]]);
  try {
    expect(() => readCertificate(files)).toThrow(`${files[which]}: it is not a regular file`);
  } finally {
    writer.kill();
  }
});

it('[AU7] a certificate of more than a mebibyte is refused', () => {
  const files = writeTestCertificate(dir, 'dev.example');
  writeFileSync(files.certPath, Buffer.alloc(1024 * 1024 + 1, '\n'));
  expect(() => readCertificate(files)).toThrow('it has more than 1,048,576 bytes');
});

it('[AU31] the state folder is private, even while a link to it is replaced', async () => {
  const [own, open, link] = ['own', 'open', 'link'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(own, { mode: 0o700 });
  mkdirSync(open);
  chmodSync(open, 0o777);
  symlinkSync(own, link);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const attacker = new Worker(
    `const { renameSync, symlinkSync } = require('node:fs');
     const { workerData: { own, open, link, stop } } = require('node:worker_threads');
     for (let turn = 0; Atomics.load(stop, 0) === 0; turn += 1) {
       symlinkSync(turn % 2 === 0 ? open : own, link + '.next');
       renameSync(link + '.next', link);
     }`,
    { eval: true, workerData: { own, open, link, stop } },
  );
  await once(attacker, 'online');
  const used = new Set<string>();
  for (let count = 0; count < 20_000; count += 1) {
    try {
      used.add(openStateDir(link));
    } catch {
      // The folder is refused while the link leads to a folder that others can open.
    }
  }
  Atomics.store(stop, 0, 1);
  await once(attacker, 'exit');
  expect([...used]).toEqual([own]);
});

it('[AU31] a state folder in a folder where every user can rename is refused', () => {
  const shared = join(dir, 'shared');
  mkdirSync(join(shared, 'mine'), { recursive: true });
  chmodSync(shared, 0o777);
  expect(() => openStateDir(join(shared, 'mine', 'state'))).toThrow(`run: chmod o-w ${shared}`);
  // The sticky bit, as on /tmp, lets users rename only their own files.
  chmodSync(shared, 0o1777);
  expect(openStateDir(join(shared, 'mine', 'state'))).toBe(join(shared, 'mine', 'state'));
});
