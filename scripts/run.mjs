// Runs commands in the project folder for the scripts.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command in the project folder. Resolves to true when it exits with 0; false when it fails, is missing,
 * or takes longer than `limitMs`. Its output is shown unchanged, passed to `onLine` line by line, or dropped if
 * `quiet`. With `niceness`, it and its children run at that lower priority.
 */
export function run(
  command,
  args,
  { env = {}, quiet = false, limitMs = 0, onLine = null, niceness = 0 } = {},
) {
  return new Promise((resolve) => {
    const shown = onLine ? 'pipe' : 'inherit';
    const stdio = quiet ? 'ignore' : ['ignore', shown, shown];
    // A child with a time limit or a niceness gets its own OS session: it can then be killed with all its
    // processes, and the session's priority can be lowered.
    const [file, ...words] =
      niceness > 0 ? ['nice', '-n', String(niceness), command, ...args] : [command, ...args];
    const child = spawn(file, words, {
      cwd: ROOT,
      stdio,
      env: { ...process.env, ...env },
      detached: limitMs > 0 || niceness > 0,
    });
    if (niceness > 0 && child.pid !== undefined) leaveToOthers(child.pid, niceness);
    for (const output of [child.stdout, child.stderr]) if (output) createInterface(output).on('line', onLine);
    const timer =
      limitMs > 0 &&
      setTimeout(() => {
        console.error(`${command} ${args.join(' ')}: timed out after ${limitMs / 1000} s`);
        process.kill(-child.pid, 'SIGKILL');
      }, limitMs);
    const finish = (succeeded) => {
      clearTimeout(timer);
      resolve(succeeded);
    };
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === 0));
  });
}

/**
 * Lowers the priority of a session's autogroup: Linux may divide the CPU among autogroups first, and `nice` then
 * has no effect between processes of different sessions.
 */
function leaveToOthers(session, niceness) {
  try {
    writeFileSync(`/proc/${session}/autogroup`, String(niceness));
  } catch {
    // The kernel may have no autogroups.
  }
}

export function runTool(name, args, options) {
  return run(process.execPath, [`${ROOT}node_modules/.bin/${name}`, ...args], options);
}
