// What the tests need beside npm packages: a Chromium and a few terminal programs. Installs them, or says how.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Command → Debian package. */
const PROGRAMS = { vim: 'vim', htop: 'htop', less: 'less' };
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const which = (command) => {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};
const runs = (command, args) => spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;

let isIndexFresh = false;

/** Whether the distribution's packages could be installed. */
function aptInstall(packages) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    return runs(command, rest);
  };
  if (!which('apt-get') || (sudo.length > 0 && !which('sudo'))) return false;
  isIndexFresh ||= apt('update');
  return apt('install', '-y', '--no-install-recommends', ...packages);
}

/** Installs the terminal programs; gives the line to run for what could not be. */
export function installPrograms() {
  const missing = Object.entries(PROGRAMS).filter(([command]) => !which(command));
  if (missing.length === 0) return null;
  const packages = missing.map(([, name]) => name);
  console.error(`Installing ${packages.join(', ')} …`);
  return aptInstall(packages)
    ? null
    : `install ${packages.join(', ')}, for example: sudo apt-get install -y ${packages.join(' ')}`;
}

/** The path of a Chromium: the system's, Playwright's own, or the distribution's. */
export function installBrowser(root) {
  const found = findBrowser();
  if (found) return { path: found, problem: null };
  console.error('Installing a Chromium …');
  if (runs(join(root, 'node_modules', '.bin', 'playwright'), ['install', 'chromium'])) {
    const own = playwrightBrowser();
    if (own) return { path: own, problem: null };
  }
  if (aptInstall(['chromium'])) return { path: findBrowser(), problem: null };
  return { path: null, problem: 'install a Chromium, for example: sudo apt-get install -y chromium' };
}

function findBrowser() {
  for (const name of BROWSERS) {
    const path = which(name);
    if (path) return path;
  }
  return playwrightBrowser();
}

function playwrightBrowser() {
  const cache = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(cache)) return null;
  for (const folder of readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name))) {
    const path = join(cache, folder, 'chrome-linux', 'chrome');
    if (existsSync(path)) return path;
  }
  return null;
}
