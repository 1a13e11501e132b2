// Starts the gateway and connects the agent for the README's pictures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Starts the gateway like `npm start`; resolves with the gateway's process and the links that it prints. */
export async function startGateway(dir) {
  const args = ['--listen', 'ws://127.0.0.1:0', '--state-dir', join(dir, 'state'), '--banner'];
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const agentUrl = new Promise((resolve) => {
    child.stderr.on('data', (chunk) => {
      printed += chunk;
      const [url] = /ws:\/\/[^'\s]+token=[^'\s]+/.exec(printed) ?? [];
      if (url) resolve(url);
    });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { child, pageUrl: (await lines.next()).value, agentUrl: await agentUrl };
}

/** Connects as an agent; resolves with a function that starts processes. */
export async function connectAgent({ agentUrl }, cwd) {
  const ws = new WebSocket(agentUrl);
  await once(ws, 'open');
  let id = 0;
  const waiting = new Map();
  ws.on('message', (data) => {
    // ws delivers a text message as one Buffer.
    const message = JSON.parse(Buffer.from(data).toString());
    waiting.get(message.id)?.(message.result);
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set((id += 1), resolve);
      ws.send(JSON.stringify({ id, method, params }));
    });
  await request('initialize', { clientName: 'codex-environment' });
  ws.send('{"method":"initialized"}');
  const env = {
    PATH: process.env['PATH'],
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: cwd,
  };
  return (argv, options = {}) =>
    request('process/start', {
      processId: `p${(id += 1)}`,
      argv,
      cwd: pathToFileURL(cwd).href,
      env,
      tty: true,
      ...options,
    });
}
