// npm run dev: page and gateway with hot reload behind one link; both end together.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { build } from './build.mjs';
import { installDependencies } from './install.mjs';
import { ROOT } from './run.mjs';

if (!(await installDependencies())) process.exit(1);
// The gateway requires a built page even when Vite serves it.
if (!existsSync(`${ROOT}dist/web/index.html`) && !(await build())) process.exit(1);

const port = await freePort();
const gateway = spawn(
  process.execPath,
  [
    `${ROOT}node_modules/.bin/tsx`,
    'watch',
    '--clear-screen=false',
    'server/entry.ts',
    '--port',
    String(port),
    '--state-dir',
    '.state',
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
);
gateway.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => gateway.kill('SIGTERM'));
process.on('exit', () => gateway.kill('SIGTERM'));

const { createServer: createVite } = await import('vite');
// vite.config.ts proxies the page's socket to the gateway.
process.env.EXEC_CONSOLE_DEV_GATEWAY = `http://127.0.0.1:${port}`;
const vite = await createVite({ configFile: `${ROOT}vite.config.ts` });
await vite.listen();
const { port: pagePort } = vite.httpServer.address();

// Each restart of the gateway prints a new link, because the code in the previous link is no longer valid.
for await (const line of createInterface({ input: gateway.stdout })) {
  const code = /#code=.*$/.exec(line)?.[0];
  if (code) console.log(`http://127.0.0.1:${pagePort}/${code}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
