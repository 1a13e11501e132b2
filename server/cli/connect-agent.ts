// exec-console connect: shows and writes the settings that connect an agent to the gateway, and removes them.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { visible } from '../../text/visible.ts';
import { AGENTS, type AgentSettings } from './agent-settings.ts';
import { GATEWAY_FLAGS } from './arguments.ts';
import { formOf } from './text-form.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { lineDiff } from './line-diff.ts';
import { printNote } from './notes.ts';
import { print } from './print.ts';
import { NEW_TOKEN, SettingsChange } from './settings-change.ts';
import { realOf } from './settings-file.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const names = Object.keys(AGENTS);

export const connectAgent: Subcommand = {
  usage: `connect ${names.join('|')} [flags]`,
  summary: 'Configure an agent to run its commands in the gateway',
  help: `Shows the change to the agent's settings, asks for confirmation, and writes it. The rest of the file stays
unchanged. Each agent gets its own token, which can neither decide requests nor see other processes; it is created
only when the change is written, not by --print. --undo reverts the change and revokes the token, even if the file
no longer has the change. claude and gemini get a hook, codex gets the gateway's address, and opencode, cursor and
vscode get an MCP server (Model Context Protocol).`,
  flags: {
    print: { type: 'boolean', about: 'Print the settings without writing them' },
    undo: {
      type: 'boolean',
      about: 'Remove what was added, and revoke the token unless another connected file uses it',
    },
    yes: { type: 'boolean', short: 'y', about: 'Write without asking' },
    file: {
      type: 'string',
      value: 'PATH',
      about: "Settings file (default: the agent's settings file of this user)",
      completes: 'file',
    },
    'state-dir': GATEWAY_FLAGS['state-dir'],
  },
  examples: ['connect claude', 'connect codex --print', 'connect gemini --undo'],
  exitCodes: [
    ['1', 'Nothing was written'],
    ['3', 'Codex only: no gateway is running'],
  ],
  isLocal: true,
  words: 1,
  completes: names,
  async execute(args, env) {
    const [name = ''] = args.words;
    const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
    if (!agent) throw new UsageError(`connect ${name}: expected one of ${names.join(', ')}`);
    args.refuseBoth('print', 'undo');
    args.refuseBoth('print', 'yes');
    const path = realOf(args.text('file') ?? agent.file(env));
    const change = new SettingsChange({ name, agent, path, stateDir: args.text('state-dir'), env });
    if (args.has('print')) return printSettings(change);
    const isYes = args.has('yes');
    return args.has('undo') ? undo(change, isYes) : connect(change, isYes, agent);
  },
};

async function printSettings(change: SettingsChange): Promise<number> {
  await print(change.printed);
  if (change.tokenNote !== null) printNote(change.tokenNote);
  if (change.pageUrl === null) printNote(NO_GATEWAY);
  return ExitCode.ok;
}

async function connect(change: SettingsChange, isYes: boolean, agent: AgentSettings): Promise<number> {
  const { before } = change;
  const token = change.storedToken;
  const after = change.added(token ?? NEW_TOKEN);
  if (after === before) {
    await change.createToken();
    await print(`Nothing to change in ${visible(change.path)}.`);
    return ExitCode.ok;
  }
  if (!(await isConfirmed(change, after, isYes))) return ExitCode.failed;
  await change.connect();
  await print(written(agent, change.pageUrl));
  return ExitCode.ok;
}

async function undo(change: SettingsChange, isYes: boolean): Promise<number> {
  try {
    const after = change.removed();
    const isChange = after !== change.before;
    if (isChange && !(await isConfirmed(change, after, isYes))) return ExitCode.failed;
    if (isChange) change.undo(after);
    const done = isChange ? 'Written.' : `Nothing to change in ${visible(change.path)}.`;
    await print([done, await change.revoke()].filter(Boolean).join(' '));
    return ExitCode.ok;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    // The token is revoked even when the settings cannot be changed.
    throw new CommandFailed(
      error.exitCode,
      [error.message, await change.revoke()].filter(Boolean).join('\n'),
    );
  }
}

/** Shows the difference; resolves to true when `isYes` is set or the person agrees. */
async function isConfirmed(change: SettingsChange, after: string | null, isYes: boolean): Promise<boolean> {
  const [from, to] = [change.before ?? '', after ?? ''].map((text) => formOf(text).plain);
  const diff = lineDiff(from ?? '', to ?? '');
  await print(`${visible(change.path)}\n${diff.map((line) => `${visible(line)}\n`).join('')}`);
  if (isYes || (await agreed())) return true;
  printNote('nothing was written');
  return false;
}

const NO_GATEWAY = 'no gateway is running with this state folder; start one before the agent';

const written = ({ title, note }: AgentSettings, url: string | null): string =>
  url === null
    ? `Written, but ${NO_GATEWAY}. ${note}`
    : `Written. Start ${title}: its commands appear at ${url}. ${note}`;

async function agreed(): Promise<boolean> {
  if (!isatty(0)) {
    printNote('add --yes to write without confirmation');
    return false;
  }
  process.stderr.write('Write this change? [y/N] ');
  const lines = createInterface(process.stdin);
  const [answer] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  lines.close();
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
