// The gateway's sandboxes: what was asked for and the operator's floor → the way into a sandbox, or a refusal.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxIntent } from '../protocol/sandbox.ts';
import { placeholders, sandboxedArgv } from './bubblewrap.ts';
import { carried } from './carried.ts';
import { sandboxDenied } from './denied.ts';
import { floorIntent, narrowed, type Floor } from './floor.ts';
import { inWords } from './in-words.ts';
import { policyOf, SandboxRefusal, type Surroundings } from './intent.ts';
import { seatbeltArgv } from './macos.ts';
import { Placeholders } from './placeholders.ts';
import { isWithin, type Command, type Identity, type Policy } from './policy.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { findSupport, type Support } from './support.ts';

export interface SandboxesOptions {
  /** The gateway's own state, out of reach in every sandbox; what sandboxes need is kept in it. */
  readonly stateDir: string;
  /** Files of the gateway's own that lie elsewhere, out of reach like its state: its token, its key. */
  readonly secretFiles?: readonly string[];
  readonly floor: Floor;
  /** Folders that the floor lets be written to; none: each request names its own. */
  readonly workspaces?: readonly string[];
  /** Who is inside; null: the gateway's own user. */
  readonly user: Identity | null;
}

export interface Inside {
  /** The command that runs the other one inside. */
  readonly argv: readonly string[];
  /** Its variables, until it is inside. */
  readonly env: Readonly<Record<string, string>>;
  /** Gives up what that needed; to be called once when it has ended. */
  readonly leave: () => void;
}

export interface Sandbox {
  /** The reference's name for the means. */
  readonly type: 'linuxSeccomp' | 'macosSeatbelt';
  /** The policy, for people. */
  readonly policy: string;
  /** Throws what a person can act on when it cannot be made. */
  enter(command: Command): Inside;
  /** Whether a command that ended so, and printed this, probably failed because of the sandbox. */
  readonly wasDenied: (exitCode: number, output: string) => boolean;
}

type Means =
  | Exclude<Support, { means: 'bubblewrap' }>
  | { readonly means: 'bubblewrap'; readonly bwrap: string; readonly held: Placeholders };

const NETWORKS = ['restricted', 'enabled'] as const;

export class Sandboxes {
  /** What is the gateway's own: the state folder first. */
  readonly own: readonly [stateDir: string, ...files: string[]];
  readonly floor: Floor;
  readonly #folder: string;
  readonly #workspaces: readonly string[];
  readonly #user: Identity | null;
  /** Where another user can read the filters; null: in the folder. */
  #shared: string | null = null;
  #means: Means = { means: null, reason: 'nobody has looked yet' };

  /** Nothing can be enclosed before `prepare()`. */
  constructor({ stateDir, secretFiles = [], floor, workspaces = [], user }: SandboxesOptions) {
    this.#workspaces = workspaces;
    this.#user = user;
    this.own = [stateDir, ...secretFiles];
    this.floor = floor;
    this.#folder = join(stateDir, 'sandbox');
  }

  /** Finds out what this host can keep. Never rejects. */
  async prepare(): Promise<void> {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (this.#user) this.#shared = sharedFolder();
      if (isFiltered(process.arch)) {
        for (const network of NETWORKS) {
          const mode = this.#user ? 0o644 : 0o600;
          writeFileSync(this.#filter(network), seccompFilter(process.arch, network), { mode });
        }
      }
      const held = new Placeholders(this.#folder, this.#user);
      const support = await findSupport(this.#filter('restricted'), { user: this.#user });
      this.#means = support.means === 'bubblewrap' ? { ...support, held } : support;
    } catch (error) {
      this.#means = {
        means: null,
        reason: `${this.#folder} cannot be written to (${(error as Error).message})`,
      };
    }
  }

  /** Why sandboxes are refused here, and what to do about it; null when they are kept. */
  get failure(): string | null {
    return this.#means.means === null ? this.#means.reason : null;
  }

  /**
   * What was asked for, made narrower by the floor; null when nothing was and there is no floor. Throws
   * SandboxRefusal for what cannot be kept.
   */
  sandbox(intent: SandboxIntent | null, surroundings: Pick<Surroundings, 'cwd' | 'tmpdir'>): Sandbox | null {
    if (!intent && this.floor === 'none') return null;
    const support = this.#means;
    if (support.means === null) {
      throw new SandboxRefusal(`sandbox: this host cannot keep one, so nothing was done: ${support.reason}`);
    }
    const policy = this.#policy(intent, surroundings);
    return {
      type: support.means === 'bubblewrap' ? 'linuxSeccomp' : 'macosSeatbelt',
      policy: inWords(policy, this.own.map(realOrSame)),
      enter: (command) => {
        const cannotBeEntered = policy.denied.find(({ path }) => isWithin(command.cwd, path));
        if (cannotBeEntered) {
          throw new SandboxRefusal(
            `sandbox: the working directory is within ${cannotBeEntered.path}, which is denied`,
          );
        }
        const env = carried(command.env);
        if (support.means === 'seatbelt')
          return { argv: seatbeltArgv(policy, command), env, leave: () => {} };
        const { held, bwrap } = support;
        const argv = sandboxedArgv(policy, command, { bwrap, filter: this.#filter(policy.network) });
        return { argv, env, leave: held.hold(placeholders(policy, (path) => held.isHeld(path))) };
      },
      wasDenied: sandboxDenied,
    };
  }

  #policy(intent: SandboxIntent | null, { cwd, tmpdir }: Pick<Surroundings, 'cwd' | 'tmpdir'>): Policy {
    // Another user cannot even mount anything on it.
    // What is not there hides nothing, and could not be masked.
    const masked = this.#user ? [] : this.own.filter((path) => existsSync(path));
    if (this.floor === 'none' && intent) return policyOf(intent, { cwd, tmpdir, masked });
    const floor = floorIntent(this.floor === 'none' ? 'read-only' : this.floor, {
      cwd,
      workspaceRoots: intent?.workspaceRoots ?? null,
      chosen: this.#workspaces,
    });
    // Of the floor only /tmp: TMPDIR is whatever the request says it is.
    const weakest = policyOf(floor, { cwd, tmpdir: undefined, masked });
    return intent ? narrowed(policyOf(intent, { cwd, tmpdir, masked }), weakest) : weakest;
  }

  #filter(network: Policy['network']): string {
    return join(this.#shared ?? this.#folder, `${network}.bpf`);
  }
}

/** Which nobody but us can write to, and nobody takes for an old file; it goes with the gateway. */
function sharedFolder(): string {
  const folder = mkdtempSync('/run/exec-console-');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
