// Tests of `npm start` on a machine without bubblewrap.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planFor } from './bubblewrap.mjs';
import { ROOT } from './run.mjs';

const machine = ({ programs = [], ...rest } = {}) => ({
  platform: 'linux',
  isRoot: false,
  isTerminal: false,
  has: (name) => programs.includes(name),
  ...rest,
});
const DEBIAN = ['apt-get', 'sudo'];
const INSTALL = 'apt-get install -y --no-install-recommends bubblewrap';

describe('The plan for bubblewrap', () => {
  it.each([
    ['has it already', { programs: ['bwrap', ...DEBIAN], isRoot: true }],
    ['does not run Linux', { programs: DEBIAN, platform: 'darwin', isRoot: true }],
  ])('is nothing on a machine that %s', (_, options) =>
    expect(planFor(machine(options))).toEqual({ kind: 'nothing' }),
  );

  it.each([
    [
      'installs it as root, with a terminal or without',
      { isRoot: true, isTerminal: true },
      'install',
      INSTALL,
    ],
    ['installs it as root without sudo', { isRoot: true, programs: ['apt-get'] }, 'install', INSTALL],
    ['asks on a terminal when sudo is available', { isTerminal: true }, 'ask', `sudo ${INSTALL}`],
    ['prints the command without a terminal', {}, 'tell', `sudo ${INSTALL}`],
    ['prints it without sudo', { isTerminal: true, programs: ['apt-get'] }, 'tell', `sudo ${INSTALL}`],
    ['supports Fedora', { isRoot: true, programs: ['dnf', 'yum'] }, 'install', 'dnf install -y bubblewrap'],
    ['supports Alpine', { isRoot: true, programs: ['apk'] }, 'install', 'apk add bubblewrap'],
  ])('%s', (_, options, kind, command) => {
    const plan = planFor(machine({ programs: DEBIAN, ...options }));
    expect([plan.kind, plan.command.join(' ')]).toEqual([kind, command]);
  });

  it('has no command without a known package manager', () =>
    expect(planFor(machine({ isRoot: true, programs: ['sudo'] }))).toEqual({ kind: 'tell', command: null }));
});

describe('The offer of bubblewrap', () => {
  let dir;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'exec-console-bubblewrap-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  /** Runs the offer on a simulated machine whose only programs are `programs`; each logs its arguments. */
  function offer({ programs, uid, stdin }) {
    const log = join(dir, 'log');
    writeFileSync(log, '');
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(dir, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${script}\n`);
      chmodSync(join(dir, name), 0o755);
    }
    const script = `
      process.getuid = () => ${uid};
      process.stdin.isTTY = process.stderr.isTTY = ${stdin !== undefined};
      const { offerBubblewrap } = await import(${JSON.stringify(`${ROOT}scripts/bubblewrap.mjs`)});
      await offerBubblewrap([${JSON.stringify(dir)}]);
      process.exit(0);`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: dir },
      input: stdin ?? '',
      encoding: 'utf8',
    });
    return { printed: stderr, status, ran: readFileSync(log, 'utf8').split('\n').filter(Boolean) };
  }

  it('installs it as root and reports it, with fresh package lists when the first attempt fails', () => {
    const programs = { 'apt-get': '[ "$1" = update ] && : > "$0.lists"; [ -e "$0.lists" ]' };
    const { printed, status, ran } = offer({ programs, uid: 0 });
    expect(status).toBe(0);
    expect(printed).toContain(`Installing it: ${INSTALL}`);
    expect(printed).not.toContain('could not');
    expect(ran).toEqual([INSTALL, 'apt-get update', INSTALL]);
  });

  it('prints the command when the installation fails, and continues the start', () => {
    const { printed, status } = offer({ programs: { 'apt-get': 'exit 1' }, uid: 0 });
    expect(status).toBe(0);
    expect(printed).toContain(`could not be installed`);
    expect(printed).toContain(`To install it later: ${INSTALL}`);
  });

  it.each([
    ['\n', [`sudo ${INSTALL}`]],
    ['y\n', [`sudo ${INSTALL}`]],
    ['n\n', []],
    ['later\n', []],
    ['', []],
  ])('asks on a terminal, and %j runs %j', (stdin, ran) => {
    const answer = offer({ programs: { 'apt-get': '', sudo: '' }, uid: 1000, stdin });
    expect(answer.status).toBe(0);
    expect(answer.printed).toContain(`Install it now (sudo ${INSTALL})?`);
    expect(answer.ran).toEqual(ran);
  });

  it('runs nothing without a terminal, and prints the command', () => {
    const { printed, ran } = offer({ programs: { 'apt-get': '', sudo: '' }, uid: 1000 });
    expect(printed).toContain(`To install it: sudo ${INSTALL}`);
    expect(ran).toEqual([]);
  });
});
