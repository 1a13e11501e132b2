// Installs dependencies if they are missing or the lock file has changed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { ROOT, run } from './run.mjs';

const LOCK = `${ROOT}package-lock.json`;
const STAMP = `${ROOT}node_modules/.installed`;
/** File that npm writes at the end of an install. */
const NPM_STAMP = `${ROOT}node_modules/.package-lock.json`;
/** File that exists only if development dependencies are installed, which a build needs. */
const BUILDER = `${ROOT}node_modules/vite/package.json`;

/** Installs the dependencies if necessary; resolves to true when they are installed. */
export async function installDependencies() {
  const lock = createHash('sha256').update(readFileSync(LOCK)).digest('hex');
  if (isInstalled(lock)) return true;
  console.error('Installing dependencies …');
  if (!(await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']))) return false;
  writeFileSync(STAMP, lock);
  return true;
}

function isInstalled(lock) {
  if (!existsSync(BUILDER)) return false;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return true;
  // The installation is also current if npm was run manually after the lock file last changed.
  const isCurrent = existsSync(NPM_STAMP) && statSync(NPM_STAMP).mtimeMs >= statSync(LOCK).mtimeMs;
  if (isCurrent) writeFileSync(STAMP, lock);
  return isCurrent;
}
