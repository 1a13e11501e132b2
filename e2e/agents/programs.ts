// The agents' own programs, in fixed versions that npm installs into a cache folder outside the checkout.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';

export interface Program {
  readonly command: string;
  readonly package: string;
  readonly version: string;
}

/** Returns EXEC_CONSOLE_AGENTS_DIR, or a folder in the system's cache folder. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env['EXEC_CONSOLE_AGENTS_DIR'];
  if (chosen) return chosen;
  return join(systemCache(env), 'exec-console', 'agents');
}

function systemCache(env: NodeJS.ProcessEnv): string {
  if (platform() === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Caches');
  return env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
}

/**
 * Resolves with the path of the command, installing it if necessary. Rejects when npm fails or takes longer
 * than `limitMs`.
 */
export async function installed(program: Program, limitMs: number, env = process.env): Promise<string> {
  const folder = join(cacheFolder(env), `${program.command}-${program.version}`);
  const path = join(folder, 'node_modules', '.bin', program.command);
  const whole = join(folder, 'installed');
  if (existsSync(whole) && existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const spec = `${program.package}@${program.version}`;
  // This project's npm settings forbid install scripts and packages for other versions of Node. Some agents
  // complete their installation with a script, or require a newer Node although they run without Node.
  const flags = [
    '--ignore-scripts=false',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'error',
  ];
  await npm(['install', '--prefix', folder, ...flags, spec], limitMs, env);
  writeFileSync(whole, '');
  return path;
}

function npm(args: readonly string[], limitMs: number, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const isWindows = platform() === 'win32';
    execFile('npm', args, { timeout: limitMs, env, shell: isWindows }, (error, _, stderr) => {
      if (!error) resolve();
      else if (error.killed) reject(new Error(`npm took longer than ${limitMs / 1000} s`));
      else reject(new Error(`npm failed: ${stderr.trim().slice(0, 500) || error.message}`));
    });
  });
}
