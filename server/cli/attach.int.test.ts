// exec-console attach in a real terminal: the current screen, keys, size, and output for a watcher.
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Size } from '../../protocol/scalars.ts';
import { CommandLine } from '../testing/command-line.ts';
import { exit, screen, shownCells, shows } from '../testing/shown-terminal.ts';
import type { TestChild } from '../testing/test-child.ts';
import { TestServer } from '../testing/test-server.ts';

const DETACH = Buffer.from('\u001c');
const CTRL_C = Buffer.from('\u0003');

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

const inTerminal = (args: readonly string[], size?: Size): TestChild =>
  line.inTerminal(line.argv(args), size);
const bash = (script: string): string[] => ['--', 'bash', '-c', script];

async function keyOf(label: string): Promise<string> {
  const found = (await line.processes()).find((info) => info.label === label);
  if (!found) throw new Error(`no process ${label}`);
  return found.key;
}

describe('attach', () => {
  const full = 'printf "\\e[?1049h\\e[?2004h\\e[31mred\\e[5;10H\\e[1;44mblue\\e[0m\\e[20;3Hlast"; exec cat';
  const plain = 'for i in $(seq 1 40); do echo "line $i"; done; printf "last\\e[7m!\\e[0m"; exec cat';

  it.each([
    ['full-screen', full],
    ['line by line', plain],
  ])('[CL6] shows the exact screen of a detached process, and continues: %s', async (label, script) => {
    const first = inTerminal(['run', '--label', label, ...bash(script)]);
    await first.printed('last');
    const before = await screen(first);
    await first.child.write(DETACH);
    expect(await exit(first)).toMatchObject({ code: 0 });
    const key = await keyOf(label);
    expect(first.output().toString()).toContain(`exec-console attach ${key}`);

    const attach = line.argv(['attach', key]).join(' ');
    const second = line.inTerminal(['sh', '-c', `for n in 1 2 3 4 5; do echo before; done; exec ${attach}`]);
    await shows(second, 'last');
    const after = await screen(second);
    expect(after.active).toBe(before.active);
    expect(shownCells(after)).toEqual(shownCells(before));
    expect([after.cursor[0], after.cursor[1]]).toEqual([before.cursor[0], before.cursor[1]]);
    expect(after.modes).toEqual(before.modes);
    await second.child.write(Buffer.from('typed\r'));
    await second.printed('typed\r\ntyped\r\n');
    await second.child.write(CTRL_C);
    expect(await exit(second)).toMatchObject({ code: 130 });
  });

  it('[CL6] restores what the program has set, including settings that the emulator does not support', async () => {
    const modes = ['[?2031h', '[?2048h', '[?5h', '[?1007l', '[20h', '[12l', '[?31337h'];
    const keys = ['[>1u', '[>4;2m', '[>4;1f'];
    const strings = [']9;4;1;50', ']22;text', ']13;red', ']17;#123456', ']19;white', ']8;;http://x.y/'];
    const looks = ['[0;4:3;58:5:1m'];
    const set = [...modes, ...keys, ...looks, ...strings];
    const ended = set.map((each) => `\\e${each}${each.startsWith(']') ? '\\a' : ''}`);
    const script = `printf '${ended.join('')}ready'; exec cat`;
    const first = inTerminal(['run', '-l', 'set', ...bash(script)]);
    await first.printed('ready');
    await first.child.write(DETACH);
    await exit(first);
    const second = inTerminal(['attach', 'set']);
    await shows(second, 'ready');
    for (const each of set) expect(second.output().toString()).toContain(`\u001b${each}`);
    await second.child.write(DETACH);
    await exit(second);
    const undone = ['[?31337l', '[12h', '[>4f', ']9;4;0', ']22;', ']113', ']117', ']119', ']8;;'];
    for (const each of undone) expect(second.output().toString()).toContain(`\u001b${each}`);
    await line.outcome(['stop', 'set']);
  });

  it('[CL6] reports gaining and losing the focus to a program that requests it', async () => {
    const script = `stty raw -echo; printf '\\e[?1004hready '; exec cat -v`;
    const first = inTerminal(['run', '-l', 'focus', ...bash(script)]);
    await first.printed('ready');
    await first.child.write(Buffer.from('\u001b[I'));
    await first.printed('^[[I');
    await first.child.write(DETACH);
    await exit(first);
    const second = inTerminal(['attach', 'focus']);
    await shows(second, '^[[I^[[O^[[I');
    const watching = inTerminal(['attach', '--watch', 'focus']);
    await shows(watching, '^[[I^[[O^[[I');
    await watching.child.write(DETACH);
    await exit(watching);
    await second.child.write(Buffer.from('a'));
    await shows(second, '^[[I^[[O^[[Ia');
    await second.child.write(DETACH);
    await exit(second);
    await line.outcome(['stop', 'focus']);
  });

  it('[CL6] resizes a process that a person started to the attached terminal', async () => {
    const script = `trap 'stty size' WINCH; echo ready; while :; do read -rt 1; done`;
    const first = inTerminal(['run', '-l', 'sized', ...bash(script)]);
    await first.printed('ready');
    await first.child.write(DETACH);
    await exit(first);
    const second = inTerminal(['attach', 'sized'], { rows: 40, cols: 132 });
    await second.printed('40 132');
    const third = inTerminal(['attach', 'sized'], { rows: 10, cols: 20 });
    await third.printed('40 132');
    const fourth = inTerminal(['attach', '--control', 'sized'], { rows: 50, cols: 60 });
    await fourth.printed('50 60');
    for (const terminal of [second, third, fourth]) {
      await terminal.child.write(DETACH);
      expect(await exit(terminal)).toMatchObject({ code: 0 });
    }
    expect(third.output().toString()).toContain('--control gives the process this size');
  });

  it('[CL11] replays no queries to a terminal', async () => {
    const script = 'printf "\\e[c\\e[6n\\e]11;?\\a"; echo asked; exec cat';
    const first = inTerminal(['run', '-l', 'asks', ...bash(script)]);
    await first.printed('asked');
    const queries = ['\u001b[c', '\u001b[6n', ']11;?'];
    for (const query of queries) expect(first.output().toString()).toContain(query);
    await first.child.write(DETACH);
    await exit(first);
    const second = inTerminal(['attach', 'asks']);
    await shows(second, 'asked');
    for (const query of queries) expect(second.output().toString()).not.toContain(query);
    const shown = inTerminal(['logs', 'asks']);
    await exit(shown);
    for (const query of queries) expect(shown.output().toString()).not.toContain(query);
    await second.child.write(CTRL_C);
    await exit(second);
  });

  it('[CL12] shows a watcher only sequences that draw, of both streams, live and replayed', async () => {
    const refused = [
      '\u001b[c',
      ']52;',
      '18t',
      ']21;',
      ']99;',
      ']1337;',
      '\u001b_G',
      '\u009b',
      '?1004',
      '?2004',
    ];
    const acts = [
      '[c',
      ']52;c;aGk=\\a',
      '[018t',
      ']21;foreground=?\\a',
      ']99;;x\\a',
      ']1337;ReportCellSize\\a',
      '_Ga=q;\\e\\\\\\xc2\\x9b6n',
      '[?1004;2004h',
    ]
      .map((act) => `\\e${act}`)
      .join('');
    for (const [label, tty] of [
      ['pipes', '--no-tty'],
      ['own-terminal', '--tty'],
    ] as const) {
      const script = `printf '${acts}out\\n'; printf '${acts}\\e[32merr\\n' >&2; echo done; exec cat`;
      const first = line.spawn(['run', tty, '--label', label, ...bash(script)]);
      await once(first.stdout ?? process.stdin, 'data');
      const watching = inTerminal(['attach', '--watch', label]);
      await shows(watching, 'err');
      await shows(watching, 'done');
      const shown = inTerminal(['logs', label]);
      await exit(shown);
      await watching.child.write(DETACH);
      await exit(watching);
      for (const terminal of [watching, shown]) {
        const output = terminal.output().toString();
        // oxlint-disable-next-line no-control-regex -- a control sequence
        expect(output).toMatch(/\u001b\[[\d;]*m[^\n]*err/);
        for (const each of refused) expect(output).not.toContain(each);
      }
      await line.outcome(['stop', label]);
    }
  });

  it('[CL7] is read-only with an observer’s token', async () => {
    const server = await TestServer.start();
    const agent = await server.client('agent');
    await agent.start(['sh', '-c', 'stty size; exec cat'], { tty: true });
    const observer = { EXEC_CONSOLE_URL: server.url, EXEC_CONSOLE_TOKEN: server.token('observer') };
    const ps = line.spawn(['ps', '--json'], observer);
    const [listed] = (await once(createInterface(ps.stdout ?? process.stdin), 'line')) as [string];
    const [{ key }] = JSON.parse(listed) as [{ key: string }];
    const names = Object.entries(observer).map(([name, value]) => `${name}=${value}`);
    const looking = line.inTerminal(['env', ...names, ...line.argv(['attach', key])], { rows: 30, cols: 90 });
    await shows(looking, '24 80', { rows: 30, cols: 90 });
    await looking.child.write(Buffer.from('x\u0003'));
    expect(await exit(looking)).toMatchObject({ code: 0 });
    const insisting = line.inTerminal(['env', ...names, ...line.argv(['attach', '--control', key])]);
    expect(await exit(insisting)).toMatchObject({ code: 4 });
    const { stdout } = await line.outcome(['logs', key], { env: observer });
    expect(stdout.toString()).toBe('24 80\r\n');
    await server.stop();
  });
});
