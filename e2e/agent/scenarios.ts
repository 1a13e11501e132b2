// Scenarios of an agent, with the outcome required on any exec-server.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../protocol/approvals.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { Person } from './person.ts';
import { patch, run, type, view, type Step, type Turn } from './scripted-model.ts';

export interface Stage {
  /** Workspace of the agent. */
  readonly dir: string;
  /** Folder of the agent's configuration. */
  readonly home: string;
  /** Drops all connections between agent and server. */
  cut(): void;
  /** Blocks all connections for this time. */
  down(ms: number): void;
  /** Kills the gateway and starts another one; no effect without a keeper. */
  replaceGateway(): void;
  agent(signal: NodeJS.Signals): void;
  /** The deciding person; throws if the scenario has none. */
  readonly person: Person;
  /** Returns the number of the model's turns so far. */
  readonly turns: () => number;
}

export interface Scenario {
  readonly name: string;
  readonly setUp?: (stage: Stage) => void;
  readonly steps: (stage: Stage) => readonly Step[];
  /** Additional part of the outcome; while it is true, it is polled for at most `settleMs` (default: 5 s). */
  readonly look?: (stage: Stage) => unknown;
  readonly settleMs?: number;
  /**
   * Required text in at least one of the answers, since equal outcomes can both be wrong. An array contains the
   * required text of each answer, in order.
   */
  readonly expect: string | RegExp | readonly string[];
  /** Policy while the agent works; default: `never`. */
  readonly policy?: ApprovalPolicy;
  /** Acts for the person while the agent works; rejects on an error. */
  readonly person?: (stage: Stage) => Promise<void>;
  /** Expected decisions, in the order of the requests. */
  readonly decisions?: readonly Approval['decision'][];
  /** Sandbox of the agent's commands; default: full access. */
  readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Reason why only exec-console's outcome is judged. */
  readonly isReferenceWeak?: string;
  /** True if the scenario ends the agent, so that the exit code is not compared. */
  readonly isEnded?: true;
  readonly hasKeeper?: true;
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
/** Returns the PID that a process of the scenario has written to this file; 0 if there is none yet. */
const pidIn = ({ dir }: Stage, name: string): number =>
  existsSync(join(dir, name)) ? Number(readFileSync(join(dir, name), 'utf8')) : 0;

/** Error of the reference from its npm package 0.169.0, which lacks the sandbox program. */
const NO_REFERENCE_SANDBOX =
  'its sandbox does not start: bwrap: execvp codex-linux-sandbox: No such file or directory';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a one-shot, with stderr and an exit code',
    // The pause orders the output, since two pipes have no common order.
    steps: () => [() => [run('echo out; sleep 0.2; echo err >&2; exit 3')]],
    expect: /exited with code 3[\s\S]*out/,
  },
  {
    name: 'b an interactive shell on a terminal, and Ctrl-C',
    steps: () => [
      () => [run('bash --norc --noprofile', { tty: true, yield_time_ms: 500 })],
      (turn) => [type(turn, 'echo $((6*7)); stty size\n')],
      (turn) => [type(turn, 'sleep 100\n', 1000)],
      (turn) => [type(turn, '\u0003', 1000)],
      (turn) => [type(turn, 'echo still-$((1+1)); exit 5\n')],
    ],
    expect: /exited with code 5[\s\S]*still-2/,
  },
  {
    name: 'c a long process without a terminal is interrupted',
    steps: () => [
      () => [
        run('trap "touch caught; exit 9" INT; echo $$ > pid; while :; do sleep 0.1; done', {
          yield_time_ms: 5000,
        }),
      ],
      (turn) => [type(turn, '\u0003', 5000)],
    ],
    // The agent itself reports the exit code of an interrupt, however the process handles the signal.
    look: (stage) => alive(pidIn(stage, 'pid')) || { isCaught: existsSync(join(stage.dir, 'caught')) },
    expect: /exited with code 130/,
  },
  {
    name: 'd 4.8 MB of output',
    steps: () => [() => [run('seq 1 700000; echo the-end')]],
    // All 4.8 MB arrive; the agent shows the model the first and last half megabyte.
    expect: /3740\d{3} bytes omitted[\s\S]*the-end/,
    isReferenceWeak: 'its agent is notified of the exit before all output has arrived',
  },
  {
    name: 'e commands at once, and one after another',
    steps: () => [
      () => ['a', 'b', 'c', 'd'].map((name) => run(`sleep 0.3; echo ${name} > ${name}; echo made-${name}`)),
      () => [run('cat a b c d; ls')],
    ],
    expect: /a\nb\nc\nd/,
  },
  {
    name: 'f patching: a new file in a new folder, a change, a removal',
    setUp: ({ dir }) => {
      writeFileSync(join(dir, 'old.txt'), 'one\ntwo\nthree\n');
      writeFileSync(join(dir, 'gone.txt'), 'gone\n');
    },
    steps: () => [
      () => [
        patch([
          '*** Add File: new/folder/file.txt',
          '+hello',
          '*** Update File: old.txt',
          '@@',
          ' one',
          '-two',
          '+2',
          ' three',
          '*** Delete File: gone.txt',
        ]),
      ],
      () => [run('cat new/folder/file.txt old.txt; ls')],
    ],
    look: ({ dir }) => existsSync(join(dir, 'gone.txt')),
    expect: /hello\none\n2\nthree/,
  },
  {
    name: 'g a process left at the end of a turn is ended with the agent',
    steps: () => [() => [run('echo $$ > pid; exec sleep 1000', { yield_time_ms: 500 })]],
    look: (stage) => alive(pidIn(stage, 'pid')),
    expect: 'Process running',
  },
  {
    name: 'h a connection that drops in the middle of output',
    steps: (stage) => [
      () => [run('for i in $(seq 1 40); do echo line $i; sleep 0.05; done', { yield_time_ms: 700 })],
      (turn) => {
        stage.cut();
        return [type(turn, '', 8000)];
      },
    ],
    expect: 'line 40',
  },
  {
    name: 'h2 a connection that drops during typing',
    steps: (stage) => [
      () => [run('while read x; do echo "got $x"; done', { tty: true, yield_time_ms: 500 })],
      (turn) => [type(turn, 'one\n', 1000)],
      (turn) => {
        stage.cut();
        return [type(turn, 'two\n', 3000)];
      },
      (turn) => [type(turn, 'three\n', 1000)],
    ],
    expect: 'got three',
  },
  {
    name: 'h3 three seconds without a network',
    steps: (stage) => [
      () => [run('for i in $(seq 1 60); do echo line $i; sleep 0.1; done; exit 4', { yield_time_ms: 700 })],
      (turn) => {
        stage.down(3000);
        return [type(turn, '', 15_000)];
      },
    ],
    expect: /exited with code 4[\s\S]*line 60/,
  },
  {
    name: 'h4 a network that is gone for longer than the agent waits',
    steps: (stage) => [
      () => [run('echo before; sleep 30', { yield_time_ms: 700 })],
      (turn) => {
        stage.down(50_000);
        return [type(turn, '', 60_000)];
      },
      async () => {
        // Time for the network to come back.
        await new Promise((resolve) => setTimeout(resolve, 7000));
        return [run('echo again', { yield_time_ms: 30_000 })];
      },
    ],
    expect: 'again',
  },
  {
    name: 'i AGENTS.md and a skill are found',
    setUp: ({ dir }) => {
      mkdirSync(join(dir, '.git'));
      writeFileSync(join(dir, 'AGENTS.md'), 'Always say MAGIC-WORD.\n');
      mkdirSync(join(dir, '.agents/skills/greeter'), { recursive: true });
      writeFileSync(
        join(dir, '.agents/skills/greeter/SKILL.md'),
        '---\nname: greeter\ndescription: GREETS-PEOPLE\n---\nHello.\n',
      );
    },
    steps: () => [(turn) => [run(`echo ${reported(turn, 'MAGIC-WORD')}-${reported(turn, 'GREETS-PEOPLE')}`)]],
    expect: 'true-true',
  },
  {
    name: 'j an image is viewed',
    setUp: ({ dir }) => writeFileSync(join(dir, 'pixel.png'), Buffer.from(PIXEL, 'base64')),
    steps: ({ dir }) => [() => [view(join(dir, 'pixel.png'))]],
    expect: 'data:image/png;base64,',
  },
  {
    name: 'k the process of a killed agent is ended with its session, 80 s later',
    steps: (stage) => [
      () => [run('echo $$ > pid; exec sleep 1000', { yield_time_ms: 500 })],
      () => {
        stage.agent('SIGKILL');
        return [run('sleep 5')];
      },
    ],
    look: (stage) => alive(pidIn(stage, 'pid')),
    settleMs: 100_000,
    expect: 'Process running',
    isEnded: true,
  },
  {
    name: 'l SIGINT to the agent ends the process that it has started',
    steps: (stage) => [
      () => [run('echo $$ > pid; exec sleep 1000', { yield_time_ms: 500 })],
      () => {
        stage.agent('SIGINT');
        return [run('sleep 5')];
      },
    ],
    look: (stage) => alive(pidIn(stage, 'pid')),
    expect: 'Process running',
    isEnded: true,
  },
  {
    name: 'o an MCP server over stdio',
    setUp: ({ dir, home }) => {
      writeFileSync(join(dir, 'mcp.mjs'), MCP_SERVER);
      const server = [
        '[mcp_servers.probe]',
        'environment_id = "console"',
        `command = ${JSON.stringify(process.execPath)}`,
        `args = ${JSON.stringify([join(dir, 'mcp.mjs')])}`,
        `cwd = ${JSON.stringify(dir)}`,
      ];
      appendFileSync(join(home, 'config.toml'), server.join('\n'));
    },
    steps: ({ dir }) => [() => [run(`sleep 1; cat ${dir}/mcp.log`)]],
    expect: 'initialize',
  },
  {
    name: 'm the default sandbox: a command reads, and writes nowhere',
    sandbox: 'read-only',
    isReferenceWeak: NO_REFERENCE_SANDBOX,
    setUp: ({ dir }) => writeFileSync(join(dir, 'there.txt'), 'was-there\n'),
    steps: () => [
      () => [run('cat there.txt')],
      () => [run('(echo x > made.txt) 2>/dev/null || echo not-made; exit 0')],
      () => [run('(echo x > there.txt) 2>/dev/null || echo not-changed; cat there.txt')],
    ],
    look: ({ dir }) => existsSync(join(dir, 'made.txt')),
    expect: 'was-there',
  },
  {
    name: 'm2 the default sandbox: a denied command fails with the error of the denial',
    sandbox: 'read-only',
    isReferenceWeak: NO_REFERENCE_SANDBOX,
    steps: () => [() => [run('touch made.txt')]],
    look: ({ dir }) => existsSync(join(dir, 'made.txt')),
    expect: /Read-only file system/,
  },
  {
    name: 'n workspace-write: commands and patches write in the workspace, but not in .git',
    sandbox: 'workspace-write',
    isReferenceWeak: NO_REFERENCE_SANDBOX,
    setUp: ({ dir }) => {
      mkdirSync(join(dir, '.git'));
      writeFileSync(join(dir, 'old.txt'), 'one\ntwo\n');
    },
    steps: () => [
      () => [run('echo made > made.txt; cat made.txt')],
      () => [run('(echo x > .git/config) 2>/dev/null || echo git-is-safe')],
      () => [
        patch([
          '*** Add File: new/file.txt',
          '+hello',
          '*** Update File: old.txt',
          '@@',
          ' one',
          '-two',
          '+2',
        ]),
      ],
      () => [run('cat new/file.txt old.txt')],
    ],
    look: ({ dir }) => existsSync(join(dir, '.git/config')),
    expect: /hello\none\n2/,
  },
  {
    name: 'n2 workspace-write: an interactive terminal, Ctrl-C, and no network',
    sandbox: 'workspace-write',
    isReferenceWeak: NO_REFERENCE_SANDBOX,
    steps: () => [
      () => [run('bash --norc --noprofile', { tty: true, yield_time_ms: 500 })],
      (turn) => [type(turn, 'sleep 100\n', 1000)],
      (turn) => [type(turn, '\u0003', 1000)],
      (turn) => [type(turn, '(exec 3<>/dev/tcp/127.0.0.1/1) 2>/dev/null || echo no-$((1+0))-way\n')],
      (turn) => [type(turn, 'exit 5\n')],
    ],
    expect: /no-1-way/,
  },
];

const reported = ({ input }: Turn, text: string): boolean => JSON.stringify(input).includes(text);

/** A minimal Model Context Protocol server that logs its requests. */
const MCP_SERVER = `import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const log = new URL('mcp.log', import.meta.url);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  appendFileSync(log, method + '\\n');
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }
    : { tools: [] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;
