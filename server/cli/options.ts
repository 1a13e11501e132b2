// Parses the gateway's flags into options; errors name the expected form.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { FLOORS, type Floor } from '../host/sandbox/floor.ts';
import type { StatusPage } from '../ops/status-pages.ts';
import { HELP_FLAG, joinNegative, whyNot, type FlagSpecs } from './arguments.ts';
import { DOOR_FLAGS, doorsOf, type Doors } from './door-flags.ts';
import { KEEPER_FLAGS, keeperChoiceOf, type KeeperChoice } from './keeper-flags.ts';
import { LIMIT_FLAGS, limitsOf, RECORD_LIMIT_FLAGS, type ChosenLimits } from './limit-flags.ts';
import { LOG_FLAGS, logOf, type ChosenLog } from './log-flags.ts';
import { statusPageOf } from './status-page-flag.ts';
import { stateDirOf } from './state-folder.ts';
import { UsageError } from './usage-error.ts';

export interface Options extends Doors {
  readonly stateDir: string;
  readonly tokenFile: string | null;
  /** Weakest sandbox allowed for any process. */
  readonly sandbox: Floor;
  /** Absolute paths of the folders that the floor leaves writable; if empty, each request names its folder. */
  readonly workspaces: readonly string[];
  /** Name of the user that all processes run as; null: the gateway's user. */
  readonly runAs: string | null;
  readonly approvals: ApprovalPolicy;
  readonly ruleFiles: readonly string[];
  readonly onWaiting: string | null;
  readonly statusPages: readonly StatusPage[];
  /** Limits that replace the defaults. */
  readonly limits: ChosenLimits;
  readonly log: ChosenLog;
  readonly record: boolean;
  /** Use of a keeper; with `on`, the gateway must not start without a keeper. */
  readonly keeper: KeeperChoice['keeper'];
  readonly banner: boolean;
}

export type StdioOptions = Pick<Options, 'stateDir' | 'sandbox' | 'workspaces' | 'runAs' | 'limits' | 'log'>;

export type Command =
  | { readonly kind: 'serve'; readonly options: Options }
  | { readonly kind: 'serveStdio'; readonly options: StdioOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** Flags of the gateway, grouped as in --help. */
export const FLAG_GROUPS = {
  Address: DOOR_FLAGS,
  Access: {
    'ws-token-file': {
      type: 'string',
      value: 'PATH',
      about:
        'File with an operator\'s token of at least 32 characters, readable by its owner only; created if missing. Clients send it as "Authorization: Bearer …"',
      completes: 'file',
    },
    'ws-auth': {
      type: 'string',
      value: 'KIND',
      about: 'Accepted for compatibility with codex exec-server; capability-token is the only kind',
      completes: ['capability-token'],
    },
    'state-dir': {
      type: 'string',
      value: 'PATH',
      about:
        'Folder for tokens (as hashes), the audit log and the address of the running gateway (default: $XDG_STATE_HOME/exec-console or ~/.local/state/exec-console)',
      completes: 'folder',
    },
  },
  Approvals: {
    approvals: {
      type: 'string',
      value: 'POLICY',
      about:
        'Which agent commands wait for approval: never (none), on-request (those for which a rule requires approval, or that force-remove files), on-failure (the same, and a retry without the sandbox after it blocked something) or always (all that no rule allows) (default: never)',
      completes: APPROVAL_POLICIES,
    },
    rules: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      about:
        'File or folder of additional rules, such as ~/.codex/rules, which the gateway only reads; may be repeated',
      completes: 'file',
    },
    'on-waiting': {
      type: 'string',
      value: 'COMMAND',
      about:
        'Shell command to run when a request starts to wait and no operator or admin is watching; on stdin it gets one line of JSON with the id, agent, kind, command and reason of the request, with secrets masked',
    },
  },
  Sandbox: {
    sandbox: {
      type: 'string',
      value: 'POLICY',
      about:
        'Minimum sandbox of every process: none, workspace-write or read-only (default: none, so that only the sandboxes that agents request apply)',
      completes: FLOORS,
    },
    workspace: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      about:
        'Folder that is writable with --sandbox workspace-write; may be repeated (default: the workspace that each request names, unless it is a system, home or hidden folder)',
      completes: 'folder',
    },
    'run-as': {
      type: 'string',
      value: 'USER',
      about:
        "User to run all processes and file requests as, with only that user's groups; the gateway must be started as root (Linux)",
    },
  },
  History: {
    record: {
      type: 'string',
      value: 'on|off',
      about:
        "Record the output of processes in the state folder, for exec-console history, search and logs; only the gateway's user can read the files (default: on)",
      completes: ['on', 'off'],
    },
    ...RECORD_LIMIT_FLAGS,
  },
  Keeper: KEEPER_FLAGS,
  Limits: LIMIT_FLAGS,
  Log: LOG_FLAGS,
  Other: {
    'status-page': {
      type: 'string',
      multiple: true,
      value: 'NAME=URL,COMPONENT',
      about:
        'Status page (incident.io or Statuspage JSON) of a service that the agent NAME depends on. When that agent starts something, the gateway fetches the page, and warns if COMPONENT has an outage; may be repeated (default: none)',
    },
    banner: {
      type: 'boolean',
      about:
        'Print on stderr how to open the page, connect an agent and stop the gateway; on a terminal this replaces the two lines on stdout',
    },
    ...HELP_FLAG,
    version: { type: 'boolean', short: 'V', about: 'Print the version' },
  },
} as const satisfies Readonly<Record<string, FlagSpecs>>;

const FLAGS = {
  ...FLAG_GROUPS.Address,
  ...FLAG_GROUPS.Access,
  ...FLAG_GROUPS.Approvals,
  ...FLAG_GROUPS.Sandbox,
  ...FLAG_GROUPS.History,
  ...FLAG_GROUPS.Keeper,
  ...FLAG_GROUPS.Limits,
  ...FLAG_GROUPS.Log,
  ...FLAG_GROUPS.Other,
} as const;

/** Parses the command line. Throws UsageError. */
export function parseCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const values = parseFlags(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  if (/^stdio(:\/\/)?$/.test(values.listen ?? '')) return stdio(values, env);
  if (values['ws-auth'] !== undefined && values['ws-auth'] !== 'capability-token') {
    throw new UsageError(`--ws-auth ${values['ws-auth']}: only capability-token is supported`);
  }
  const tokenFile = values['ws-token-file'];
  const { keeper, keptMs } = keeperChoiceOf(values);
  const shared = common(values, env);
  return {
    kind: 'serve',
    options: {
      ...doorsOf(values),
      ...shared,
      limits: { ...shared.limits, ...(keptMs !== undefined && { keptMs }) },
      keeper,
      approvals: approvalsOf(values.approvals ?? 'never'),
      ruleFiles: (values.rules ?? []).map((path) => resolve(path)),
      onWaiting: values['on-waiting'] ?? null,
      statusPages: (values['status-page'] ?? []).map(statusPageOf),
      tokenFile: tokenFile === undefined ? null : resolve(tokenFile),
      record: recordOf(values.record ?? 'on'),
      banner: values.banner ?? false,
    },
  };
}

type Flags = ReturnType<typeof parseFlags>;

function common(values: Flags, env: NodeJS.ProcessEnv): StdioOptions {
  const sandbox = values.sandbox ?? 'none';
  const floor = FLOORS.find((known) => known === sandbox);
  if (!floor) throw new UsageError(`--sandbox ${sandbox}: expected one of ${FLOORS.join(', ')}`);
  return {
    stateDir: stateDirOf(values['state-dir'] ?? null, env),
    sandbox: floor,
    workspaces: workspacesOf(values.workspace ?? [], floor),
    runAs: values['run-as'] ?? null,
    limits: limitsOf(values),
    log: logOf(values),
  };
}

function recordOf(choice: string): boolean {
  if (choice !== 'on' && choice !== 'off') throw new UsageError(`--record ${choice}: expected on or off`);
  return choice === 'on';
}

function approvalsOf(policy: string): ApprovalPolicy {
  const known = APPROVAL_POLICIES.find((each) => each === policy);
  if (!known) throw new UsageError(`--approvals ${policy}: expected one of ${APPROVAL_POLICIES.join(', ')}`);
  return known;
}

function workspacesOf(paths: readonly string[], floor: Floor): string[] {
  if (paths.length > 0 && floor !== 'workspace-write') {
    throw new UsageError('--workspace needs --sandbox workspace-write');
  }
  return paths.map((path) => {
    const folder = resolve(path);
    if (folder === '/')
      throw new UsageError('--workspace /: this is the whole machine; name a project folder');
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`--workspace ${path}: there is no such folder; name an existing one`);
    return folder;
  });
}

const STDIO_FLAGS: readonly string[] = [
  'listen',
  'state-dir',
  'sandbox',
  'workspace',
  'run-as',
  ...Object.keys(LIMIT_FLAGS),
  ...Object.keys(LOG_FLAGS),
];

/**
 * Parses a command line with --listen stdio, which allows only flags for the state folder, sandbox, user,
 * limits and log.
 */
function stdio(values: Flags, env: NodeJS.ProcessEnv): Command {
  // A gateway on stdio stops without a grace period, and holds no request for approval.
  const isOurs = (flag: string): boolean =>
    STDIO_FLAGS.includes(flag) && flag !== 'shutdown-grace' && flag !== 'approval-timeout';
  const other = Object.keys(values).find((flag) => !isOurs(flag));
  if (other !== undefined)
    throw new UsageError(`--listen ${values.listen} cannot be combined with --${other}`);
  return { kind: 'serveStdio', options: common(values, env) };
}

function parseFlags(argv: readonly string[]) {
  const { values, tokens } = parse(argv);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`${token.rawName} needs a value`);
    if (given.has(token.name) && !('multiple' in FLAGS[token.name]))
      throw new UsageError(`${token.rawName} was given twice`);
    given.add(token.name);
  }
  return values;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: joinNegative(argv, FLAGS), options: FLAGS, strict: true, tokens: true });
  } catch (cause) {
    throw new UsageError(whyNot(cause as Error, FLAGS, 'the gateway'), { cause });
  }
}
