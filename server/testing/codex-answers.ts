// Expected answers of Codex's tools by scenario: `e2e/agent/unified.ts` checks them against Codex, and a test
// against the gateway.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { drawnLines } from '../../text/plain-text.ts';

export interface Step {
  readonly tool: 'exec_command' | 'write_stdin';
  /** Arguments of the call; `sessions` are the distinct session ids of earlier answers. */
  readonly args: (sessions: readonly number[]) => object;
  /** Called before the step with the folder in which the commands run. */
  readonly before?: (folder: string) => void | Promise<void>;
  /** The answer without parts that differ in each run (see `comparable`). */
  readonly answer: string;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A login shell is not used, because reading the user's profile may take seconds. */
const exec = (args: object, answer: string, before?: Step['before']): Step => ({
  tool: 'exec_command',
  args: () => ({ login: false, ...args }),
  answer,
  ...(before && { before }),
});
const run = (cmd: string, answer: string, more: object = {}): Step => exec({ cmd, ...more }, answer);
const write = (chars: string, answer: string, more: object = {}, before?: Step['before']): Step => ({
  tool: 'write_stdin',
  args: (sessions) => ({ session_id: sessions.at(-1), chars, ...more }),
  answer,
  ...(before && { before }),
});
const poll = (answer: string, more: object = {}, before?: Step['before']): Step =>
  write('', answer, more, before);

const HEAD = 'Chunk ID: C\nWall time: T seconds\n';
const exited = (code: number, tokens: number, output: string): string =>
  `${HEAD}Process exited with code ${code}\nOriginal token count: ${tokens}\nOutput:\n${output}`;
const running = (tokens: number, output: string): string =>
  `${HEAD}Process running with session ID N\nOriginal token count: ${tokens}\nOutput:\n${output}`;
const cutTo = (tokens: number, lines: number | string, output: string): string =>
  `Warning: truncated output (original token count: ${tokens})\n${typeof lines === 'string' ? lines : `Total output lines: ${lines}`}\n\n${output}`;
const wrong = (why: string): string => `failed to parse function arguments: ${why}`;

const UNKNOWN = 'write_stdin failed: Unknown process id N';
const CLOSED =
  'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open';
const NOT_CREATED = 'exec_command failed: CreateProcess { message: "Rejected(\\"…\\")" }';
const go = (folder: string): void => writeFileSync(join(folder, 'go'), '');
const WAIT = 'until [ -e go ]; do sleep 0.05; done; rm go';
/** Time for a command to start on a busy machine. */
const BEGINS = { yield_time_ms: 3000 };
const hundred = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => from + index).join('\n');

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a short command with both streams and an exit code',
    steps: [
      run('echo hi', exited(0, 1, 'hi\n')),
      run('echo err >&2; exit 3', exited(3, 1, 'err\n')),
      run('printf "a\\nb"', exited(0, 1, 'a\nb')),
      run('true', exited(0, 0, '')),
      run('', exited(0, 0, '')),
      run('echo login', exited(0, 2, 'login\n'), { login: true, yield_time_ms: 30_000 }),
      run('exit 300', exited(44, 0, '')),
      run('kill -TERM $$', exited(143, 0, '')),
      run('printf "a\\xffb\\xc3"', exited(0, 1, 'a\ufffdb\ufffd')),
    ],
  },
  {
    name: 'truncated output',
    steps: [
      run('seq 1 200', exited(0, 173, cutTo(173, 200, '…173 tokens truncated…')), { max_output_tokens: 0 }),
      run('seq 1 200', exited(0, 173, cutTo(173, 200, '1\n…172 tokens truncated…0\n')), {
        max_output_tokens: 1,
      }),
      run(
        'seq 1 200',
        exited(0, 173, cutTo(173, 200, `${hundred(1, 70)}…73 tokens truncated…${hundred(151, 50)}\n`)),
        { max_output_tokens: 100 },
      ),
      run('echo hi', exited(0, 1, cutTo(1, 1, '…1 tokens truncated…')), { max_output_tokens: 0 }),
      run('true', exited(0, 0, ''), { max_output_tokens: 0 }),
      run(
        'printf "äöü%.0s" $(seq 1 100)',
        exited(0, 150, cutTo(150, 1, 'äöüäöüäöüä…140 tokens truncated…üäöüäöüäöü')),
        { max_output_tokens: 10 },
      ),
      run('printf "x€€€€€€"', exited(0, 5, cutTo(5, 1, 'x€…3 tokens truncated…€')), { max_output_tokens: 2 }),
      run('printf abcdefgh', exited(0, 2, 'abcdefgh'), { max_output_tokens: 2 }),
      run('printf abcdefghi', exited(0, 3, cutTo(3, 1, 'abcd…1 tokens truncated…fghi')), {
        max_output_tokens: 2,
      }),
      run(
        'printf "a\\nb\\ncdefghijklmnop\\n"',
        exited(0, 5, cutTo(5, 3, 'a\nb\n…3 tokens truncated…nop\n')),
        { max_output_tokens: 2 },
      ),
    ],
  },
  {
    name: 'more output than is collected',
    steps: [
      run(
        'seq 1 300000; echo the-end',
        exited(
          0,
          497_226,
          cutTo(
            497_226,
            '... 940327 bytes omitted ...',
            '1\n2\n3\n4\n5\n6\n7\n8\n9\n10…262142 tokens truncated…9999\n300000\nthe-end\n',
          ),
        ),
        { max_output_tokens: 10, yield_time_ms: 30_000 },
      ),
      run(
        'head -c 1048576 /dev/zero | tr "\\0" a',
        exited(0, 262_144, cutTo(262_144, 1, 'aa…262143 tokens truncated…aa')),
        { max_output_tokens: 1, yield_time_ms: 30_000 },
      ),
      run(
        'head -c 1048577 /dev/zero | tr "\\0" a',
        exited(0, 262_145, cutTo(262_145, '... 1 bytes omitted ...', 'aa…262150 tokens truncated…aa')),
        { max_output_tokens: 1, yield_time_ms: 30_000 },
      ),
    ],
  },
  {
    name: 'a session that is read twice, to its end and beyond',
    steps: [
      run(`echo a; ${WAIT}; echo b; ${WAIT}; echo c; exit 4`, running(1, 'a\n'), BEGINS),
      poll(running(1, 'b\n'), { yield_time_ms: 5000 }, go),
      poll(running(0, ''), {}),
      poll(exited(4, 1, 'c\n'), { yield_time_ms: 100_000 }, go),
      poll(UNKNOWN),
      write('x', UNKNOWN),
    ],
  },
  {
    name: 'text and Ctrl-C for a process without a terminal',
    steps: [
      run('sleep 300 | sleep 300', running(0, ''), { yield_time_ms: 1 }),
      write('x\n', CLOSED),
      write('\u0003\n', CLOSED),
      write('\u0003', exited(130, 0, ''), BEGINS),
      poll(UNKNOWN),
    ],
  },
  {
    name: 'Ctrl-C that a process without a terminal catches',
    steps: [
      run('trap "echo caught; exit 7" INT; echo r; while :; do sleep 0.05; done', running(1, 'r\n'), BEGINS),
      write('\u0003', exited(7, 2, 'caught\n'), BEGINS),
    ],
  },
  {
    name: 'a process that ended between two calls',
    steps: [
      run(`${WAIT}; echo bye`, running(0, ''), { yield_time_ms: 250 }),
      write('x\n', CLOSED, {}, goAndEnd),
      write('\u0003', exited(0, 1, 'bye\n'), BEGINS),
    ],
  },
  {
    name: 'a terminal',
    steps: [
      run(
        'trap "echo int; exit 9" INT; stty size; tty | cut -c1-9; while :; do sleep 0.05; done',
        running(5, '24 80\n/dev/pts/\n'),
        {
          tty: true,
          ...BEGINS,
        },
      ),
      write('\u0003', exited(9, 2, '^Cint\n'), BEGINS),
    ],
  },
  {
    name: 'input typed into a terminal',
    steps: [
      run(
        'stty -echo; echo ready; while read -r line; do echo "got $line"; [ "$line" = end ] && exit 5; done',
        running(2, 'ready\n'),
        { tty: true, ...BEGINS },
      ),
      write('one\ntwo\n', running(5, 'got one\ngot two\n'), BEGINS),
      write('end\n', exited(5, 3, 'got end\n'), BEGINS),
      write('more\n', UNKNOWN),
    ],
  },
  {
    name: 'text for a terminal whose program has ended',
    steps: [
      run(`${WAIT}; echo bye`, running(0, ''), { tty: true, yield_time_ms: 250 }),
      write('x\n', exited(0, 2, 'bye\n'), BEGINS, goAndEnd),
    ],
  },
  {
    name: 'a child that holds the output open',
    steps: [run('sleep 20 & echo started', exited(0, 2, 'started\n'))],
  },
  {
    name: 'folders and shells',
    steps: [
      run('mkdir sub; pwd', exited(0, 0, 'DIR\n')),
      run('pwd', exited(0, 0, 'DIR/sub\n'), { workdir: 'sub' }),
      run('pwd', exited(0, 0, 'DIR\n'), { workdir: '' }),
      run('pwd', exited(0, 2, '/usr\n'), { workdir: '/usr/' }),
      run('pwd', NOT_CREATED, { workdir: '/proc/none' }),
      run('pwd', NOT_CREATED, { workdir: '/etc/passwd' }),
      run('echo $0', exited(0, 2, '/bin/sh\n'), { shell: '/bin/nope' }),
      run('echo $0', exited(0, 2, '/bin/sh\n'), { shell: '/bin/cat' }),
      run('echo ${0##*/}', exited(0, 1, 'sh\n'), { shell: 'sh' }),
      run('shopt login_shell', exited(1, 5, 'login_shell    \toff\n'), { shell: 'bash' }),
      run(
        'echo $NO_COLOR $GIT_PAGER $PAGER $GH_PAGER $LANG $LC_ALL $LC_CTYPE $CODEX_CI "$COLORTERM"',
        exited(0, 11, '1 cat cat cat C.UTF-8 C.UTF-8 C.UTF-8 1 \n'),
      ),
      run('cat; echo $?', exited(0, 1, '0\n')),
    ],
  },
  {
    name: 'arguments that are null',
    steps: [
      'workdir',
      'shell',
      'login',
      'max_output_tokens',
      'justification',
      'prefix_rule',
      'sandbox_permissions',
    ].map((name) => run('echo hi', exited(0, 1, 'hi\n'), { [name]: null, yield_time_ms: 30_000 })),
  },
  {
    name: 'invalid arguments',
    steps: [
      exec({}, wrong('missing field `cmd`')),
      exec({ cmd: 5 }, wrong('invalid type: integer `5`, expected a string')),
      exec({ cmd: 'a', tty: null }, wrong('invalid type: null, expected a boolean')),
      exec({ cmd: 'a', tty: 'yes' }, wrong('invalid type: string "yes", expected a boolean')),
      exec({ cmd: 'a', login: 1 }, wrong('invalid type: integer `1`, expected a boolean')),
      exec({ cmd: 'a', workdir: 5 }, wrong('invalid type: integer `5`, expected a string')),
      exec({ cmd: 'a', yield_time_ms: null }, wrong('invalid type: null, expected u64')),
      exec({ cmd: 'a', yield_time_ms: -1 }, wrong('invalid value: integer `-1`, expected u64')),
      exec({ cmd: 'a', yield_time_ms: 1.5 }, wrong('invalid type: floating point `1.5`, expected u64')),
      exec({ cmd: 'a', yield_time_ms: 'x' }, wrong('invalid type: string "x", expected u64')),
      exec({ cmd: 'a', yield_time_ms: 1e30 }, wrong('invalid type: floating point `1e+30`, expected u64')),
      exec({ cmd: 'a', max_output_tokens: -1 }, wrong('invalid value: integer `-1`, expected usize')),
      exec({ cmd: 'a', prefix_rule: 'x' }, wrong('invalid type: string "x", expected a sequence')),
      exec({ cmd: 'a', prefix_rule: [5] }, wrong('invalid type: integer `5`, expected a string')),
      exec(
        { cmd: 'a', sandbox_permissions: 'huh' },
        wrong(
          'unknown variant `huh`, expected one of `use_default`, `require_escalated`, `with_additional_permissions`',
        ),
      ),
      exec({ cmd: 'echo hi', unknown: 1 }, exited(0, 1, 'hi\n')),
      ...(
        [
          [{ session_id: 4711 }, UNKNOWN],
          [{ session_id: -1 }, UNKNOWN],
          [{ chars: '' }, wrong('missing field `session_id`')],
          [{ session_id: '12' }, wrong('invalid type: string "12", expected i32')],
          [{ session_id: null }, wrong('invalid type: null, expected i32')],
          [{ session_id: 99_999_999_999 }, wrong('invalid value: integer `99999999999`, expected i32')],
          [{ session_id: 1, chars: null }, UNKNOWN],
        ] as const
      ).map(([args, answer]): Step => ({ tool: 'write_stdin', args: () => args, answer })),
    ],
  },
  {
    name: 'a command that requests to run without a sandbox, with no person to ask',
    steps: [
      run(
        'echo hi',
        'approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never',
        { sandbox_permissions: 'require_escalated', justification: 'May I?' },
      ),
    ],
  },
];

/** Creates the file `go`, waits until the process has removed it, and then another second for the process to end. */
async function goAndEnd(folder: string): Promise<void> {
  go(folder);
  while (existsSync(join(folder, 'go'))) await setTimeout(20);
  await setTimeout(1000);
}

/**
 * Returns an answer without the parts that differ in each run; its output is drawn by `drawnLines`, as the gateway
 * draws the output of terminals.
 */
export function comparable(answer: string, folder: string): string {
  const at = answer.indexOf('Output:\n') + 'Output:\n'.length;
  const drawn = answer.startsWith('Chunk ID') ? answer.slice(0, at) + drawnLines(answer.slice(at)) : answer;
  return drawn
    .replace(/Original token count: \d+/, (count) =>
      answer.includes(folder) ? 'Original token count: 0' : count,
    )
    .replaceAll(folder, 'DIR')
    .replace(/^Chunk ID: [0-9a-f]{6}\n/, 'Chunk ID: C\n')
    .replace(/^Wall time: \d+\.\d{4} seconds\n/m, 'Wall time: T seconds\n')
    .replace(/session ID \d+/, 'session ID N')
    .replace(/process id -?\d+/, 'process id N')
    .replace(/ at line 1 column \d+$/, '')
    .replace(/Rejected\(\\"[\s\S]*\\"\)/, 'Rejected(\\"…\\")');
}
