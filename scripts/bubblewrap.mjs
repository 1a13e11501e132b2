// bubblewrap, the sandbox on Linux: installed at the first start where possible, otherwise explained.
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { run } from './run.mjs';
import { which } from './which.mjs';

/** Paths at which the gateway looks for it. */
const PLACES = ['/usr/bin', '/bin', '/usr/local/bin'];

/** Install commands of package managers, the most common first. */
const MANAGERS = [
  ['apt-get', 'install', '-y', '--no-install-recommends'],
  ['dnf', 'install', '-y'],
  ['yum', 'install', '-y'],
  ['zypper', '--non-interactive', 'install'],
  ['pacman', '-S', '--noconfirm'],
  ['apk', 'add'],
];

/** Timeout of an install: a machine without a network must not delay the start for longer. */
const INSTALL_MS = 180_000;

const WITHOUT = 'Without it the gateway runs, and refuses commands that ask for a sandbox.';

/**
 * The action that this machine needs: `nothing`, `install` (as root), `ask` (sudo and a terminal are there), or `tell`.
 * `command` is the command line for a person.
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

/** Reports each of its steps on stderr; no failure prevents the start. `places`: folders that may have it. */
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
    console.error(`bubblewrap, which keeps sandboxes, is not installed. Installing it: ${line}`);
    if (await install(command)) return;
    console.error(`bubblewrap could not be installed. ${WITHOUT} To install it later: ${line}`);
  } else if (kind === 'ask' && (await isWanted(line))) {
    const [program, ...args] = command;
    // The command stays in the terminal's process group, in which sudo can ask for a password.
    if (!(await run(program, args))) console.error(`bubblewrap was not installed. ${WITHOUT}`);
  } else {
    console.error(`bubblewrap, which keeps sandboxes, is not installed. ${WITHOUT} To install it: ${line}`);
  }
}

async function install([program, ...args]) {
  const options = { limitMs: INSTALL_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  if (await run(program, args, options)) return true;
  // The package lists of a fresh machine may be empty.
  if (program !== 'apt-get' || !(await run(program, ['update'], options))) return false;
  return run(program, args, options);
}

/** Returns true for yes, which Enter also means; the end of the input and Ctrl-C mean no. */
async function isWanted(line) {
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise((resolve) => asked.once('close', () => resolve('n')));
  const question = `bubblewrap, which keeps sandboxes, is not installed. Install it now (${line})? [Y/n] `;
  const answer = await Promise.race([asked.question(question), ended]).catch(() => 'n');
  asked.close();
  return /^(y(es)?)?$/i.test(answer.trim());
}
