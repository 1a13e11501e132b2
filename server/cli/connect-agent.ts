// exec-console connect: shows and writes the settings that connect an agent to the gateway, and undoes it.
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { z } from 'zod';
import { visible } from '../../text/visible.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { openStateDir, writePrivateFile } from '../policy/state-dir.ts';
import { AGENTS, type AgentSettings } from './agent-settings.ts';
import { agentToken, forgetAgentToken } from './agent-token.ts';
import { GATEWAY_FLAGS, type Arguments } from './arguments.ts';
import { parsed, rewritten } from './commented-json.ts';
import { isSameToml, withGateway, withoutGateway } from './codex-environments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { lineDiff } from './line-diff.ts';
import { say } from './notes.ts';
import { ownProgram } from './own-program.ts';
import { print } from './print.ts';
import { added, isConnected, removed } from './settings-edits.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

/** Subfolder of the state folder with copies of the earlier settings. */
const FORMER = 'connected';

const names = Object.keys(AGENTS);

export const connectAgent: Subcommand = {
  usage: `connect ${names.join('|')} [flags]`,
  summary: 'Configure an agent to run its commands in the gateway',
  help: `Shows the change to the agent's settings, asks for confirmation, and writes it. Everything else in the file
stays as it is. --undo reverts the change and revokes the token. The agent gets a token of its own, which can
neither decide requests nor see other processes. claude and gemini get a hook, codex the address of the gateway,
and opencode, cursor and vscode a server of the Model Context Protocol.`,
  flags: {
    print: { type: 'boolean', about: 'Print the settings without writing them' },
    undo: { type: 'boolean', about: 'Remove what was added, and revoke the token' },
    yes: { type: 'boolean', short: 'y', about: 'Write without asking' },
    file: {
      type: 'string',
      value: 'PATH',
      about: "Settings file (default: this user's settings of the agent)",
      completes: 'file',
    },
    'state-dir': GATEWAY_FLAGS['state-dir'],
  },
  examples: ['connect claude', 'connect codex --print', 'connect gemini --undo'],
  exitCodes: [['1', 'Nothing was written']],
  isLocal: true,
  words: 1,
  completes: names,
  async execute(args, env) {
    const [name = ''] = args.words;
    const agent = Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
    if (!agent) throw new UsageError(`connect ${name}: expected one of ${names.join(', ')}`);
    if (args.has('print') && args.has('undo')) throw new UsageError('use either --print or --undo, not both');
    const change = new Change(name, agent, args, env);
    if (args.has('print')) {
      await print(await change.added('', ''));
      if (change.pageUrl === null) say(NO_GATEWAY);
      return ExitCode.ok;
    }
    const path = realOf(args.text('file') ?? agent.file(env));
    const before = textOf(path);
    const after = args.has('undo')
      ? change.removed(before ?? '', path)
      : await change.added(before ?? '', path);
    const diff = lineDiff(before ?? '', after);
    if (diff.length === 0) {
      await print(`Nothing to change in ${visible(path)}\n`);
      return ExitCode.ok;
    }
    await print(`${visible(path)}\n${diff.map((line) => `${visible(line)}\n`).join('')}`);
    if (!args.has('yes') && !(await agreed())) {
      say('nothing was written');
      return ExitCode.failed;
    }
    if (!args.has('undo')) change.keep(path, before);
    if (after === '' && args.has('undo')) rmSync(path, { force: true });
    else write(path, after, { isSecret: agent.edits === null && !args.has('undo') });
    const isRevoked = args.has('undo') && (await change.forget(path));
    await print(
      args.has('undo')
        ? `Written.${isRevoked ? ' The token of the agent is revoked.' : ''}\n`
        : `${written(agent, change.pageUrl)}\n`,
    );
    return ExitCode.ok;
  },
};

const NO_GATEWAY = 'no gateway is running with this state folder; start one before the agent';

const written = ({ title, note }: AgentSettings, url: string | null): string =>
  url === null
    ? `Written, but ${NO_GATEWAY}. ${note}`
    : `Written. Start ${title}: its commands appear at ${url}. ${note}`;

const kept = z.object({ path: z.string(), before: z.string().nullable() });

class Change {
  readonly #name: string;
  readonly #agent: AgentSettings;
  readonly #flags: readonly string[];
  readonly #stateDir: string;

  constructor(name: string, agent: AgentSettings, args: Arguments, env: NodeJS.ProcessEnv) {
    this.#name = name;
    this.#agent = agent;
    const given = args.text('state-dir');
    this.#stateDir = stateDirOf(given, env);
    // The agent may be started without the XDG variable that this command has.
    const usual = stateDirOf(null, { ...env, XDG_STATE_HOME: undefined });
    this.#flags = this.#stateDir === usual ? [] : ['--state-dir', this.#stateDir];
  }

  /** URL of the gateway's page; null while no gateway is running. */
  get pageUrl(): string | null {
    return findLocalGateway(this.#stateDir)?.url.replace(/^ws/, 'http') ?? null;
  }

  /** Resolves with the file's text with the entries; creates the agent's token. */
  async added(text: string, path: string): Promise<string> {
    const token = await agentToken(this.#stateDir, this.#name, { isConnect: true });
    const { edits } = this.#agent;
    if (edits)
      return changing(path, () => rewritten(text, added(parsed(text), edits(ownProgram(), this.#flags))));
    const gateway = findLocalGateway(this.#stateDir);
    if (!gateway)
      throw new CommandFailed(
        ExitCode.noGateway,
        'Codex needs the address of a running gateway; start one with: exec-console --banner',
      );
    const url = gateway.url.replace(/^http/, 'ws');
    return changing(path, () => withGateway(text, { url, token }));
  }

  removed(text: string, path: string): string {
    return changing(path, () => this.#removed(text, path));
  }

  #removed(text: string, path: string): string {
    const { edits } = this.#agent;
    if (!this.#isConnected(text)) return text;
    const before = this.#former(path);
    if (!edits) {
      const result = withoutGateway(text);
      return before !== null && isSameToml(before, result) ? before : result;
    }
    const formerly = before === null ? {} : parsed(before);
    const result = rewritten(text, removed(parsed(text), edits(ownProgram(), this.#flags), formerly));
    // Unchanged settings also keep their formatting.
    if (before !== null && JSON.stringify(parsed(before)) === JSON.stringify(parsed(result))) return before;
    return before === null && Object.keys(parsed(result)).length === 0 ? '' : result;
  }

  /** Stores the text before the entries were added; null for a file that did not exist. */
  keep(path: string, before: string | null): void {
    if (before !== null && this.#isConnected(before)) return;
    mkdirSync(join(openStateDir(this.#stateDir), FORMER), { recursive: true, mode: 0o700 });
    writePrivateFile(this.#place, `${JSON.stringify({ path, before })}\n`);
  }

  /** Revokes the agent's token; resolves to false when a settings file connected later still uses it. */
  async forget(path: string): Promise<boolean> {
    const last = textOf(this.#place);
    if (last !== null && kept.parse(JSON.parse(last)).path !== path) return false;
    await forgetAgentToken(this.#stateDir, this.#name);
    return true;
  }

  #isConnected(text: string): boolean {
    const { edits } = this.#agent;
    if (!edits) return withoutGateway(text) !== text;
    return isConnected(parsed(text), edits(ownProgram(), this.#flags));
  }

  get #place(): string {
    return join(this.#stateDir, FORMER, `${this.#name}.json`);
  }

  /** Returns the stored text; null for a file that did not exist or was not stored. */
  #former(path: string): string | null {
    const text = textOf(this.#place);
    const former = text === null ? null : kept.parse(JSON.parse(text));
    return former?.path === path ? former.before : null;
  }
}

/** Runs a change of a file's text; throws CommandFailed when the file cannot be parsed or a comment would be lost. */
function changing(path: string, change: () => string): string {
  try {
    return change();
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw new CommandFailed(
      ExitCode.failed,
      `${visible(path)} cannot be changed: ${reasonOf(cause)}\nCorrect the file, or add by hand what --print shows.`,
      { cause },
    );
  }
}

/** The TOML parser adds the position on further lines, which are removed. */
const reasonOf = (cause: unknown): string =>
  visible((cause as Error).message.split('\n')[0] ?? '').replace(/[.:]$/, '');

/** Returns null for a file that does not exist. Throws for a pipe or a device, which might never end. */
function textOf(path: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a file');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandFailed(ExitCode.failed, `${visible(path)} cannot be read: ${(error as Error).message}`);
  }
}

/** Resolves the links of the settings path, even to a file that does not exist yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const to = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
    return to === null ? path : resolve(dirname(path), to);
  }
}

async function agreed(): Promise<boolean> {
  if (!isatty(0)) {
    say('add --yes to write without confirmation');
    return false;
  }
  process.stderr.write('Write this change? [y/N] ');
  const lines = createInterface(process.stdin);
  const [answer] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  lines.close();
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

/** Writes a file, with no access for others if it contains the agent's token. */
function write(path: string, text: string, { isSecret }: { readonly isSecret: boolean }): void {
  mkdirSync(dirname(path), { recursive: true });
  const former = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  const mode = isSecret ? former & 0o700 : former;
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  chmodSync(next, mode & 0o777);
  renameSync(next, path);
}
