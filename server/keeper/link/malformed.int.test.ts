// Malformed frames from a program of the keeper's own user, to a keeper and in place of one: rule KP26.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeFrame, ToGateway, ToKeeper } from '../wire/frames.ts';
import { socketPath } from '../wire/place.ts';
import { askKeeper, stopKeeper } from './ask-keeper.ts';
import { KeeperLink } from './keeper-link.ts';
import { findOrStartKeeper } from './keeper-start.ts';

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-malformed-'));
  (await findOrStartKeeper(dir)).destroy();
});
afterAll(async () => {
  await stopKeeper(dir, 0);
  rmSync(dir, { recursive: true });
});

function frame(type: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const bytes = encodeFrame(type, 0, payload.length);
  payload.copy(bytes, bytes.length - payload.length);
  return bytes;
}

const tooLong = Buffer.alloc(9, 0xff);

describe.runIf(process.platform === 'linux')('[KP26] A keeper closes a connection that sends', () => {
  it.each([
    ['a greeting that is not JSON', frame(ToKeeper.hello, '{')],
    ['a greeting that is not an object', frame(ToKeeper.hello, 'null')],
    ['a greeting without versions', frame(ToKeeper.hello, '{"pid":1}')],
    [
      'a greeting with a program without words',
      frame(ToKeeper.hello, '{"min":1,"max":1,"pid":1,"program":{}}'),
    ],
    ['a request to stop that is not JSON', frame(ToKeeper.stop, 'x')],
    ['a request to stop without a time', frame(ToKeeper.stop, '{}')],
    ['a request to stop with a negative time', frame(ToKeeper.stop, '{"graceMs":-1}')],
    ['a frame that is too long', tooLong],
  ])('%s, and keeps running', async (_, bytes) => {
    const socket = connect(socketPath(dir));
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(bytes);
    await closed;
    expect(await askKeeper(dir)).not.toBeNull();
  });
});

const welcome = {
  version: 1,
  pid: 1,
  epoch: 1,
  firstMark: '1152921504606846976',
  nextProcess: 1,
  processes: [],
};
const sends =
  (payload: object | null) =>
  (socket: Socket): void => {
    socket.write(frame(ToGateway.welcome, JSON.stringify(payload)));
  };

describe('[KP26] A program in place of a keeper is refused when it', () => {
  it.each([
    ['echoes the greeting', (socket: Socket) => void socket.pipe(socket)],
    ['sends a welcome that is not an object', sends(null)],
    ['sends a welcome with a mark that is not a number', sends({ ...welcome, firstMark: 'x' })],
    ['sends a welcome with an incomplete process', sends({ ...welcome, processes: [{ key: 'k' }] })],
  ])('%s', async (_, serve) => {
    const place = mkdtempSync(join(tmpdir(), 'exec-console-no-keeper-'));
    const server = createServer(serve);
    server.listen(socketPath(place));
    await once(server, 'listening');
    const events = { displaced: () => {}, lost: () => {}, trouble: () => {} };
    await expect(KeeperLink.open(place, events)).rejects.toThrow(
      'keeper.sock in this state folder is not a keeper',
    );
    server.close();
    rmSync(place, { recursive: true });
  });
});
