// A keeper and another user's program at its socket, in both directions: rule KP8.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeFrame, ToKeeper } from '../wire/frames.ts';
import { socketPath } from '../wire/place.ts';
import { askKeeper, stopKeeper } from './ask-keeper.ts';
import { findKeeper, findOrStartKeeper } from './keeper-start.ts';

const PYTHON = '/usr/bin/python3';
const AS_NOBODY = ['setpriv', '--reuid', '65534', '--clear-groups'];
const [SETPRIV = '', ...TO_NOBODY] = AS_NOBODY;
const hasNobody = spawnSync(SETPRIV, [...TO_NOBODY, PYTHON, '-c', '']).status === 0;

/**
 * Sends a frame, and prints the number of bytes of the first answer; 0 when none arrives within two seconds, or the
 * connection ends.
 */
const ASK = `
import socket, sys
line = socket.socket(socket.AF_UNIX)
line.settimeout(2)
line.connect(sys.argv[1])
try:
    line.sendall(bytes.fromhex(sys.argv[2]))
    print(len(line.recv(65536)))
except OSError:
    print(0)
`;

const LISTEN = `
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
server.listen()
print('ready', flush=True)
line, _ = server.accept()
print(len(line.recv(65536)), flush=True)
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-other-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe.runIf(hasNobody)('[KP8] Another user', () => {
  it('gets no answer from a keeper, even where the modes of its files would allow it', async () => {
    (await findOrStartKeeper(dir)).destroy();
    try {
      chmodSync(dir, 0o777);
      chmodSync(socketPath(dir), 0o777);
      const ask = [PYTHON, '-c', ASK, socketPath(dir), encodeFrame(ToKeeper.ask, 0, 0).toString('hex')];
      const answered = ([command = '', ...args]: readonly string[]): number =>
        Number(spawnSync(command, args).stdout.toString());
      expect(answered([...AS_NOBODY, ...ask])).toBe(0);
      expect(answered(ask)).toBeGreaterThan(0);
      const stop = encodeFrame(ToKeeper.stop, 0, 13).subarray();
      stop.write('{"graceMs":0}', stop.length - 13);
      answered([...AS_NOBODY, ...ask.slice(0, -1), stop.toString('hex')]);
      expect(await askKeeper(dir)).not.toBeNull();
    } finally {
      await stopKeeper(dir, 0);
    }
  });

  it('gets nothing from a gateway or a command when it listens in place of the keeper', async () => {
    chmodSync(dir, 0o777);
    const listening = spawn(SETPRIV, [...TO_NOBODY, PYTHON, '-c', LISTEN, socketPath(dir)]);
    const ended = once(listening, 'exit');
    let printed = '';
    listening.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    try {
      await once(listening.stdout, 'data');
      await expect(findKeeper(dir)).rejects.toThrow('belongs to another user');
      await ended;
      expect(printed).toBe('ready\n0\n');
    } finally {
      listening.kill();
    }
  });
});
