// Processes of an unprivileged gateway that hide their ancestry or their open descriptors: rule AP14.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalsResult } from '../../protocol/approvals.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { CommandLine } from '../testing/command-line.ts';
import { TestClient } from '../testing/test-client.ts';

const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', '--reuid', String(NOBODY), '--clear-groups'];
const can = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const PYTHON = '/usr/bin/python3';
const hasNobody =
  can('setpriv', ...AS_NOBODY.slice(1), PYTHON, '-c', '') &&
  can('setpriv', ...AS_NOBODY.slice(1), 'ls', join(import.meta.dirname, '../../node_modules/ws'));

/**
 * True when a program can open a connection from a local port that another connection uses (IP_LOCAL_PORT_RANGE,
 * Linux 6.3 and later).
 */
const canSharePort = can(
  PYTHON,
  '-c',
  `import socket, sys; socket.socket().setsockopt(0, 51, (40_000 * 65_537).to_bytes(4, sys.byteorder))`,
);

/** Relays a connection from a process whose descriptors only root can read. */
const RELAY = `
import ctypes, socket, sys, threading
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
server = socket.create_server(('127.0.0.1', 0))
print(server.getsockname()[1], flush=True)
here, _ = server.accept()
there = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
def pump(one, other):
    while data := one.recv(65536):
        other.sendall(data)
threading.Thread(target=pump, args=(here, there), daemon=True).start()
pump(there, here)
`;

/**
 * Tries to set a policy through the given port, and prints the reply. `how`: how it closes the connection
 * after sending; by default, it waits for the reply.
 */
const DECIDE = `
import { WebSocket } from '${pathToFileURL(join(import.meta.dirname, '../../node_modules/ws/wrapper.mjs')).href}';
const [port, host, token, how] = process.argv.slice(2);
const ws = new WebSocket('ws://127.0.0.1:' + port, { headers: { host, authorization: 'Bearer ' + token } });
const send = (message) => ws.send(JSON.stringify(message));
ws.on('open', () => {
  send({ id: 1, method: 'initialize', params: { clientName: 'x' } });
  send({ method: 'initialized' });
  send({ id: 2, method: 'console/setPolicy', params: { policy: 'on-request' } });
  if (how === 'half') ws._socket.end();
  if (how === 'closed') ws._socket.end(() => process.exit(0));
  if (how === 'reset') ws._socket.write('', () => ws._socket.resetAndDestroy());
});
ws.on('error', () => {});
ws.on('close', () => process.exit(0));
ws.on('message', (data) => {
  const { id, error } = JSON.parse(data);
  if (id === 2) console.log('answered', error?.code ?? 'done'), process.exit(0);
});
`;

/**
 * Tries to set a policy over a hidden socket, and prints the reply's code, or `done`. `where` is its place:
 * `table`, the separate descriptor table of a thread; `flight`, in flight through another socket while the request
 * is being decided; `port`, an unreadable process, on the local port of another program's connection.
 */
const HIDE = `
import base64, ctypes, json, os, re, socket, struct, sys, threading, time
gateway, token, where, *ports = sys.argv[1:]
def frame(message):
    data = json.dumps(message).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data
def decide():
    if where == 'table': assert ctypes.CDLL(None).unshare(0x400) == 0
    if where == 'port': ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    there = socket.socket()
    if ports: there.setsockopt(0, 51, struct.pack('I', int(ports[0]) * 65537))
    there.connect(('127.0.0.1', int(gateway)))
    key = base64.b64encode(os.urandom(16)).decode()
    there.sendall(f'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:{gateway}\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n'
        f'Sec-WebSocket-Key: {key}\\r\\nSec-WebSocket-Version: 13\\r\\nAuthorization: Bearer {token}\\r\\n\\r\\n'.encode())
    data = b''
    while b'\\r\\n\\r\\n' not in data: data += there.recv(65536)
    there.sendall(frame({'id': 1, 'method': 'initialize', 'params': {'clientName': 'x'}}) + frame({'method': 'initialized'}))
    data = b''
    while b'"id":1' not in data: data += there.recv(65536)
    request = frame({'id': 2, 'method': 'console/setPolicy', 'params': {'policy': 'on-request'}})
    if where == 'flight':
        one, other = socket.socketpair()
        there.sendall(request[:-1])
        time.sleep(0.2)
        # The last byte is sent by another process, which ends at once.
        child = os.fork()
        if child == 0:
            os.close(0)
            time.sleep(0.5)
            there.send(request[-1:])
            os._exit(0)
        socket.send_fds(one, [b'x'], [there.fileno()])
        there.close()
        os.waitpid(child, 0)
        time.sleep(1)
        there = socket.socket(fileno=socket.recv_fds(other, 1, 1)[1][0])
    else: there.sendall(request)
    data = b''
    while b'"id":2' not in data: data += there.recv(65536)
    answer = re.search(rb'{"id":2.*?}}', data)
    print('answered', 'done' if b'"result":{}' in data else re.search(rb'"code":(-?[0-9]+)', data)[1].decode(), flush=True)
thread = threading.Thread(target=decide)
thread.start()
thread.join()
`;

/**
 * A program that the gateway has not started: `hidden` is unreadable; any other has a connection, and prints its
 * local port.
 */
const OTHER = `
import ctypes, socket, sys, time
if sys.argv[1] == 'hidden': ctypes.CDLL(None).prctl(4, 0, 0, 0, 0), print(0, flush=True)
else:
    server = socket.create_server(('127.0.0.1', 0))
    connection = socket.create_connection(server.getsockname())
    print(connection.getsockname()[1], flush=True)
time.sleep(1000)
`;

describe.runIf(hasNobody)('[AP14] A process of an unprivileged gateway', () => {
  let line: CommandLine;
  let client: TestClient;
  let token: string;
  let folder: string;
  let other: ChildProcess | null = null;

  beforeEach(async () => {
    line = await CommandLine.start({
      inside: (stateDir) => {
        chownSync(dirname(stateDir), NOBODY, NOBODY);
        chownSync(stateDir, NOBODY, NOBODY);
        return AS_NOBODY;
      },
    });
    token = findLocalGateway(line.stateDir)?.token ?? '';
    client = await TestClient.open(line.url, { token });
    await client.initialize();
    folder = dirname(line.stateDir);
    writeFileSync(join(folder, 'relay.py'), RELAY);
    writeFileSync(join(folder, 'decide.mjs'), DECIDE);
    writeFileSync(join(folder, 'hide.py'), HIDE);
  });
  afterEach(async () => {
    other?.kill();
    client.ws.terminate();
    await line.stop();
  });

  const { host, port } = { host: () => new URL(line.url).host, port: () => new URL(line.url).port };
  const decide = (at: string, how = ''): string =>
    `${process.execPath} ${join(folder, 'decide.mjs')} ${at} ${host()} ${token} ${how}`;
  const answerTo = async (script: string): Promise<string> => {
    const { processId } = await client.start(['bash', '-c', script]);
    await client.waitOutput(processId, 'answered');
    return client.output(processId).toString();
  };

  it('cannot decide through a program that hides its descriptors', async () => {
    const script = `coproc ${PYTHON} ${join(folder, 'relay.py')} ${port()}; read at <&\${COPROC[0]}; ${decide('$at')}`;
    expect(await answerTo(script)).toContain('answered -32021');
  });

  it('cannot decide after it has tried to remove its mark and left its session', async () => {
    const output = '/proc/$$/fd/1';
    const inner = `ulimit -S -x $(ulimit -H -x); setsid --fork bash -c 'sleep 0.3; ${decide(port())}'`;
    expect(await answerTo(`(${inner}) >${output}`)).toContain('answered -32021');
    expect(await answerTo('ulimit -H -x unlimited 2>&1; echo answered')).toContain('not permitted');
  });

  it.each(['half closed', 'closed', 'reset'])(
    'cannot decide over a connection that is %s by then',
    async (how) => {
      const { processId } = await client.start(['bash', '-c', `${decide(port(), how)}; echo answered`]);
      await client.waitOutput(processId, 'answered');
      const { settings } = await client.request<ApprovalsResult>('console/approvals', {});
      expect(settings.policy).toBe('never');
    },
  );

  /** Starts a program as the gateway's user, but outside the gateway; resolves with the port that it prints. */
  const startOther = async (kind: 'hidden' | 'connected'): Promise<string> => {
    const [command, ...args] = [...AS_NOBODY, PYTHON, '-c', OTHER, kind];
    other = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(other.stdout as Readable, 'data')) as [Buffer];
    return printed.toString().trim();
  };
  const hidden = (...args: readonly string[]): string =>
    `${PYTHON} ${join(folder, 'hide.py')} ${port()} ${token} ${args.join(' ')}`;

  it.each([
    ['the descriptor table of a thread', 'table'],
    ['flight to itself', 'flight'],
  ])(
    'cannot decide over a socket that it holds in %s, even if another program hides its descriptors',
    async (_, where) => {
      await startOther('hidden');
      expect(await answerTo(hidden(where))).toContain('answered -32021');
    },
  );

  it.runIf(canSharePort)(
    'cannot decide behind the port of a connection that another program has',
    async () => {
      expect(await answerTo(hidden('port', await startOther('connected')))).toContain('answered -32021');
    },
  );

  it('does not prevent decisions of people', async () => {
    await client.start(['bash', '-c', `${PYTHON} ${join(folder, 'relay.py')} ${port()}`]);
    expect(await client.request('console/setPolicy', { policy: 'never' })).toEqual({});
  });
});
