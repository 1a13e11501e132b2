// Scenarios for each agent and door, with their expected results. No command contains `$(`, which Gemini CLI
// rejects.
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { Approval } from '../../protocol/approvals.ts';
import { patiently, type Person } from '../agent/person.ts';
import { sessionOf, type Item, type Step, type Turn } from '../agent/scripted-model.ts';
import type { Client, Door } from './client.ts';

export interface Stage {
  readonly client: Client;
  readonly door: Door;
  readonly dir: string;
  readonly person: Person;
  /** Returns the number of the model's turns so far. */
  readonly turns: () => number;
  /** Messages of the forms that the agent has shown to its user so far. */
  readonly forms: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** Tools that the scenario uses: the gateway's, or the agent's own for commands. */
  readonly tools: 'gateway' | 'own';
  /** Returns the reason why an agent can't run the scenario; null if it can. */
  readonly whyNot?: (client: Client, door: Door) => string | null;
  /** Time limit for calls in seconds; default: as long as the agent waits. */
  readonly budgetS?: number;
  readonly steps: (stage: Stage) => readonly Step[];
  /** Patterns that the answers must contain, in this order. */
  readonly expect: readonly RegExp[];
  /** Policy while the agent works; default: `never`. */
  readonly policy?: ApprovalPolicy;
  /** Performs the person's actions while the agent works; rejects when one of them fails. */
  readonly person?: (stage: Stage) => Promise<void>;
  /** Choice that the agent's own user makes in its form; null (default) dismisses the form. */
  readonly form?: 'Approve once' | 'Decline' | null;
  /** Expected decisions, in the order of the requests. */
  readonly decisions?: readonly Approval['decision'][];
  /** Number of processes shown in the console. */
  readonly rows: number;
  /** True to interrupt the agent (SIGINT) once its command has written the command's PID to the file `pid`. */
  readonly isInterrupted?: true;
}

interface Wait {
  readonly tty?: boolean;
  readonly yield_time_ms?: number;
}

/** Returns a call of exec_command, which names the folder except over stdio, where `exec-console mcp` sends it. */
const start = ({ client, door, dir }: Stage, cmd: string, wait: Wait = {}): Item =>
  client.tool('exec_command', {
    cmd,
    yield_time_ms: 20_000,
    ...(door !== 'mcp-stdio' && { workdir: dir }),
    ...wait,
  });

/** Returns a call of write_stdin; with empty `chars`, the call only waits for output. */
const type = ({ client }: Stage, turn: Turn, chars: string, yieldMs: number): Item =>
  client.tool('write_stdin', { session_id: sessionOf(turn), chars, yield_time_ms: yieldMs });

/** Returns a command that prints `WORD-42`; the command itself does not contain that text. */
const print = (word: string): string => `printf '${word}-%d\\n' 0x2a`;

const GATEWAY: readonly Scenario[] = [
  {
    name: 'one-shot',
    tools: 'gateway',
    steps: (stage) => [() => [start(stage, `${print('out')}; pwd; sleep 0.2; ${print('err')} >&2; exit 3`)]],
    expect: [/Process exited with code 3/, /Output:\nout-42\n\//, /err-42/],
    rows: 1,
  },
  {
    name: 'long: a command outlives its call, and the agent waits for it',
    tools: 'gateway',
    steps: (stage) => [
      () => [start(stage, `${print('begun')}; sleep 4; ${print('ended')}; exit 4`, { yield_time_ms: 500 })],
      (turn) => [type(stage, turn, '', 30_000)],
    ],
    expect: [/Process running with session ID \d+/, /begun-42/, /ended-42/],
    rows: 1,
  },
  {
    name: 'interactive: a shell on a terminal, Ctrl-C, and its end',
    tools: 'gateway',
    steps: (stage) => [
      () => [start(stage, 'exec bash --norc --noprofile', { tty: true, yield_time_ms: 1000 })],
      (turn) => [type(stage, turn, `${print('typed')}; sleep 100\n`, 2000)],
      (turn) => [type(stage, turn, '\u0003', 1000)],
      (turn) => [type(stage, turn, 'exit 5\n', 5000)],
    ],
    expect: [/Process running/, /typed-42/, /exited with code 5/],
    rows: 1,
  },
  {
    name: 'background: a command keeps running beside another, is listed, read and ended',
    tools: 'gateway',
    steps: (stage) => [
      () => [start(stage, `${print('up')}; exec sleep 300`, { yield_time_ms: 1000 })],
      () => [start(stage, print('beside'))],
      () => [stage.client.tool('list_sessions', {})],
      (turn) => [stage.client.tool('read_output', { session_id: sessionOf(turn) })],
      (turn) => [stage.client.tool('terminate', { session_id: sessionOf(turn) })],
    ],
    expect: [/Process running/, /beside-42/, /sleep 300/, /up-42/, /exited with code/],
    rows: 2,
  },
  {
    name: 'cancelled: an interrupt ends the agent, and not the command',
    tools: 'gateway',
    steps: (stage) => [() => [start(stage, 'echo $$ > pid; exec sleep 300')]],
    expect: [],
    rows: 1,
    isInterrupted: true,
  },
  {
    name: 'approved',
    tools: 'gateway',
    policy: 'always',
    steps: (stage) => [() => [start(stage, print('asked'))]],
    person: async ({ person }) => void (await person.decide('asked', 'accept')),
    decisions: ['accept'],
    expect: [/code 0/, /asked-42/],
    rows: 1,
  },
  {
    name: 'declined, with a message',
    tools: 'gateway',
    policy: 'always',
    steps: (stage) => [() => [start(stage, print('asked'))]],
    person: async ({ person }) => void (await person.decide('asked', 'decline', 'use the staging server')),
    decisions: ['decline'],
    expect: [/use the staging server/],
    rows: 0,
  },
  {
    name: 'approved after the call: the agent waits, and polls',
    budgetS: 5,
    whyNot: (_, door) =>
      door === 'mcp-http' ? 'only the program of mcp-stdio takes a limit for calls' : null,
    tools: 'gateway',
    policy: 'always',
    steps: (stage) => [
      () => [start(stage, print('asked'), { yield_time_ms: 500 })],
      (turn) => [type(stage, turn, '', 30_000)],
    ],
    person: async ({ person, turns }) => {
      await person.waitsFor('asked');
      for (let looks = 0; looks < 600 && turns() < 2; looks += 1)
        await new Promise((done) => setTimeout(done, 100));
      await person.decide('asked', 'accept');
    },
    decisions: ['accept'],
    expect: [/Waiting for approval with session ID \d+/, /code 0/, /asked-42/],
    rows: 1,
  },
];

/** Scenarios in which the agent shows a form to its own user, while the request also waits in the console. */
const FORMS: readonly Scenario[] = [
  {
    name: 'approved in its own form',
    tools: 'gateway',
    policy: 'always',
    form: 'Approve once',
    steps: (stage) => [() => [start(stage, print('asked'))]],
    person: async ({ person, forms }) => {
      await person.decided('asked', 'codex-form (in its client)');
      if (forms.length !== 1 || !forms[0]?.includes('asked-%d'))
        throw new Error(`its user was shown ${JSON.stringify(forms)}`);
    },
    decisions: ['accept'],
    expect: [/code 0/, /asked-42/],
    rows: 1,
  },
  {
    name: 'declined in its own form',
    tools: 'gateway',
    policy: 'always',
    form: 'Decline',
    steps: (stage) => [() => [start(stage, print('asked'))]],
    person: ({ person }) => person.decided('asked', 'codex-form (in its client)'),
    decisions: ['decline'],
    expect: [/declined by codex-form \(in its client\)/],
    rows: 0,
  },
  {
    name: 'dismissed in its own form, and decided in the console',
    tools: 'gateway',
    policy: 'always',
    steps: (stage) => [() => [start(stage, print('asked'))]],
    person: async ({ person, forms }) => {
      await patiently('the form', () => Promise.resolve(forms[0]));
      await person.decide('asked', 'accept');
    },
    decisions: ['accept'],
    expect: [/code 0/, /asked-42/],
    rows: 1,
  },
];

const OWN: readonly Scenario[] = [
  {
    name: 'one-shot',
    tools: 'own',
    steps: ({ client }) => [
      () => [client.shell(`${print('out')}; pwd; sleep 0.2; ${print('err')} >&2; exit 3`)],
    ],
    expect: [/out-42/, /err-42/],
    rows: 1,
  },
  {
    name: 'long',
    tools: 'own',
    steps: ({ client }) => [() => [client.shell(`${print('begun')}; sleep 4; ${print('ended')}`)]],
    expect: [/begun-42/, /ended-42/],
    rows: 1,
  },
  {
    name: 'background',
    tools: 'own',
    whyNot: ({ background, program }) =>
      background ? null : `the own tool of ${program.command} has no background commands`,
    steps: ({ client }) => [
      () => [client.background?.(`${print('up')}; sleep 5`) ?? client.shell('exit 1')],
      () => [client.shell(print('beside'))],
    ],
    expect: [/./, /beside-42/],
    rows: 2,
  },
  {
    name: 'cancelled: an interrupt ends the agent and its command',
    tools: 'own',
    steps: ({ client }) => [() => [client.shell('echo $$ > pid; exec sleep 300')]],
    expect: [],
    rows: 1,
    isInterrupted: true,
  },
  {
    name: 'approved',
    tools: 'own',
    policy: 'always',
    steps: ({ client }) => [() => [client.shell(print('asked'))]],
    person: async ({ person }) => void (await person.decide('asked', 'accept')),
    decisions: ['accept'],
    expect: [/asked-42/],
    rows: 1,
  },
  {
    name: 'declined, with a message',
    tools: 'own',
    policy: 'always',
    steps: ({ client }) => [() => [client.shell(print('asked'))]],
    person: async ({ person }) => void (await person.decide('asked', 'decline', 'use the staging server')),
    decisions: ['decline'],
    expect: [/use the staging server/],
    rows: 0,
  },
];

/**
 * Scenarios in which the agent requests approval for a command of its own tool. The command writes a file, since
 * Claude Code requests approval only for such commands.
 */
const ASKED: readonly Scenario[] = OWN.filter(({ policy }) => policy === 'always').map((scenario) => ({
  ...scenario,
  steps: ({ client }) => [() => [client.shell(`${print('asked')} > note; cat note`)]],
  policy: 'never',
  rows: 0,
}));

export function scenariosOf(door: Door): readonly Scenario[] {
  if (door === 'mcp-stdio' || door === 'mcp-http') return GATEWAY;
  if (door === 'mcp-form') return FORMS;
  return door === 'prompt-tool' ? ASKED : OWN;
}
