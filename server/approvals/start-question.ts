// The approval request of a start: its key, its verdict, and the command as shown.
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Requests } from '../../protocol/methods.ts';
import { pathFromUri } from '../host/file-uri.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { UNKNOWN_MARK, type StartFacts } from '../host/sandbox/start-facts.ts';
import { placesOf } from '../host/spawn.ts';
import type { User } from '../host/user.ts';
import { changedVariables, mentionedIn, readBy, startsNothing } from '../policy/rules/variables.ts';
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
import { MOST_SHOWN_PARTS, type Asked, type Looked, type Under } from './asked.ts';
import { isOpen } from './open-sandbox.ts';
import { pack } from './packed.ts';
import { MOST_SHOWN_VARIABLES, shownVariables } from './shown-question.ts';
import type { Question, Why } from './waiting.ts';

/**
 * Params of a start in either dialect. In the first dialect, `cwd` is a path, and there is no environment policy,
 * sandbox or metadata.
 */
export type StartParams = Requests['process/start']['params'];

export interface StartCircumstances {
  readonly user: User | null;
  readonly limits: CommandLimits;
  /** True when all processes run in the operator's sandbox. */
  readonly hasFloor: boolean;
  /** Returns the facts about the files of a start that are shown for approval. */
  readonly facts: Sandboxes['facts'];
  /** Returns the reason why this host has no sandbox; null when sandboxes are available. */
  readonly noSandbox: () => Sandboxes['failure'];
}

/** Environment variable with the id of the tool call, which differs for each call. */
const CALL_ID = 'CODEX_TOOL_CALL_ID';

type Variables = Readonly<Record<string, string>>;

/**
 * Returns true when no environment variable makes a shell run other code before or instead of its script. A different
 * PATH is ignored, because programs are recognized by their names.
 */
export const runsAsWritten = (env: Variables, user: User | null): boolean =>
  changedVariables(env, usualEnvironment(user)).every((name) => name === 'PATH');

export class AskedStart implements Asked {
  readonly isStart = true;
  readonly settled = null;
  readonly isStill = null;
  readonly onPointless = null;
  readonly lacksSandbox: boolean;
  readonly #command: Command;
  readonly thread: string | null;
  /** Names of the first environment variables that may change which code runs, and the number of the others. */
  readonly #changedNames: readonly string[];
  readonly #moreChanged: number;
  readonly #params: StartParams;
  /** Environment variables that are needed to look up the start's files. */
  readonly #pathEnv: Variables;
  readonly #cwd: string;
  readonly #sandboxed: boolean;
  readonly #user: User | null;
  readonly #facts: StartCircumstances['facts'];
  #judged: { readonly by: RuleSet; readonly judged: Judged } | null = null;
  #words: string | null = null;
  /** Digest of the places to which the start's paths led when last looked up; null while they are unknown. */
  #places: string | null = null;
  /** True when the agent has withdrawn the start, even while its files are inspected. */
  isWithdrawn = false;

  /** Throws, like the start itself, for an environment policy that is too large. */
  constructor(params: StartParams, { user, limits, hasFloor, facts, noSandbox }: StartCircumstances) {
    const { argv, arg0, metadata, cwd, envPolicy, sandbox } = params;
    if (envPolicy) checkPolicySize(envPolicy, limits);
    this.#params = params;
    this.#command = { argv, arg0: arg0 ?? null };
    this.thread = threadOf(metadata);
    this.#user = user;
    const environment = this.#environment;
    const changed = changedVariables(environment, usualEnvironment(user));
    this.#changedNames = changed
      .slice(0, MOST_SHOWN_VARIABLES)
      .map((name) => (name in environment ? name : `a missing ${name}`));
    this.#moreChanged = changed.length - this.#changedNames.length;
    const { PATH, TMPDIR } = environment;
    this.#pathEnv = { ...(PATH !== undefined && { PATH }), ...(TMPDIR !== undefined && { TMPDIR }) };
    this.#cwd = shownPath(cwd);
    // No command runs unsandboxed under an operator's floor.
    this.lacksSandbox = sandbox != null && !hasFloor && noSandbox() !== null;
    const where = { cwd: this.#cwd, tmpdir: TMPDIR, user };
    this.#sandboxed = hasFloor || (sandbox != null && !isOpen(sandbox, where) && !this.lacksSandbox);
    this.#facts = facts;
  }

  /** All environment variables of the process. They are not retained, since thousands of starts may wait. */
  get #environment(): Variables {
    const { env, envPolicy, tty } = this.#params;
    return environmentFor({ env, envPolicy: envPolicy ?? null, tty }, this.#user);
  }

  /** Packs the params (see `pack`), and returns their length in characters. */
  pack(): number {
    return pack(this.#params);
  }

  /**
   * Key that is equal for starts that one approval for the session covers: those with equal `words` whose folder,
   * program and sandbox lead to the same places. Null while these places are unknown.
   */
  get key(): string | null {
    return this.#places === null ? null : `${this.words} ${this.#places}`;
  }

  /**
   * Key that is equal for the same program and words, with the same terminal, stdin, sandbox and environment. A script
   * with one command counts by the words of that command, whatever the flags of its shell. All environment variables
   * count, since a script may execute the value of any of them, but CODEX_TOOL_CALL_ID only when the command
   * mentions it.
   */
  get words(): string {
    this.#words ??= this.#allWords();
    return this.#words;
  }

  #allWords(): string {
    const { argv, arg0, tty, pipeStdin, sandbox } = this.#params;
    const variables = Object.entries(this.#environment)
      .filter(([name]) => name !== CALL_ID || argv.some((word) => word.includes(CALL_ID)))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const all = [
      argv[0],
      canonical(this.#command),
      arg0 ?? null,
      tty,
      pipeStdin ?? false,
      sandbox ?? null,
      variables,
    ];
    return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
  }

  /** True when no environment variable may change which code runs. */
  get changesNothing(): boolean {
    return this.#changedNames.length === 0;
  }

  /**
   * Key that is equal for the same program with the same arguments. A script with one command counts by the words of
   * that command, whichever system shell runs it, since all shells read it alike.
   */
  get sameRun(): string {
    const { argv, arg0 } = this.#params;
    const words = canonical(this.#command);
    const program = shellOr(argv[0] ?? '', usualEnvironment(this.#user)['PATH'], words.isScript);
    return JSON.stringify([program, words, arg0 ?? null]);
  }

  /**
   * Returns true when the environment variables that may change what runs, or that the command may read, are as in
   * `shown`. Variables that disable the pager and the editor are also allowed, since agents set them themselves.
   */
  runsAs(shown: Variables): boolean {
    const environment = this.#environment;
    const changed = this.#changedIn(environment);
    return [...new Set([...Object.keys(changed), ...Object.keys(shown)])].every((name) => {
      // A missing PATH counts as changed, and is in `changed` with an empty value.
      const value = changed[name] ?? environment[name];
      return value === shown[name] || (value !== undefined && startsNothing(name, value));
    });
  }

  /** Environment variables that may change which code runs, and those that the command may read. */
  get changed(): Variables {
    return this.#changedIn(this.#environment);
  }

  #changedIn(environment: Variables): Variables {
    const read = readBy(this.#params.argv, Object.keys(environment)).filter((name) => name !== CALL_ID);
    const names = [...changedVariables(environment, usualEnvironment(this.#user)), ...read];
    return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
  }

  get processId(): string {
    return this.#params.processId;
  }

  /** Tool call that the agent names for this start, which is not verified; null when it names none. */
  get callId(): string | null {
    return shownMetadata(this.#params.metadata)['toolCallId'] ?? null;
  }

  /** True for a program with a pipe on stdin and no terminal, such as an MCP server, which reads its requests there. */
  get asksOnce(): boolean {
    return !this.#params.tty && this.#params.pipeStdin === true;
  }

  look(rules: RuleSet, under: Under): Looked {
    const known = this.#judged?.by === rules ? this.#judged.judged : null;
    const judged = known ?? judge(rules, this.#command);
    // A judgement with many parts is not cached, since thousands of starts may wait.
    this.#judged = judged.parts.length > MOST_SHOWN_PARTS ? null : { by: rules, judged };
    const escalation = escalationOf(this.#params);
    const variables = { variables: this.#changedNames, moreVariables: this.#moreChanged };
    const verdict = verdictOf(rules, judged, { ...under, ...variables, escalation });
    const isAboutSandbox = this.lacksSandbox && under.policy !== 'never';
    return { judged, verdict: isAboutSandbox ? unsandboxed(verdict) : verdict };
  }

  question(peer: Peer, why: Why): Question {
    const { argv, arg0, tty, pipeStdin, processId, metadata } = this.#params;
    return {
      ...requesterOf(peer),
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
      ...shownVariables(this.allVariables()),
    };
  }

  /**
   * Returns the environment variables that may change which code runs, and those that the command mentions and that
   * differ from the usual environment; without variables that are missing.
   */
  readonly allVariables = (): Question['variables'] => {
    const own = usualEnvironment(this.#user);
    const environment = this.#environment;
    const mentioned = [...mentionedIn(this.#params.argv)].filter((name) => environment[name] !== own[name]);
    return [...new Set([...changedVariables(environment, own), ...mentioned])]
      .filter((name) => name in environment)
      .toSorted()
      .map((name) => ({ name, value: environment[name] ?? '' }));
  };

  /**
   * Resolves with current facts about the files; for a script with one simple command, also about the program that
   * this command names by a path. `key` then depends on the places found.
   * `isFresh`: true to read the programs again instead of using cached hashes.
   */
  async facts({ parts, complex }: Why, isFresh: boolean): Promise<StartFacts> {
    const { argv, sandbox } = this.#params;
    const where = { cwd: this.#cwd, env: this.#pathEnv };
    const [part] = parts;
    const inScript = parts.length === 1 && complex === null ? part?.words[0] : undefined;
    // The shell's lookup of a bare name cannot be predicted.
    const names = [...(inScript?.includes('/') ? [inScript] : []), argv[0] ?? ''];
    const programs = [...new Set(names)].map((name) => placesFor(name, where));
    const facts = await this.#facts(
      this.lacksSandbox ? null : (sandbox ?? null),
      { cwd: this.#cwd, tmpdir: this.#pathEnv['TMPDIR'] },
      { programs, isFresh },
    );
    this.#places = facts.places === UNKNOWN_MARK ? null : facts.places;
    return facts;
  }
}

const NO_SANDBOX = 'this machine cannot enforce the requested sandbox, so it would run without one';

/** Turns all verdicts but refusals into requests for approval: no rule permits a run without the sandbox. */
function unsandboxed(verdict: Verdict): Verdict {
  if (verdict.kind === 'refuse') return verdict;
  const asks = verdict.kind === 'ask' ? verdict : null;
  const reason = asks ? `${asks.reason}; ${NO_SANDBOX}` : NO_SANDBOX;
  return { kind: 'ask', reason, rule: asks?.rule ?? null, proposal: [] };
}

/** Returns the places of a start; none if the start itself will be refused. */
function placesFor(...where: Parameters<typeof placesOf>): string[] {
  try {
    return placesOf(...where);
  } catch {
    return [];
  }
}

/**
 * Returns the program as given, or the name of a system shell without its folder; null for a system shell whose
 * script all shells read alike.
 */
function shellOr(program: string, path: string | undefined, isReadAlike: boolean): string | null {
  const isOfSystem = !program.includes('/') || trustedFolders(path).has(dirname(program));
  if (!isOfSystem || !isShell(program)) return program;
  return isReadAlike ? null : basename(program);
}

export const requesterOf = (peer: Peer): Pick<Question, 'startedBy' | 'clientName' | 'session'> => ({
  startedBy: peer.identity.name,
  clientName: peer.session.clientName,
  session: peer.session.label,
});

/**
 * Returns the reason why a start that requests to run without a sandbox needs approval; null for any other start.
 */
function escalationOf({ metadata, retryOf }: StartParams): string | null {
  if (retryOf !== undefined) return 'its sandbox blocked it, and it would run again without one';
  const { sandboxPermissions } = shownMetadata(metadata);
  return sandboxPermissions === 'require_escalated' ? 'its agent asks to run it without a sandbox' : null;
}

function threadOf(metadata: unknown): string | null {
  return shownMetadata(metadata)['threadId'] ?? null;
}

/** Returns the path in a file URI; any other text is returned unchanged. */
export function shownPath(cwd: string): string {
  if (cwd.startsWith('/')) return cwd;
  try {
    return pathFromUri(cwd);
  } catch {
    return cwd;
  }
}
