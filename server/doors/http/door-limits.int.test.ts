// Requests to the gateway's port that take too long, are too many or are too large: rules AU12 and LI5.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knockAt, openSocket, statusesIn, visitHonestly } from '../../testing/knock.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let authority: string;

const knock = (bytes: string | readonly string[]): Promise<string> => knockAt(server, bytes);
const honestVisit = (): Promise<void> => visitHonestly(server);

describe('[AU12] Requests that are too slow or too large', () => {
  beforeAll(async () => {
    // These limits are enough for honest clients on a busy machine.
    server = await TestServer.start({ requestHeadMs: 2000, requestMs: 2500 });
    authority = new URL(server.url).host;
  });

  afterAll(() => server.stop());

  it('get 431 when the head has more than 16 KiB', async () => {
    const line = `GET / HTTP/1.1\r\nHost: ${authority}\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`;
    expect(statusesIn(await knock(line))).toEqual([431]);
    const target = `GET /?${'x'.repeat(17 * 1024)} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
    expect(statusesIn(await knock(target))).toEqual([431]);
    await honestVisit();
  });

  it('get 408 when the head never ends, even from 50 clients at once', async () => {
    const sockets = Array.from({ length: 50 }, () => openSocket(server));
    for (const socket of sockets) socket.write(`GET / HTTP/1.1\r\nHost: ${authority}\r\nX:`);
    const ends = sockets.map((socket) => text(socket).catch(() => ''));
    await honestVisit();
    for (const end of await Promise.all(ends)) expect(statusesIn(end)).toEqual([408]);
  });

  describe('with a body', () => {
    const begun = (): string[] => [
      'POST /auth/exchange HTTP/1.1',
      `Host: ${authority}`,
      `Origin: http://${authority}`,
      'Content-Length: 1000',
      '',
      '{',
    ];

    it('do not get 200 when the body never ends', async () => {
      const answer = knock(begun());
      await honestVisit();
      expect(statusesIn(await answer)).not.toContain(200);
      await honestVisit();
      expect(server.defects).toEqual([]);
    });

    it('cause no defect when the sender disconnects in the middle', async () => {
      const socket = openSocket(server);
      socket.write(begun().join('\r\n'));
      await once(socket, 'connect');
      await honestVisit();
      socket.destroy();
      await once(socket, 'close');
      await honestVisit();
      expect(server.defects).toEqual([]);
    });
  });

  describe('[LI5] Pipelined requests', () => {
    const asking = (times: number): string =>
      `GET /healthz HTTP/1.1\r\nHost: ${authority}\r\n\r\n`.repeat(times);

    it('get replies up to a limit', async () => {
      const close = `GET /healthz HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`;
      expect(statusesIn(await knock(asking(15) + close))).toEqual(Array(16).fill(200));
    });

    it('close their socket beyond the limit', async () => {
      const sockets = Array.from({ length: 20 }, () => openSocket(server));
      const closed = sockets.map((socket) => once(socket.resume(), 'close'));
      for (const socket of sockets) socket.write(asking(200));
      await Promise.all(closed);
      await honestVisit();
    });

    it('beyond the limit count as refused without a reply', async () => {
      const metrics = async (): Promise<string> => {
        const headers = { authorization: `Bearer ${server.token('observer')}` };
        return (await fetch(`http://${authority}/metrics`, { headers })).text();
      };
      const refused = async (status: string): Promise<number> =>
        Number(new RegExp(`refused_total\\{status="${status}"\\} (\\d+)`).exec(await metrics())?.[1]);
      const before = [await refused('connection'), await refused('429')] as const;
      const socket = openSocket(server);
      socket.write(asking(200));
      await once(socket.resume(), 'close');
      expect([await refused('connection'), await refused('429')]).toEqual([before[0] + 1, before[1]]);
    });
  });
});
