// The question that a start raises: its key, its verdict, and the command as a person sees it.
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Requests } from '../../protocol/methods.ts';
import { pathFromUri } from '../host/file-uri.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import type { StartFacts } from '../host/sandbox/start-facts.ts';
import { placesOf } from '../host/spawn.ts';
import type { User } from '../host/user.ts';
import { changedVariables, startsNothing } from '../policy/rules/variables.ts';
import { canonical, judge, type Command, type Judged } from '../policy/rules/judge.ts';
import { trustedFolders, type RuleSet } from '../policy/rules/rule.ts';
import { verdictOf, type Verdict } from '../policy/rules/verdict.ts';
import { isShell } from '../policy/rules/wrapped.ts';
import type { Peer } from '../sessions/peer.ts';
import {
  checkPolicySize,
  environmentFor,
  shownMetadata,
  usualEnvironment,
  type CommandLimits,
} from '../sessions/start.ts';
import type { Asked, Looked, Under } from './asked.ts';
import type { Question, Why } from './waiting.ts';

/** Params of a start in either dialect: the first one's folder is a path, and it has no policy, sandbox or metadata. */
export type StartParams = Requests['process/start']['params'];

export interface StartCircumstances {
  readonly user: User | null;
  readonly limits: CommandLimits;
  /** True when everything that is started here is in a sandbox. */
  readonly hasFloor: boolean;
  /** Finds out what people are shown of the files of a start. */
  readonly facts: Sandboxes['facts'];
  /** The reason why this host can keep no sandbox; null when it can. */
  readonly noSandbox: () => Sandboxes['failure'];
}

/** Set to another value for each call of an agent's tool; Codex names it so. */
const CALL_ID = 'CODEX_TOOL_CALL_ID';

type Variables = Readonly<Record<string, string>>;

export class AskedStart implements Asked {
  readonly isStart = true;
  readonly settled = null;
  readonly isStill = null;
  readonly onPointless = null;
  readonly lacksSandbox: boolean;
  readonly #command: Command;
  readonly thread: string | null;
  readonly #variables: readonly string[];
  readonly #params: StartParams;
  readonly #env: Readonly<Record<string, string>>;
  readonly #cwd: string;
  readonly #sandboxed: boolean;
  readonly #user: User | null;
  readonly #facts: StartCircumstances['facts'];
  #judged: { readonly by: RuleSet; readonly judged: Judged } | null = null;
  #key: string | null = null;

  /** Throws as the start itself does for an environment policy that is too large. */
  constructor(params: StartParams, { user, limits, hasFloor, facts, noSandbox }: StartCircumstances) {
    const { argv, arg0, metadata, cwd, env, envPolicy, tty, sandbox } = params;
    if (envPolicy) checkPolicySize(envPolicy, limits);
    this.#params = params;
    this.#command = { argv, arg0: arg0 ?? null };
    this.thread = threadOf(metadata);
    this.#env = environmentFor({ env, envPolicy: envPolicy ?? null, tty }, user);
    this.#variables = changedVariables(this.#env, usualEnvironment(user));
    this.#cwd = shownPath(cwd);
    // Nothing starts below the operator's floor.
    this.lacksSandbox = sandbox != null && !hasFloor && noSandbox() !== null;
    this.#sandboxed = hasFloor || (sandbox != null && !isOpen(sandbox) && !this.lacksSandbox);
    this.#user = user;
    this.#facts = facts;
  }

  /**
   * Key that is equal for starts which one approval for the session covers: the same words, however the shell was
   * called, in the same folder, with the same sandbox and variables. Any variable may change the command that runs: a
   * script may execute it.
   */
  get key(): string {
    this.#key ??= this.#keyOfAll();
    return this.#key;
  }

  #keyOfAll(): string {
    const { argv, arg0, tty, pipeStdin, sandbox } = this.#params;
    const variables = Object.entries(this.#env)
      .filter(([name]) => name !== CALL_ID || argv.some((word) => word.includes(CALL_ID)))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const all = [
      argv[0],
      canonical(this.#command),
      arg0 ?? null,
      this.#cwd,
      tty,
      pipeStdin ?? false,
      sandbox ?? null,
      variables,
    ];
    return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
  }

  /** Variables that may change what runs. */
  get variables(): readonly string[] {
    return this.#variables;
  }

  /** Equal for the same program with the same words in the same folder. */
  get sameRun(): string {
    const { argv, arg0 } = this.#params;
    const words = canonical(this.#command);
    const program = shellOr(argv[0] ?? '', usualEnvironment(this.#user)['PATH'], words.isScript);
    return JSON.stringify([program, words, arg0 ?? null, this.#cwd]);
  }

  /**
   * True when the variables that may change what runs are as in `shown`. An agent may set no pager and no editor for
   * its commands only.
   */
  runsAs(shown: Variables): boolean {
    return [...new Set([...this.#variables, ...Object.keys(shown)])].every((name) => {
      const value = this.#env[name];
      return value === shown[name] || (value !== undefined && startsNothing(name, value));
    });
  }

  /** Values of the variables that may change what runs. */
  get changed(): Variables {
    return Object.fromEntries(this.#variables.map((name) => [name, this.#env[name] ?? '']));
  }

  /** The agent's name for the call that starts it; not checked. */
  get callId(): string | null {
    return shownMetadata(this.#params.metadata)['toolCallId'] ?? null;
  }

  /** True for a program that reads its requests from stdin, such as a server of the Model Context Protocol: it runs for long. */
  get asksOnce(): boolean {
    return !this.#params.tty && this.#params.pipeStdin === true;
  }

  look(rules: RuleSet, under: Under): Looked {
    const known = this.#judged?.by === rules ? this.#judged.judged : null;
    const judged = known ?? judge(rules, this.#command);
    this.#judged = { by: rules, judged };
    const escalation = escalationOf(this.#params);
    const verdict = verdictOf(rules, judged, { ...under, variables: this.#variables, escalation });
    const isAboutSandbox = this.lacksSandbox && under.policy !== 'never';
    return { judged, verdict: isAboutSandbox ? unsandboxed(verdict) : verdict };
  }

  question(peer: Peer, why: Why): Question {
    const { argv, arg0, tty, pipeStdin, processId, metadata } = this.#params;
    return {
      ...whose(peer),
      ...why,
      kind: 'start',
      method: 'process/start',
      argv,
      arg0: arg0 ?? null,
      cwd: this.#cwd,
      tty,
      pipeStdin: pipeStdin ?? false,
      sandboxed: this.#sandboxed,
      processId,
      metadata: shownMetadata(metadata),
      key: null,
      input: null,
      details: null,
      variables: this.#shownVariables.map((name) => ({ name, value: this.#env[name] ?? '' })),
    };
  }

  /**
   * Variables that may change what runs, and those that the command names and that differ from the gateway's
   * environment.
   */
  get #shownVariables(): readonly string[] {
    const own = usualEnvironment(this.#user);
    const changed = new Set(Object.keys(this.#env).filter((name) => this.#env[name] !== own[name]));
    const named = new Set<string>();
    let left = MENTIONED_CHARS;
    for (const word of this.#params.argv) {
      if (left <= 0) break;
      for (const [name] of word.slice(0, left).matchAll(WORDS)) if (changed.has(name)) named.add(name);
      left -= word.length;
    }
    return [...new Set([...this.#variables, ...named])].toSorted();
  }

  /**
   * Facts about the files as they are now; of a script that is one plain command, also about that command's program.
   * `isFresh`: true to read the programs, whatever an earlier look has found.
   */
  facts({ parts, complex }: Why, isFresh: boolean): Promise<StartFacts> {
    const { argv, sandbox } = this.#params;
    const where = { cwd: this.#cwd, env: this.#env };
    const [part] = parts;
    const inScript = parts.length === 1 && complex === null ? part?.words[0] : undefined;
    // The shell looks up a bare name in a way that only it knows.
    const names = [...(inScript?.includes('/') ? [inScript] : []), argv[0] ?? ''];
    const programs = [...new Set(names)].map((name) => placesFor(name, where));
    return this.#facts(
      this.lacksSandbox ? null : (sandbox ?? null),
      { cwd: this.#cwd, tmpdir: this.#env['TMPDIR'] },
      { programs, isFresh },
    );
  }
}

const NO_SANDBOX = 'this machine cannot keep the sandbox that it asks for, so that it would run without one';

/** No rule allows a command to run without the sandbox that it asks for. */
function unsandboxed(verdict: Verdict): Verdict {
  if (verdict.kind === 'refuse') return verdict;
  const asks = verdict.kind === 'ask' ? verdict : null;
  const reason = asks ? `${asks.reason}; ${NO_SANDBOX}` : NO_SANDBOX;
  return { kind: 'ask', reason, rule: asks?.rule ?? null, proposal: [] };
}

/** None where the start itself will be refused. */
function placesFor(...where: Parameters<typeof placesOf>): string[] {
  try {
    return placesOf(...where);
  } catch {
    return [];
  }
}

/**
 * Returns the program as it was named. A shell of the system is the same by its path as by its name, and the same as any
 * other one (null) for a script that all of them read alike.
 */
function shellOr(program: string, path: string | undefined, isReadAlike: boolean): string | null {
  const isOfSystem = !program.includes('/') || trustedFolders(path).has(dirname(program));
  if (!isOfSystem || !isShell(program)) return program;
  return isReadAlike ? null : basename(program);
}

/** Characters of a command that are searched for names of variables, as many as rules look at. */
const MENTIONED_CHARS = 128 * 1024;

/** Words that may be names of variables. */
const WORDS = /[A-Za-z_]\w*/g;

export const whose = (peer: Peer): Pick<Question, 'startedBy' | 'clientName' | 'session'> => ({
  startedBy: peer.identity.name,
  clientName: peer.session.clientName,
  session: peer.session.label,
});

/** True for a sandbox in which all of the machine's files may be written to: for people it is none. */
const isOpen = ({ permissions }: NonNullable<StartParams['sandbox']>): boolean =>
  permissions.file_system.entries.some(
    ({ path, access }) =>
      access === 'write' &&
      (path.type === 'path' ? shownPath(path.path) === '/' : path.value.kind === 'root'),
  );

/** The reason why a start that its agent wants without a sandbox waits. What an agent says can only make it wait. */
function escalationOf({ metadata, retryOf }: StartParams): string | null {
  if (retryOf !== undefined) return 'its sandbox blocked it, and it would run again without one';
  const { sandboxPermissions } = shownMetadata(metadata);
  return sandboxPermissions === 'require_escalated' ? 'its agent wants to run it without a sandbox' : null;
}

function threadOf(metadata: unknown): string | null {
  return shownMetadata(metadata)['threadId'] ?? null;
}

/** Returns the path as shown; a value that is no path here is refused when it takes effect. */
export function shownPath(cwd: string): string {
  if (cwd.startsWith('/')) return cwd;
  try {
    return pathFromUri(cwd);
  } catch {
    return cwd;
  }
}
