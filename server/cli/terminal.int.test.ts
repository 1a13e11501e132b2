// exec-console run in a real terminal: keys, size, modes, and restoring the terminal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Size } from '../../protocol/scalars.ts';
import { CommandLine } from '../testing/command-line.ts';
import { freshTerminal, written } from '../testing/seen-terminal.ts';
import { exit, screen, shownCells } from '../testing/shown-terminal.ts';
import { TERMINAL, type TestChild } from '../testing/test-child.ts';

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

describe('run', () => {
  it('[CL5] starts the program on a terminal, and returns its exit code', async () => {
    const terminal = inTerminal(['run', ...bash('test -t 0 && test -t 1 && tty; exit 5')]);
    expect(await exit(terminal)).toEqual({ code: 5, signal: null });
    expect(terminal.output().toString()).toMatch(/^\/dev\/pts\/\d+\r\n/);
  });

  it('[CL5] sends every key to the program, including Ctrl-C', async () => {
    const script = `trap 'echo interrupted; exit 4' INT; echo ready; while :; do read -r x; echo "<$x>"; done`;
    const { child, exited, printed } = inTerminal(['run', ...bash(script)]);
    await printed('ready');
    await child.write(Buffer.from('häßlich\r'));
    await printed('<häßlich>');
    await child.write(CTRL_C);
    await printed('interrupted');
    expect(await exited).toEqual({ code: 4, signal: null });
  });

  it('[CL6] sends the first of two detach keys when the second does not follow', async () => {
    const script = 'stty raw -echo; echo ready; exec cat -v';
    const terminal = inTerminal(['run', '--detach-keys', 'ctrl-p,ctrl-q', ...bash(script)]);
    await terminal.printed('ready');
    await terminal.child.write(Buffer.from('\u0010'));
    await terminal.printed('^P');
    await terminal.child.write(Buffer.from('\u0011'));
    await terminal.printed('^Q');
    await terminal.child.write(Buffer.from('\u0010\u0011'));
    expect(await exit(terminal)).toMatchObject({ code: 0 });
  });

  it('[CL5] applies the size of its terminal, and every change', async () => {
    const script = `trap 'stty size; exit' WINCH; stty size; while :; do read -rt 1; done`;
    const { child, exited, printed } = inTerminal(['run', ...bash(script)], { rows: 31, cols: 97 });
    await printed('31 97');
    child.resize({ rows: 12, cols: 45 });
    await printed('12 45');
    expect(await exited).toMatchObject({ code: 0 });
  });

  it.each([
    ['an exit', 'printf "\\e[?1049h\\e[?1003h\\e[?2004h\\e[?25l\\e[>1ugo"; exit 1', null],
    ['a detach', 'printf "\\e[?1049h\\e[?1003h\\e[?2004h\\e[?25l\\e[>1ugo"; exec sleep 100', DETACH],
  ])('[CL5] leaves the terminal as it was after %s', async (_, script, key) => {
    const own = line.argv(['run', ...bash(script)]).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const terminal = line.inTerminal([
      'sh',
      '-c',
      `stty -g; ${own.join(' ')}; echo; stty -g; stty sane; exit 0`,
    ]);
    await terminal.printed('go');
    if (key) await terminal.child.write(key);
    await exit(terminal);
    const output = terminal.output().toString();
    const [settings] = output.split('\r\n');
    expect(settings).toMatch(/^[\da-f]+(:[\da-f]+){10,}$/);
    expect(output.endsWith(`\r\n${settings}\r\n`), output).toBe(true);
    const shown = freshTerminal(TERMINAL, 0);
    await written(shown, terminal.output());
    expect(shown.buffer.active.type).toBe('normal');
    expect(shown.modes).toMatchObject({ mouseTrackingMode: 'none', bracketedPasteMode: false });
    expect(output).toContain('\u001b[<1u');
    expect(output).toContain('\u001b[?25h');
  });

  it.each([
    ['a character set', '\\e(0'],
    ['a shift', '\\e)0\\016'],
    ['insert mode', '\\e[4h'],
    ['newline mode', '\\e[20h'],
    ['margins', '\\e[2;4r'],
    ['other tab stops', '\\e[3g'],
    ['an unfinished sequence', '\\e]0;x'],
  ])('[CL5] restores characters, lines and tabs of the terminal after %s', async (_, output) => {
    const after = `printf 'lqk\\tx\\nab\\rc\\n'`;
    const own = line.argv(['run', '-t', '--', 'printf', output]).map((word) => `'${word}'`);
    const used = line.inTerminal(['sh', '-c', `${own.join(' ')}; ${after}`]);
    const fresh = line.inTerminal(['sh', '-c', after]);
    await Promise.all([exit(used), exit(fresh)]);
    expect(shownCells(await screen(used))).toEqual(shownCells(await screen(fresh)));
  });

  it('[CL5] resets colours, links and progress', async () => {
    const script = 'printf "\\e]4;1;red\\a\\e]11;red\\a\\e]8;;http://x/\\a\\e]9;4;1;50\\a"';
    const terminal = inTerminal(['run', ...bash(script)]);
    await exit(terminal);
    const [, undone] = terminal.output().toString().split('\u001b]9;4;1;50\u0007');
    for (const undo of [']104;1', ']111', ']8;;', ']9;4;0'])
      expect(undone).toContain(`\u001b${undo}\u001b\\`);
  });

  it('[CL12] shows only sequences that draw from a program without a terminal', async () => {
    const script = 'printf "\\e[31mred\\e[c\\e]52;c;aGk=\\a\\e[?1004h"; printf "\\e[018tno\\a\\n" >&2';
    const terminal = inTerminal(['run', '-T', ...bash(script)]);
    await exit(terminal);
    const output = terminal.output().toString();
    expect(output).toContain('\u001b[31mred');
    expect(output).toContain('no');
    for (const refused of ['[c', ']52', '?1004', '18t', '\u0007']) expect(output).not.toContain(refused);
  });

  it('[CL5] shows the output unchanged', async () => {
    const terminal = inTerminal(['run', ...bash('stty -opost; printf "one\\ntwo\\n"')]);
    await exit(terminal);
    expect(terminal.output().toString()).toContain('one\ntwo\n');
  });

  it('[CL5] redraws the screen after it was stopped and continued', async () => {
    const terminal = inTerminal(['run', ...bash('echo ready; exec cat')]);
    await terminal.printed('ready');
    process.kill(terminal.child.pid, 'SIGSTOP');
    process.kill(terminal.child.pid, 'SIGCONT');
    await terminal.printed('\u001b[2J');
    await terminal.child.write(CTRL_C);
    expect(await exit(terminal)).toMatchObject({ code: 130 });
    expect(terminal.output().toString().split('ready')).toHaveLength(3);
  });

  it('[CL5] sends SIGHUP to the process when its terminal hangs up', async () => {
    const first = inTerminal(['run', '-l', 'hung-up', ...bash('echo ready; exec sleep 100')]);
    await first.printed('ready');
    first.child.abandon();
    await exit(first);
    const gone = await line.outcome(['logs', '--follow', '--json', 'hung-up']);
    expect(gone.stdout.toString()).toContain('"exitCode":129');
  });
});
