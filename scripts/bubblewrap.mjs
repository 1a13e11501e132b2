// Installs bubblewrap, the Linux sandbox, at the start if it is missing and can be installed; otherwise explains how.
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { run } from './run.mjs';
import { which } from './which.mjs';

/** Folders in which the gateway looks for bubblewrap. */
const PLACES = ['/usr/bin', '/bin', '/usr/local/bin'];

/** Install commands of package managers, most common first. */
const MANAGERS = [
  ['apt-get', 'install', '-y', '--no-install-recommends'],
  ['dnf', 'install', '-y'],
  ['yum', 'install', '-y'],
  ['zypper', '--non-interactive', 'install'],
  ['pacman', '-S', '--noconfirm'],
  ['apk', 'add'],
];

/** Time limit for the installation, so that a machine without a network does not delay the start for long. */
const INSTALL_MS = 180_000;

const WITHOUT = 'Without it, the gateway runs but refuses commands that request a sandbox.';

/**
 * Returns the required action: `nothing`, `install` (as root), `ask` (to use sudo, in a terminal), or `tell`
 * (show the command). `command`: words of the command, absent with `nothing`; null without a known package manager.
 */
export function planFor({ platform, isRoot, isTerminal, has }) {
  if (platform !== 'linux' || has('bwrap')) return { kind: 'nothing' };
  const manager = MANAGERS.find(([name]) => has(name));
  if (!manager) return { kind: 'tell', command: null };
  const install = [...manager, 'bubblewrap'];
  if (isRoot) return { kind: 'install', command: install };
  const command = ['sudo', ...install];
  return { kind: has('sudo') && isTerminal ? 'ask' : 'tell', command };
}

/**
 * Installs a missing bubblewrap as root, asks a person who can use sudo, or shows the command; messages go to
 * stderr. Failures do not prevent the start. `places`: folders to search for bubblewrap.
 */
export async function offerBubblewrap(places = PLACES) {
  const { kind, command } = planFor({
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    isTerminal: process.stdin.isTTY && process.stderr.isTTY,
    has: (name) => which(name, name === 'bwrap' ? places.join(delimiter) : undefined) !== null,
  });
  if (kind === 'nothing') return;
  const line = command?.join(' ') ?? 'install the package bubblewrap with your package manager';
  if (kind === 'install') {
    console.error(`bubblewrap, which sandboxes commands, is not installed. Installing it: ${line}`);
    if (await install(command)) return;
    console.error(`bubblewrap could not be installed. ${WITHOUT} To install it later: ${line}`);
  } else if (kind === 'ask' && (await isWanted(line))) {
    const [program, ...args] = command;
    // The command must stay in the terminal's process group so that sudo can ask for a password.
    if (!(await run(program, args))) console.error(`bubblewrap was not installed. ${WITHOUT}`);
  } else {
    console.error(
      `bubblewrap, which sandboxes commands, is not installed. ${WITHOUT} To install it: ${line}`,
    );
  }
}

async function install([program, ...args]) {
  const options = { limitMs: INSTALL_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  if (await run(program, args, options)) return true;
  // A fresh machine may have no package lists yet.
  if (program !== 'apt-get' || !(await run(program, ['update'], options))) return false;
  return run(program, args, options);
}

/** Returns true for yes or Enter; end of input and Ctrl-C mean no. */
async function isWanted(line) {
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise((resolve) => asked.once('close', () => resolve('n')));
  const question = `bubblewrap, which sandboxes commands, is not installed. Install it now (${line})? [Y/n] `;
  const answer = await Promise.race([asked.question(question), ended]).catch(() => 'n');
  asked.close();
  return /^(y(es)?)?$/i.test(answer.trim());
}
