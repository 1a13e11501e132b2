// The gateway's flags: argv → what was asked for, or a sentence that says what was expected.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { FLOORS, type Floor } from '../host/sandbox/floor.ts';
import { DOOR_FLAGS, DOOR_HELP, doorsOf, type Doors } from './door-flags.ts';
import { LIMIT_FLAGS, limitsOf, type ChosenLimits } from './limit-flags.ts';
import { LOG_FLAGS, LOG_HELP, logOf, type ChosenLog } from './log-flags.ts';
import { stateDirOf } from './state-folder.ts';
import { UsageError } from './usage-error.ts';

export interface Options extends Doors {
  readonly stateDir: string;
  readonly tokenFile: string | null;
  /** The weakest sandbox that applies. */
  readonly sandbox: Floor;
  /** Absolute paths of the folders that this floor lets be written to; none: each request names its own. */
  readonly workspaces: readonly string[];
  /** The name of the user as whom everything runs that is started here; null: as the gateway. */
  readonly runAs: string | null;
  readonly approvals: ApprovalPolicy;
  readonly ruleFiles: readonly string[];
  readonly onWaiting: string | null;
  /** In place of the usual ones. */
  readonly limits: ChosenLimits;
  readonly log: ChosenLog;
  /** Whether to print for a person, too. */
  readonly banner: boolean;
}

export type StdioOptions = Pick<Options, 'stateDir' | 'sandbox' | 'workspaces' | 'runAs' | 'limits' | 'log'>;

export type Command =
  | { readonly kind: 'serve'; readonly options: Options }
  | { readonly kind: 'serveStdio'; readonly options: StdioOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

export const HELP = `exec-console: see and steer every process your coding agents run

usage: exec-console [flags]            starts the gateway
       exec-console COMMAND …        talks to the running one; the commands are listed below

${DOOR_HELP}  --ws-token-file PATH    a file with a token of 32 characters or more, for its owner only (600); made if missing.
                          Whoever has the token is an operator; it is sent as "Authorization: Bearer …"
  --ws-auth capability-token
                          accepted, as in the reference; it is the only kind there is
  --state-dir PATH        where tokens (as hashes) and the address of the running gateway are kept
                          (default $XDG_STATE_HOME/exec-console or ~/.local/state/exec-console)
  --sandbox none|workspace-write|read-only
                          the weakest sandbox of whatever is started here: who asks for less, or for none, gets
                          this one (default none: what an agent asks for is kept, and nothing else)
  --workspace PATH        with --sandbox workspace-write: a folder that may be written to; repeat for more (default: the
                          workspace that each request names, if it is no system, home or hidden folder)
  --run-as USER           run everything that is started here, and every file request, as this user of the system,
                          in no group but the user's own; the gateway itself must be started as root (Linux)
  --approvals never|on-request|on-failure|always
                          who is asked before a command of an agent runs (default never: nobody). on-request: a person,
                          about what rules ask about and what removes files by force; on-failure: the same, and after
                          a sandbox has denied something; always: about everything that no rule allows
  --rules PATH            a file or folder of rules beside those of the state folder, as ~/.codex/rules; only read.
                          Repeat for more
  --on-waiting CMD        run this when something begins to wait and no operator looks at the console; it gets the id,
                          the agent and the command, with secrets covered, as a line of JSON on stdin
  --approval-timeout TIME after this a request that nobody has answered fails, as 600 or 10m (default: it waits)
  --max-processes N       how many processes may run at once (default 1000)
  --max-processes-per-session N
                          how many of them may be of one session (default 500)
  --retained-bytes N      output kept of each live process, as 1048576 or 1M (default 1M; 256K to 64M)
  --live-bytes N          output kept of all live processes together, as 512M or 4G (default 1G): a start that would
                          not find its --retained-bytes among it is refused
  --shutdown-grace TIME   from SIGTERM to SIGKILL when the gateway stops, as 3 or 3s (default 3s; at most 10m)
${LOG_HELP}  --banner                for people: explain how to open the page, connect an agent and stop. It goes to
                          stderr; on a terminal it takes the place of the two lines on stdout
  --help                  print this, and nothing else
  --version               print the version

The first line on stdout is the address for agents, the second the link for people, which makes an operator; for a
page that may also make and revoke tokens: exec-console link --role admin. The log goes to stderr.
`;

const FLAGS = {
  ...DOOR_FLAGS,
  'ws-auth': { type: 'string' },
  'ws-token-file': { type: 'string' },
  'state-dir': { type: 'string' },
  approvals: { type: 'string' },
  rules: { type: 'string', multiple: true },
  'on-waiting': { type: 'string' },
  sandbox: { type: 'string' },
  workspace: { type: 'string', multiple: true },
  'run-as': { type: 'string' },
  ...LIMIT_FLAGS,
  ...LOG_FLAGS,
  banner: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** Throws UsageError. */
export function parseCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const values = parseFlags(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  if (/^stdio(:\/\/)?$/.test(values.listen ?? '')) return stdio(values, env);
  if (values['ws-auth'] !== undefined && values['ws-auth'] !== 'capability-token') {
    throw new UsageError(`--ws-auth ${values['ws-auth']}: only capability-token is supported`);
  }
  const tokenFile = values['ws-token-file'];
  return {
    kind: 'serve',
    options: {
      ...doorsOf(values),
      ...common(values, env),
      approvals: approvalsOf(values.approvals ?? 'never'),
      ruleFiles: (values.rules ?? []).map((path) => resolve(path)),
      onWaiting: values['on-waiting'] ?? null,
      tokenFile: tokenFile === undefined ? null : resolve(tokenFile),
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

function approvalsOf(policy: string): ApprovalPolicy {
  const known = APPROVAL_POLICIES.find((each) => each === policy);
  if (!known) throw new UsageError(`--approvals ${policy}: expected one of ${APPROVAL_POLICIES.join(', ')}`);
  return known;
}

function workspacesOf(paths: readonly string[], floor: Floor): string[] {
  if (paths.length > 0 && floor !== 'workspace-write') {
    throw new UsageError(
      '--workspace needs --sandbox workspace-write: nothing else asks which folders may be written to',
    );
  }
  return paths.map((path) => {
    const folder = resolve(path);
    if (folder === '/')
      throw new UsageError('--workspace /: that is the whole machine, name a folder of work');
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`--workspace ${path}: there is no such folder`);
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

/** There is no address, no page and no token, so nothing is left to be said about them. */
function stdio(values: Flags, env: NodeJS.ProcessEnv): Command {
  // Nobody is left to tell of what a grace would be for: its only client has gone.
  const isOurs = (flag: string): boolean =>
    STDIO_FLAGS.includes(flag) && flag !== 'shutdown-grace' && flag !== 'approval-timeout';
  const other = Object.keys(values).find((flag) => !isOurs(flag));
  if (other !== undefined) throw new UsageError(`--listen ${values.listen} does not go with --${other}`);
  return { kind: 'serveStdio', options: common(values, env) };
}

function parseFlags(argv: readonly string[]) {
  const { values, tokens } = parse(argv);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`${token.rawName}: expected a value`);
    if (given.has(token.name) && !('multiple' in FLAGS[token.name]))
      throw new UsageError(`${token.rawName} was given twice`);
    given.add(token.name);
  }
  return values;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS, strict: true, tokens: true });
  } catch (cause) {
    // Node adds advice about positional arguments, of which there are none.
    const [sentence = ''] = (cause as Error).message.split(/\. |\n/);
    throw new UsageError(sentence, { cause });
  }
}
