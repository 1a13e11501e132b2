// Finds or installs programs needed by tests besides npm packages: a browser, and programs that run in
// terminals.
import { existsSync } from 'node:fs';
import { run, runTool } from './run.mjs';
import { which } from './which.mjs';

/** Debian's headless Chromium; tests take half as long as with the full browser. */
const SHELL = 'chromium-headless-shell';
const BROWSERS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Resolves with the path of a browser: CHROMIUM_PATH if set, then apt's headless shell if available, then the
 * system's, Playwright's or apt's browser; null if there is none.
 */
export async function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (which(SHELL) === null && which('apt-get') !== null) await installPrograms([SHELL]);
  const found = systemBrowser() ?? (await playwrightBrowser());
  if (found) return found;
  await installPrograms(['chromium']);
  return systemBrowser();
}

/** Debian packages named differently from their program. */
const PACKAGES = { bwrap: 'bubblewrap' };

/** Installs missing programs with apt-get; resolves to true when all are installed. */
export async function installPrograms(names) {
  const missing = names.filter((name) => which(name) === null).map((name) => PACKAGES[name] ?? name);
  if (missing.length === 0) return true;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...asRoot, 'apt-get', ...args];
    return run(command, rest, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  };
  if (await apt('install', '-y', '--no-install-recommends', ...missing)) return true;
  // A fresh machine may have no package lists yet.
  const installed =
    (await apt('update')) && (await apt('install', '-y', '--no-install-recommends', ...missing));
  if (!installed) console.error(`Please run: sudo apt-get install -y ${missing.join(' ')}`);
  return installed;
}

async function playwrightBrowser() {
  if (!(await runTool('playwright', ['install', 'chromium'], { limitMs: 240_000 }))) return null;
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  // A downloaded browser may still lack libraries.
  return existsSync(path) && (await run(path, ['--version'])) ? path : null;
}

function systemBrowser() {
  for (const name of BROWSERS) {
    const path = which(name);
    if (path) return path;
  }
  return null;
}
