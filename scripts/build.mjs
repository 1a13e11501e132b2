// Builds the page and the gateway if their sources have changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT, runTool } from './run.mjs';

const STAMP = `${ROOT}dist/.built`;
export const SOURCES = [
  'protocol',
  'text',
  'client',
  'server',
  'web',
  'public',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'scripts/integrity.mjs',
  'scripts/third-party.mjs',
  'scripts/run.mjs',
];
const PROGRAMS = [
  'main',
  'server',
  'client/node',
  'client/browser',
  'keeper',
  'file-helper',
  'sandbox-as-user',
  'history-thread',
  'replay-thread',
  'screens-thread',
  'search-thread',
  'usage-thread',
  'waiting-thread',
];
/** Build outputs, included in the stamp to detect builds made by other means. */
export const RESULTS = [
  ...PROGRAMS.map((name) => `dist/server/${name}.js`),
  'dist/web/index.html',
  'dist/web/THIRD-PARTY-NOTICES.md',
  'dist/server/THIRD-PARTY-NOTICES.md',
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
