// Tests that clients of either dialect get the same behaviour over every transport.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TERMINATE_GRACE_MS } from '../../protocol/console-constants.ts';
import { DEFAULT_LIMITS } from '../config.ts';
import { Gateway } from '../gateway.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { spawnStdioGateway, stdioWire } from '../testing/stdio-wire.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { TestServer } from '../testing/test-server.ts';
import { WireClient, type Message } from '../testing/wire-client.ts';

interface Transport {
  connect(): Promise<WireClient>;
  stop(): Promise<void>;
}

const TRANSPORTS: { readonly [name: string]: () => Promise<Transport> } = {
  websocket: async () => {
    const server = await TestServer.start();
    return { connect: () => server.open('operator'), stop: () => server.stop() };
  },
  stdio: () =>
    Promise.resolve({
      connect: async () => new WireClient(stdioWire(await spawnStdioGateway())),
      // Each gateway ends with its connection, so nothing is left to stop.
      stop: () => Promise.resolve(),
    }),
  'in-process': () => {
    const sandboxes = new Sandboxes({ stateDir: '/nowhere', floor: 'none', user: null });
    const gateway = new Gateway({
      limits: DEFAULT_LIMITS,
      version: 'test',
      sandboxes,
      user: null,
      auditPath: null,
      access: null,
      log: () => {},
    });
    const identity = { tokenId: 't', name: 'the operator', role: 'operator', expiresAtMs: null } as const;
    return Promise.resolve({
      connect: () => Promise.resolve(new WireClient(connectInProcess(gateway, identity))),
      stop: () => gateway.close(),
    });
  },
};

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const FLOOD = { lines: 160_000, script: `echo $$; exec perl -e 'print "x" x 99, "\\n" for 1..160000'` };
const pidOf = (output: string): number => Number(output.slice(0, output.indexOf('\n')));

/** Resolves when the process is blocked by unread output: it sleeps, and does not run between several checks. */
async function untilHeld(pid: number): Promise<void> {
  let seen = '';
  let times = 0;
  await vi.waitFor(
    () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const now = status.match(/^(State|voluntary_ctxt_switches):.*$/gm)?.join() ?? '';
      times = now === seen && now.includes('S (sleeping)') ? times + 1 : 0;
      seen = now;
      expect(times).toBe(10);
    },
    { timeout: 20_000 },
  );
}

describe.each(Object.keys(TRANSPORTS))('Over %s', (name) => {
  let transport: Transport;
  let client: WireClient;
  beforeAll(async () => {
    transport = await TRANSPORTS[name]!();
  });
  afterAll(() => transport.stop());
  beforeEach(async () => {
    client = await transport.connect();
    await client.initialize();
  });
  afterEach(async () => {
    client.wire.resume();
    if (!client.closeInfo) await client.cut();
  });

  describe('the current dialect', () => {
    it('[EL1] sends a reply, then every event in order', async () => {
      const { processId } = await client.start(sh('echo out; echo err >&2; exit 3'));
      await client.waitEvent(processId, 'process/closed');
      const events = client.events(processId);
      expect(events.map(({ params }) => params?.['seq'])).toEqual(events.map((_, index) => index + 1));
      // The exit may arrive before the last of the output.
      const methods = new Set(events.slice(0, -1).map(({ method }) => method));
      expect(methods).toEqual(new Set(['process/output', 'process/exited']));
      expect(events.at(-1)?.method).toBe('process/closed');
      const exits = events.filter(({ method }) => method === 'process/exited');
      expect(exits.map(({ params }) => params?.['exitCode'])).toEqual([3]);
      const reply = client.log.findIndex(
        ({ result }) => (result as { processId?: string })?.processId === processId,
      );
      expect(reply).toBeLessThan(client.log.indexOf(events[0]!));
    });

    it('[SE6] replies to malformed messages with an error, and stays open', async () => {
      const junk = fc
        .sample(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), { numRuns: 200, seed: 7 })
        .filter((text) => !text.includes('\n') && text.trim() !== '');
      for (const text of junk) client.wire.send(text);
      client.wire.send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]).toString('latin1'));
      await expect(client.request('environment/status')).resolves.toEqual({ status: 'ready' });
      const answers = client.log.filter(({ id }) => id === -1);
      expect(answers).toHaveLength(junk.length + 1);
      for (const { error } of answers) expect(error?.code).toBe(-32600);
    });

    it('[SE6] closes the connection on a notification that is not allowed', async () => {
      client.send({ method: 'process/start' });
      await client.waitClose();
    });

    it('accepts a message of nearly 16 MiB', async () => {
      client.send({ id: 'big', method: 'environment/status', pad: 'x'.repeat(16 * 1024 * 1024 - 100) });
      const reply = await client.until(() => client.log.find(({ id }) => id === 'big'), 'the reply');
      expect(reply.result).toEqual({ status: 'ready' });
    });

    it('[DE4] sends everything to a client that stops reading for a while', async () => {
      const { processId } = await client.start(sh(FLOOD.script));
      await client.waitOutput(processId, 'x');
      client.wire.pause();
      await untilHeld(pidOf(client.output(processId).toString()));
      client.wire.resume();
      await client.waitEvent(processId, 'process/closed');
      expect(client.output(processId).toString().split('x\n')).toHaveLength(FLOOD.lines + 1);
    });
  });

  describe('the first dialect', () => {
    const exec = async (argv: string[], params: object = {}): Promise<string> => {
      const base = { argv, cwd: '/tmp', env: { PATH: '/usr/bin:/bin' }, tty: false, arg0: null };
      const { sessionId } = await client.request('command/exec', { ...base, ...params });
      return String(sessionId);
    };
    const events = (sessionId: string): Message[] =>
      client.log.filter(
        ({ method, params }) => method?.startsWith('command/') && params?.['sessionId'] === sessionId,
      );
    const printed = (sessionId: string, stream = 'stdout'): string =>
      Buffer.concat(
        events(sessionId)
          .filter(({ params }) => params?.['stream'] === stream)
          .map(({ params }) => Buffer.from(String(params?.['chunk']), 'base64')),
      ).toString();
    const waitPrinted = (sessionId: string, text: string) =>
      client.until(() => printed(sessionId).includes(text), `${JSON.stringify(text)} of ${sessionId}`);
    /** Returns the exit code, and checks that no event follows it. */
    const exit = async (sessionId: string): Promise<unknown> => {
      const exited = await client.until(
        () => events(sessionId).find(({ method }) => method === 'command/exec/exited'),
        `the exit of ${sessionId}`,
      );
      expect(events(sessionId).at(-1)).toBe(exited);
      return exited.params?.['exitCode'];
    };
    const write = (sessionId: string, text: string) =>
      client.request('command/exec/write', { sessionId, chunk: Buffer.from(text).toString('base64') });
    const terminate = (sessionId: string) => client.request('command/exec/terminate', { sessionId });

    it('[FD3] starts a process, and sends both streams, and the exit once, at the end', async () => {
      const first = await exec(sh('echo out; echo err >&2; pwd; exit 3'));
      const second = await exec(['/bin/true']);
      expect([first, second]).toEqual(['proc-1', 'proc-2']);
      expect([await exit(first), await exit(second)]).toEqual([3, 0]);
      expect([printed(first), printed(first, 'stderr')]).toEqual(['out\n/tmp\n', 'err\n']);
      for (const { params } of events(first)) expect(params).not.toHaveProperty('seq');
      expect(client.log.some(({ method }) => method?.startsWith('process/'))).toBe(false);
    });

    it('[FD3] sends the exit after the output of a grandchild', async () => {
      const sessionId = await exec(sh('(sleep 0.3; echo late) & exit 3'));
      expect(await exit(sessionId)).toBe(3);
      expect(printed(sessionId)).toBe('late\n');
    });

    it('starts a process with exactly the requested environment, working directory and name', async () => {
      const sessionId = await exec(['/usr/bin/env'], { env: { A: 'ä b' }, cwd: '/' });
      const named = await exec(['/bin/sh', '-c', 'ps -o args= -p $$'], { arg0: 'my-name' });
      await Promise.all([exit(sessionId), exit(named)]);
      expect(printed(sessionId)).toBe('A=ä b\n');
      expect(printed(named)).toContain('my-name');
    });

    it('[FD3] sends the output of a terminal as stdout, and writes to it', async () => {
      const sessionId = await exec(sh('tty; stty size; read line; echo "got $line" >&2; exit 4'), {
        tty: true,
      });
      await waitPrinted(sessionId, '24 80');
      expect(printed(sessionId)).toMatch(/^\/dev\/pts\//);
      expect(await write(sessionId, 'ho\n')).toEqual({ accepted: true });
      expect(await exit(sessionId)).toBe(4);
      expect(printed(sessionId)).toContain('got ho');
      await expect(write(sessionId, 'x')).rejects.toMatchObject({ code: -32600 });
    });

    it('performs every write, in order', async () => {
      const sessionId = await exec(sh('stty -echo raw; echo ready; head -c 6'), { tty: true });
      await waitPrinted(sessionId, 'ready');
      await Promise.all(['a', 'a', 'b', '', 'a', 'c', 'd'].map((text) => write(sessionId, text)));
      await exit(sessionId);
      expect(printed(sessionId)).toMatch(/aabacd$/);
    });

    it('[FD2] rejects a write to a process without a terminal, because its stdin is closed', async () => {
      const sessionId = await exec(sh('cat; echo eof; sleep 1000'));
      await waitPrinted(sessionId, 'eof');
      await expect(write(sessionId, 'x')).rejects.toMatchObject({ code: -32600 });
      await terminate(sessionId);
    });

    it('terminates a process once', async () => {
      const sessionId = await exec(sh("trap '' TERM; echo ready; sleep 1000"));
      await waitPrinted(sessionId, 'ready');
      expect(await terminate(sessionId)).toEqual({ running: true });
      expect(await exit(sessionId)).toBe(137);
      expect(await terminate(sessionId)).toEqual({ running: false });
    });

    it('numbers only processes that have started', async () => {
      await expect(exec(['/nowhere'])).rejects.toMatchObject({ code: -32603 });
      await expect(exec(['/bin/true'], { cwd: '/nowhere' })).rejects.toMatchObject({ code: -32603 });
      expect(await exec(['/bin/true'])).toBe('proc-1');
    });

    it('[FD2] rejects unknown sessions and methods, and stays open', async () => {
      await exec(['/bin/true']);
      await expect(terminate('proc-2')).rejects.toMatchObject({ code: -32600 });
      await expect(client.request('process/read', { processId: 'proc-1' })).rejects.toMatchObject({
        code: -32600,
      });
      expect(await exec(['/bin/true'])).toBe('proc-2');
    });

    it.each(['a malformed message', 'a cut'])('[FD4] ends its processes on %s', async (how) => {
      const sessionId = await exec(sh("trap '' TERM HUP; echo $$; while :; do sleep 1; done"));
      await waitPrinted(sessionId, '\n');
      const pid = Number(printed(sessionId));
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      if (how === 'a cut') await client.cut();
      else client.wire.send('not json');
      await client.waitClose();
      expect(client.log.some(({ id }) => id === -1)).toBe(false);
      // The process ignores SIGTERM, and gets SIGKILL after the grace period.
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), {
        timeout: 4 * TERMINATE_GRACE_MS,
      });
    });

    it('[DE4] sends everything to a client that stops reading for a while, and then the exit', async () => {
      const sessionId = await exec(sh(FLOOD.script));
      await waitPrinted(sessionId, 'x');
      client.wire.pause();
      await untilHeld(pidOf(printed(sessionId)));
      client.wire.resume();
      expect(await exit(sessionId)).toBe(0);
      expect(printed(sessionId).split('x\n')).toHaveLength(FLOOD.lines + 1);
    });

    it('[FD5] shows its processes in the console', async () => {
      await client.request('console/watch', {});
      await exec(['/bin/echo', 'hello']);
      const shown = await client.until(
        () =>
          client.log
            .flatMap(({ params }) => (params?.['processes'] ?? []) as Record<string, unknown>[])
            .find(({ state }) => state === 'closed'),
        'a closed process',
      );
      expect(shown).toMatchObject({ processId: 'proc-1', argv: ['/bin/echo', 'hello'], lastLine: 'hello' });
    });
  });
});
