// Builds the page and the gateway if their sources have changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT, runTool } from './run.mjs';

const STAMP = `${ROOT}dist/.built`;
const SOURCES = [
  'protocol',
  'text',
  'client',
  'server',
  'web',
  'public',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'scripts/third-party.mjs',
];
const THREADS = ['screens-thread', 'history-thread', 'usage-thread', 'search-thread', 'waiting-thread'];
/** Build outputs, included in the stamp to detect builds made by other means. */
const RESULTS = [
  'dist/server/main.js',
  ...THREADS.map((name) => `dist/server/${name}.js`),
  'dist/web/index.html',
  'dist/web/THIRD-PARTY-NOTICES.md',
  'dist/server/THIRD-PARTY-NOTICES.md',
  'dist/server/client/node.js',
  'dist/server/client/browser.js',
  'dist/types/client/node/connect.d.ts',
  'dist/types/client/browser-client.d.ts',
];

/** Builds if the sources have changed; resolves to true when there is an up-to-date build. */
export async function build() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp()) return true;
  console.error('Building the page and the gateway …');
  const built =
    (await runTool('vite', ['build', '--logLevel', 'warn'])) &&
    (await runTool('vite', ['build', '--logLevel', 'warn', '--ssr'])) &&
    (await runTool('tsc', ['-p', 'client/tsconfig.types.json']));
  if (!built) return false;
  mkdirSync(`${ROOT}dist`, { recursive: true });
  writeFileSync(STAMP, stamp());
  return true;
}

/** Hashes file contents rather than times, which differ in a fresh checkout. */
function stamp() {
  const hash = createHash('sha256');
  for (const path of [...SOURCES.flatMap(filesOf), ...RESULTS]) {
    if (!existsSync(ROOT + path)) continue;
    hash.update(`${path}\0`).update(readFileSync(ROOT + path));
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(ROOT + path)) return [];
  if (/\.\w+$/.test(path)) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(ROOT + path)
    .toSorted()
    .flatMap((name) => filesOf(`${path}/${name}`));
}
