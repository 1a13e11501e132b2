// Processes of an unprivileged gateway that hide their ancestry or their open descriptors: rule AP14.
import { spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

describe.runIf(hasNobody)('[AP14] A process of an unprivileged gateway', () => {
  let line: CommandLine;
  let client: TestClient;
  let token: string;
  let folder: string;

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
  });
  afterEach(async () => {
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

  it('does not prevent decisions of people', async () => {
    await client.start(['bash', '-c', `${PYTHON} ${join(folder, 'relay.py')} ${port()}`]);
    expect(await client.request('console/setPolicy', { policy: 'never' })).toEqual({});
  });
});
