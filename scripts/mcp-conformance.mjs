// Runs the Model Context Protocol's conformance runner against POST /mcp of the built gateway:
//
//   npm run build && npm run conformance:mcp [-- PATH of an installed runner]
//
// npx downloads the runner when no path is given; if that is impossible, the run is skipped and does not fail.
import './check-node.mjs';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RUNNER = '@modelcontextprotocol/conformance@0.1.16';
/** Minimum version of Node for the runner. */
const LEAST_NODE = 22;
/** Scenarios that do not depend on the runner's own example server. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const INSTALL_MS = 180_000;
const SCENARIO_MS = 60_000;
const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));

const runner = runnerOf(process.argv[2]);
if (runner === null) process.exit(0);

const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
const flags = ['--state-dir', folder];
const gateway = spawn(process.execPath, [MAIN, '--listen', 'ws://127.0.0.1:0', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let failed = 0;
try {
  const [line] = await once(createInterface({ input: gateway.stdout }), 'line');
  const printed = execFileSync(
    process.execPath,
    [MAIN, 'token', 'create', 'conformance', '--role', 'agent', ...flags],
    { encoding: 'utf8' },
  );
  const door = await withToken(new URL(line.replace(/^ws/, 'http')), /[\w-]{40,}/.exec(printed)?.[0] ?? '');
  for (const scenario of SCENARIOS) {
    const [program, ...args] = runner;
    const child = spawn(program, [...args, 'server', '--url', door.url, '--scenario', scenario], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: SCENARIO_MS,
    });
    let text = '';
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (part) => (text += part));
    const [code] = await once(child, 'close');
    if (code !== 0) failed += 1;
    console.log(code === 0 ? `PASS  ${scenario}` : `FAIL  ${scenario}\n${text}`);
  }
  door.close();
} finally {
  const gone = once(gateway, 'exit');
  gateway.kill();
  await gone;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);

/** Returns the runner's command, or null after logging why there is none. */
function runnerOf(path) {
  if (path !== undefined) return [process.execPath, path];
  const skipped = (why) => {
    console.log(`SKIP  MCP conformance was not run: ${why}`);
    return null;
  };
  if (Number(process.versions.node.split('.')[0]) < LEAST_NODE)
    return skipped(`${RUNNER} needs Node ${LEAST_NODE}, and this is ${process.version}`);
  const command = ['npx', '--yes', RUNNER];
  const { status } = spawnSync(command[0], [...command.slice(1), '--version'], { timeout: INSTALL_MS });
  return status === 0 ? command : skipped(`npx could not install ${RUNNER}`);
}

/**
 * Starts a proxy that adds the token, which the runner can't send; resolves with the proxy's address and a
 * function that closes the proxy.
 */
async function withToken(to, token) {
  const server = createServer((from, answer) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    // Host and Origin are rewritten if they name the proxy; other values are forwarded, so that the gateway can
    // refuse them.
    for (const name of ['host', 'origin'])
      headers[name] = headers[name]?.replace(/(?:localhost|127\.0\.0\.1):\d+/, to.host);
    if (headers.origin === undefined) delete headers.origin;
    const on = request(
      { host: to.hostname, port: to.port, method: from.method, path: from.url, headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    on.on('error', () => answer.destroy());
    answer.on('close', () => on.destroy());
    from.pipe(on);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close };
}
