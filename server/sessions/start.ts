// Checks the params of process/start and converts them to a spec, or throws before anything is spawned.
import type { Requests } from '../../protocol/methods.ts';
import type { Size } from '../../protocol/scalars.ts';
import { headOf } from '../../text/cut.ts';
import type { ChildSpec } from '../host/child.ts';
import { loginShell } from '../host/account.ts';
import { childEnvironment, policySteps, type EnvironmentRequest } from '../host/environment.ts';
import { pathFromUri } from '../host/file-uri.ts';
import { hangingMounts } from '../host/hanging.ts';
import { lookedUp } from '../host/spawn.ts';
import { environmentOf, type User } from '../host/user.ts';
import type { SandboxIntent } from '../../protocol/sandbox.ts';
import { invalidParams, invalidRequest } from '../rpc/rpc-error.ts';
import { numberText } from '../../text/amounts.ts';
import { ownText } from '../../text/own-copy.ts';
import { SandboxRefusal } from '../host/sandbox/refusal.ts';
import { Budget } from '../limits/budget.ts';
import { Turns } from '../limits/turns.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { answers, whenAnswered } from './answers.ts';
import type { Peer } from './peer.ts';
import { placesOfStart } from './start-places.ts';

type StartParams = Requests['process/start']['params'];

const LOGIN_SHELL = loginShell();

/** Size of the reference server's terminal, used unless a size is requested. */
export const DEFAULT_SIZE: Size = { rows: 24, cols: 80 };

/** Maximum number of metadata entries that are shown to people. */
const METADATA_ENTRIES = 32;
const METADATA_NAME_CHARS = 64;
const METADATA_CHARS = 1024;

export interface CommandLimits {
  readonly commandBytes: number;
  readonly argumentBytes: number;
  /** Maximum number of character comparisons for the patterns of an environment policy. */
  readonly policySteps: number;
}

export interface StartRules {
  readonly sandboxes: Sandboxes;
  readonly limits: CommandLimits;
  /** User for all children; null means the gateway's own. */
  readonly user: User | null;
}

/** Spec of a child whose sandbox is built later, because that takes a while for another user. */
export interface AskedSpec extends Omit<ChildSpec, 'sandbox'> {
  readonly sandbox: () => SandboxOrLater;
  /** The sandbox that the client requested; null for none. */
  readonly intent: SandboxIntent | null;
}

/**
 * Maximum number of simultaneous look-ups as another user: in total, for one token, and in reserve for operators and
 * admins.
 */
const LOOKED_UP = { all: 9, perToken: 4, reserve: 1 };
const lookUps = new Turns(new Budget('start look-ups in progress', LOOKED_UP));

type SandboxOrLater = ReturnType<Sandboxes['sandbox']>;

/** Returns the spec of a child; throws when the request cannot be carried out exactly. */
export function childSpec(params: StartParams, { sandboxes, limits, user }: StartRules): AskedSpec {
  if (params.enforceManagedNetwork) {
    throw invalidRequest(
      'params.enforceManagedNetwork: this gateway has no managed network, so nothing was started',
    );
  }
  const cwd = workingDirectory(params.cwd);
  checkCommandSize('process/start', params, limits);
  if (params.envPolicy) checkPolicySize(params.envPolicy, limits);
  const env = environmentFor({ env: params.env, envPolicy: params.envPolicy ?? null, tty: params.tty }, user);
  return {
    argv: params.argv,
    arg0: params.arg0 ?? null,
    cwd,
    env,
    sandbox: () => sandboxFor(sandboxes, params.sandbox ?? null, { cwd, tmpdir: env['TMPDIR'] }),
    intent: params.sandbox ?? null,
    tty: params.tty ? (params.size ?? DEFAULT_SIZE) : null,
    pipeStdin: params.pipeStdin ?? false,
    joinStderr: params.joinStderr ?? false,
    user,
  };
}

/**
 * Calls `start` with the complete spec: immediately or, as another user or with paths that may hang, after a look-up.
 * Rejects if the peer has disconnected by then, and when one of these paths does not answer.
 */
export function whenLookedUp<T>(
  { sandbox, intent, ...asked }: AskedSpec,
  { connection, identity }: Peer,
  start: (spec: ChildSpec) => T | Promise<T>,
): T | Promise<T> {
  const { user } = asked;
  const mounts = hangingMounts();
  const places = mounts.length === 0 ? [] : placesOfStart({ ...asked, intent }, mounts);
  const answered = answers(places, identity, mounts);
  const unlessGone = (): void => {
    if (connection.isEnding) throw invalidRequest('the connection was closed, so nothing was started');
  };
  if (!user) {
    const begin = (): T | Promise<T> => {
      const made = whenAnswered(ofOwnUser(sandbox), identity, mounts);
      if (!(made instanceof Promise)) return start({ ...asked, sandbox: made });
      return made.then((later) => {
        unlessGone();
        return start({ ...asked, sandbox: later });
      });
    };
    if (!answered) return begin();
    return answered.then(() => {
      unlessGone();
      return begin();
    });
  }
  const asUser = async (): Promise<T> => {
    unlessGone();
    const made = await sandbox();
    try {
      const ready = await lookedUp({ ...asked, sandbox: made }, user);
      unlessGone();
      // The sandbox is dropped only afterwards, because another program, such as a keeper, enters it.
      return await start(ready);
    } finally {
      made?.drop();
    }
  };
  return answered ? answered.then(() => lookUps.inTurn(identity, asUser)) : lookUps.inTurn(identity, asUser);
}

/** Returns a function that creates the sandbox synchronously, which works only for the gateway's own user. */
const ofOwnUser = (sandbox: AskedSpec['sandbox']) => () => {
  const made = sandbox();
  if (made instanceof Promise) throw new Error('misuse: the sandbox of another user');
  return made;
};

/**
 * Returns the environment of a child: the variables of the request, and those that its policy selects and sets; without
 * a policy, only `SHELL` is added, on a terminal.
 */
export const environmentFor = (
  asked: Pick<EnvironmentRequest, 'env' | 'envPolicy' | 'tty'>,
  user: User | null,
): Record<string, string> =>
  childEnvironment({
    ...asked,
    own: environmentOf(user, process.env),
    loginShell: user?.shell ?? LOGIN_SHELL,
  });

/** Returns the environment that processes of this user inherit, which always has `SHELL`. */
export const usualEnvironment = (user: User | null): NodeJS.ProcessEnv => ({
  SHELL: user?.shell ?? LOGIN_SHELL,
  ...environmentOf(user, process.env),
});

/**
 * Returns the first `METADATA_ENTRIES` string members of the metadata that a client supplied for its process, with
 * names and values truncated; none if the metadata is not an object.
 */
export function shownMetadata(metadata: unknown): Readonly<Record<string, string>> {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const strings = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    strings
      .slice(0, METADATA_ENTRIES)
      .map(([name, value]) => [ownText(name, METADATA_NAME_CHARS), ownText(value, METADATA_CHARS)]),
  );
}

/** Returns the sandbox that the request or the operator requires; null for none. */
export function sandboxFor(
  sandboxes: Sandboxes,
  intent: SandboxIntent | null,
  where: Parameters<Sandboxes['sandbox']>[1],
): SandboxOrLater {
  const refused = (error: unknown): never => {
    if (error instanceof SandboxRefusal) throw invalidRequest(error.message);
    throw error;
  };
  try {
    const sandbox = sandboxes.sandbox(intent, where);
    return sandbox instanceof Promise ? sandbox.catch(refused) : sandbox;
  } catch (error) {
    return refused(error);
  }
}

/** Throws for a command that is too large; the error names the part, which the kernel's E2BIG does not. */
export function checkCommandSize(
  method: string,
  { argv, env }: Pick<StartParams, 'argv' | 'env'>,
  { commandBytes, argumentBytes }: CommandLimits,
): void {
  const refuse = (what: string, bytes: number, limit: number): never => {
    throw invalidParams(
      `${method}: ${what} has ${numberText(bytes)} bytes, but the limit is ${numberText(limit)}`,
    );
  };
  let all = 0;
  const add = (what: string, text: string): void => {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > argumentBytes) refuse(what, bytes, argumentBytes);
    all += bytes;
  };
  for (const [at, argument] of argv.entries()) add(`params.argv[${at}]`, argument);
  for (const [name, value] of Object.entries(env)) add(`params.env.${headOf(name, 64)}`, `${name}=${value}`);
  if (all > commandBytes) refuse('params.argv with params.env', all, commandBytes);
}

/**
 * Limits an environment policy: its variables like those of a command, and its patterns because matching them blocks
 * the event loop.
 */
export function checkPolicySize(policy: NonNullable<StartParams['envPolicy']>, limits: CommandLimits): void {
  checkCommandSize('process/start', { argv: [], env: policy.set }, limits);
  const steps = policySteps(policy, process.env);
  if (steps > limits.policySteps)
    throw invalidParams(
      `process/start: params.envPolicy: matching its patterns against all names can take ${numberText(steps)} steps, ` +
        `but the limit is ${numberText(limits.policySteps)}`,
    );
}

function workingDirectory(cwd: string): string {
  try {
    return pathFromUri(cwd);
  } catch (error) {
    throw invalidParams(`process/start: params.cwd: ${(error as Error).message}`);
  }
}
