// Parses the arguments of the tools, with defaults and bounds, and builds the params of a start.
import { isAbsolute, resolve } from 'node:path';
import type { Requests } from '../../protocol/methods.ts';
import { ownText } from '../../text/own-copy.ts';
import { uriFromPath } from '../host/file-uri.ts';
import { Arguments } from './arguments.ts';
import type { Call } from './attention.ts';
import { forcedEnvironment, INHERITED } from './environment.ts';
import { Failed, notCreated } from './failed.ts';
import { shellFor } from './shell.ts';

const START_YIELD_MS = 10_000;
const WRITE_YIELD_MS = 250;
const YIELD_MS = [250, 30_000] as const;
const POLL_MS = [5000, 300_000] as const;
export const MOST_TOKENS = 10_000;
const GRACE_MS = 2000;
const MOST_GRACE_MS = 60_000;
/** Maximum characters of each metadata entry, except the justification. */
const ID_CHARS = 200;

const PERMISSIONS = ['use_default', 'require_escalated', 'with_additional_permissions'] as const;

export interface ExecArguments {
  readonly cmd: string;
  readonly workdir: string | null;
  readonly shell: string | null;
  readonly login: boolean;
  readonly tty: boolean;
  readonly yieldMs: number;
  readonly mostTokens: number;
  readonly permissions: (typeof PERMISSIONS)[number];
  readonly justification: string | null;
  readonly prefixRule: readonly string[];
}

export interface WriteArguments {
  readonly chars: string;
  readonly yieldMs: number;
  readonly mostTokens: number;
}

const within = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(Math.max(value, least), most);

export function execArguments(args: unknown): ExecArguments {
  const given = new Arguments(args);
  return {
    cmd: given.text('cmd'),
    workdir: given.textOrNull('workdir') || null,
    shell: given.textOrNull('shell'),
    login: given.flag('login', true, true),
    tty: given.flag('tty', false),
    yieldMs: within(given.ms('yield_time_ms', START_YIELD_MS), YIELD_MS),
    mostTokens: mostTokens(given),
    permissions: given.oneOf('sandbox_permissions', PERMISSIONS, 'use_default'),
    justification: given.textOrNull('justification'),
    prefixRule: given.texts('prefix_rule'),
  };
}

/** Returns the session ID before other arguments are checked, since Codex reports an unknown session first. */
export const sessionArgument = (args: unknown): number => new Arguments(args).sessionId();

export function writeArguments(args: unknown): WriteArguments {
  const given = new Arguments(args);
  const chars = given.textOr('chars', '');
  return {
    chars,
    yieldMs: within(given.ms('yield_time_ms', WRITE_YIELD_MS), chars === '' ? POLL_MS : YIELD_MS),
    mostTokens: mostTokens(given),
  };
}

export function terminateArguments(args: unknown): { readonly id: number; readonly graceMs: number } {
  const given = new Arguments(args);
  return { id: given.sessionId(), graceMs: Math.min(given.ms('grace_ms', GRACE_MS), MOST_GRACE_MS) };
}

export interface ReadArguments {
  readonly id: number;
  readonly lastLines: number | null;
  readonly afterBytes: number | null;
  readonly mostTokens: number;
}

export function readArguments(args: unknown): ReadArguments {
  const given = new Arguments(args);
  return {
    id: given.sessionId(),
    lastLines: given.countOrNull('last_lines'),
    afterBytes: given.countOrNull('after_bytes'),
    mostTokens: mostTokens(given),
  };
}

/** Returns the maximum number of tokens; the default when the argument is absent or null, as in Codex. */
const mostTokens = (given: Arguments): number => given.countOrNull('max_output_tokens') ?? MOST_TOKENS;

/** Returns the absolute folder; throws when it depends on the client's default folder and there is none. */
export function folderOf(workdir: string | null, { cwd }: Call): string {
  if (workdir !== null && isAbsolute(workdir)) return resolve(workdir);
  if (cwd === null || !isAbsolute(cwd))
    throw new Failed(
      `exec_command failed: ${notCreated('the client has no default folder; set workdir to an absolute path')}`,
    );
  return resolve(cwd, workdir ?? '');
}

/** Facts about the agent and its call that are sent with the start. */
export interface AgentFacts {
  readonly call: Call;
  readonly thread: string | null;
  readonly parentThread: string | null;
  readonly version: string | null;
  /** Path of the user's shell. */
  readonly shell: string;
}

export function startParams(
  processId: string,
  cwd: string,
  asked: ExecArguments,
  facts: AgentFacts,
): Requests['process/start']['params'] {
  const { thread, call } = facts;
  return {
    processId,
    argv: [shellFor(asked.shell, facts.shell), asked.login ? '-lc' : '-c', asked.cmd],
    cwd: uriFromPath(cwd),
    env: forcedEnvironment(thread, call.callId),
    envPolicy: INHERITED,
    tty: asked.tty,
    pipeStdin: false,
    metadata: metadataOf(asked, facts),
  };
}

function metadataOf(asked: ExecArguments, facts: AgentFacts): Record<string, string> {
  const { call, thread, parentThread, version } = facts;
  const isEscalated = asked.permissions === 'require_escalated';
  const metadata = {
    threadId: thread,
    toolCallId: call.callId,
    parentThreadId: parentThread,
    agentVersion: version,
    model: call.model ?? null,
    ...(isEscalated && {
      sandboxPermissions: asked.permissions,
      justification: asked.justification,
      prefixRule: asked.prefixRule.length === 0 ? null : JSON.stringify(asked.prefixRule),
    }),
  };
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) =>
      value == null || value === ''
        ? []
        : [[name, name === 'justification' ? value : ownText(value, ID_CHARS)]],
    ),
  );
}
