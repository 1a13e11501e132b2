// Combines a request and the operator's floor into a sandbox, or refuses the request.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { writeRegular } from '../regular-file.ts';
import { exactRealPath } from './byte-names.ts';
import { AsUser, type OtherUser } from './as-user.ts';
import { placeholders, sandboxedArgv } from './bubblewrap.ts';
import { carried } from './carried.ts';
import { sandboxDenied } from './denied.ts';
import { decidedPolicy, type Asked } from './decided.ts';
import { FactFinder } from './fact-finder.ts';
import type { Floor } from './floor.ts';
import { inWords } from './in-words.ts';
import type { Surroundings } from './intent.ts';
import { seatbeltArgv } from './macos.ts';
import { Placeholders, PlaceholdersAsUser } from './placeholders.ts';
import { otherNames, refuseByteNames } from './other-names.ts';
import { PrivateFiles } from './private-files.ts';
import { accessAt, isWithin, type Command, type Policy } from './policy.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { SandboxRefusal } from './refusal.ts';
import type { FactsQuestion, StartFacts } from './start-facts.ts';
import { findSupport, type Support } from './support.ts';
import { chosenFolder, isForOthers, type ChosenFolder } from './workspaces.ts';

export interface SandboxesOptions {
  /** Folder of the gateway's state, hidden in every sandbox; it also contains files that sandboxes need. */
  readonly stateDir: string;
  /** Other files of the gateway, hidden like its state: its token, its key. */
  readonly secretFiles?: readonly string[];
  /** Other folders of the gateway, hidden like its state. */
  readonly folders?: readonly string[];
  readonly floor: Floor;
  /** Folders that the floor leaves writable; if empty, each request names its folder. */
  readonly workspaces?: readonly string[];
  /** User inside; null: the gateway's user. */
  readonly user: OtherUser | null;
  /** PID of the program whose end also ends the sandboxed commands; default: this program. */
  readonly holder?: () => number;
}

export interface Inside {
  /** Command that runs the original one inside. */
  readonly argv: readonly string[];
  /** Environment in which to start `argv`; it carries the environment of the original command. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Releases the command's resources; call it when the command has ended. Placeholders of another user are removed
   * later, before the promise resolves.
   */
  readonly leave: () => void | Promise<void>;
}

export interface Sandbox {
  /** The reference's name for the mechanism. */
  readonly type: 'linuxSeccomp' | 'macosSeatbelt';
  /** Description of the policy, for people. */
  readonly policy: string;
  /** True when the policy grants write access to `/`. */
  readonly isOpen: boolean;
  /**
   * Prepares a command to run in the sandbox; throws an error with a message for people when that is impossible. With
   * another user, call it at most once.
   */
  enter(command: Command): Inside;
  /** Releases the sandbox's resources, unless it was entered; with another user, always call it. */
  drop(): void;
  /** Returns true when a command with this exit code and output probably failed because of the sandbox. */
  readonly wasDenied: (exitCode: number, output: string) => boolean;
}

type Means =
  | Exclude<Support, { means: 'bubblewrap' }>
  | { readonly means: 'bubblewrap'; readonly bwrap: Bwrap; readonly held: Held };

type Bwrap = Extract<Support, { means: 'bubblewrap' }>['bwrap'];
type Held = Placeholders | PlaceholdersAsUser;
type Possible = Exclude<Means, { means: null }>;
type Where = Pick<Surroundings, 'cwd' | 'tmpdir'>;

const NETWORKS = ['restricted', 'enabled'] as const;

export class Sandboxes {
  readonly floor: Floor;
  #stateDir: string;
  readonly #secretFiles: PrivateFiles;
  readonly #folders: readonly string[];
  readonly #workspaces: readonly ChosenFolder[];
  readonly #user: OtherUser | null;
  readonly #holder: () => number;
  readonly #asUser: AsUser | null;
  readonly #factFinder: FactFinder;
  /** Folder in which another user can read the filters; null: they are in the state folder. */
  #shared: string | null = null;
  #means: Means = { means: null, reason: 'sandbox support has not been checked yet; try again' };

  /** `prepare()` must run before a command can be sandboxed. */
  constructor({
    stateDir,
    secretFiles = [],
    folders = [],
    floor,
    workspaces = [],
    user,
    holder = () => process.pid,
  }: SandboxesOptions) {
    this.#holder = holder;
    this.#workspaces = workspaces.map((path) => chosenFolder(path));
    this.#user = user;
    this.#asUser = user && new AsUser(user);
    this.#factFinder = new FactFinder(user);
    this.floor = floor;
    this.#stateDir = stateDir;
    // The paths are resolved now, since links in them could be replaced from inside a sandbox.
    this.#folders = folders.map(exactRealPath);
    this.#secretFiles = new PrivateFiles(secretFiles, (folder) => isForOthers(folder, this.#workspaces));
  }

  /** The gateway's own places, by every real path: the state folder first. */
  get own(): readonly [stateDir: string, ...places: string[]] {
    const [stateDir, ...places] = this.#real;
    return [stateDir, ...places, ...otherNames([stateDir, ...places])];
  }

  get #real(): readonly [stateDir: string, ...places: string[]] {
    return [this.#stateDir, ...this.#folders, ...this.#secretFiles.places()];
  }

  /** Warnings to the operator about the places of the gateway's own files. */
  get warnings(): readonly string[] {
    // A process of another user cannot read these files anyway.
    return (this.#user ? [] : this.#secretFiles.shared).map(
      (path) =>
        `${path}, or a link on its path, is in a folder with other files, so running sandboxes can read a file ` +
        'that replaces it; move it to a separate folder',
    );
  }

  get #folder(): string {
    return join(this.#stateDir, 'sandbox');
  }

  /** Detects whether this host supports sandboxes, and creates the files that they need. Never rejects. */
  async prepare(): Promise<void> {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      // The path is resolved now, since links in it could be replaced from inside a sandbox.
      this.#stateDir = exactRealPath(this.#stateDir);
      if (this.#user) this.#shared = sharedFolder();
      if (isFiltered(process.arch)) {
        for (const network of NETWORKS) {
          const mode = this.#user ? 0o644 : 0o600;
          writeRegular(this.#filter(network), seccompFilter(process.arch, network), mode);
        }
      }
      const held = await this.#placeholders();
      const support = await findSupport(this.#filter('restricted'), { user: this.#user });
      this.#means = support.means === 'bubblewrap' ? { ...support, held } : support;
    } catch (error) {
      this.#means = {
        means: null,
        reason: `${this.#folder} cannot be used (${(error as Error).message})`,
      };
    }
  }

  /** Reason why sandboxes are refused here, with the remedy if it is known; null when they work. */
  get failure(): string | null {
    return this.#means.means === null ? this.#means.reason : null;
  }

  /** Ends the helpers that run as another user; afterwards no sandbox can be created as that user. */
  async close(): Promise<void> {
    await this.#asUser?.close();
    await this.#factFinder.close();
  }

  /**
   * Returns the requested sandbox, narrowed by the floor; null when neither requires one. Throws SandboxRefusal for a
   * request that cannot be enforced. With another user it returns a promise, since a helper checks the files as that
   * user.
   */
  sandbox(intent: SandboxIntent | null, where: Where): Sandbox | null | Promise<Sandbox> {
    const asked = this.#asked(intent, where);
    if (!asked) return null;
    const means = this.#means;
    if (means.means === null) {
      throw new SandboxRefusal(
        `sandbox: this host cannot enforce a sandbox, so nothing was done: ${means.reason}`,
      );
    }
    if (this.#asUser) return this.#sandboxAsUser(asked, means, this.#asUser);
    this.#secretFiles.refuseByteNames();
    refuseByteNames(this.#real);
    // A missing file needs no mask, and cannot be masked.
    const policy = decidedPolicy(
      asked,
      this.own.filter((path) => existsSync(path)),
    );
    return this.#sandbox(policy, means, () => hold(policy, means) as () => void);
  }

  /**
   * Resolves with facts about the files of a start, for people; `programs` and `isFresh` as in
   * `FactsQuestion`. Never rejects.
   */
  facts(
    intent: SandboxIntent | null,
    where: Where & { readonly cwd: string },
    { programs, isFresh }: Pick<FactsQuestion, 'programs' | 'isFresh'>,
  ): Promise<StartFacts> {
    const { cwd } = where;
    const hidden = this.own;
    return this.#factFinder.find({ asked: this.#asked(intent, where), cwd, programs, hidden, isFresh });
  }

  /**
   * Looks up the files on which the policy of a sandbox depends, so that `beforeLook` finds those on a mount that does
   * not answer; creates no sandbox. Does nothing for another user.
   */
  look(intent: SandboxIntent | null, where: Where): void {
    const asked = this.#asked(intent, where);
    try {
      if (asked && !this.#asUser) decidedPolicy(asked, []);
    } catch (error) {
      if (!(error instanceof SandboxRefusal)) throw error;
    }
  }

  /** Returns the inputs of the policy; null when neither the request nor the floor requires a sandbox. */
  #asked(intent: SandboxIntent | null, { cwd, tmpdir }: Where): Asked | null {
    if (!intent && this.floor === 'none') return null;
    return { floor: this.floor, intent, cwd, tmpdir, chosen: this.#workspaces };
  }

  async #sandboxAsUser(asked: Asked, means: Possible, asUser: AsUser): Promise<Sandbox> {
    const { policy, leave } = await asUser.inTurnSoon(async () => {
      const policy = await asUser.policy(asked);
      return { policy, leave: await hold(policy, means) };
    });
    let isEntered = false;
    const sandbox = this.#sandbox(policy, means, () => {
      isEntered = true;
      return leave;
    });
    return { ...sandbox, drop: () => void (isEntered || leave()) };
  }

  #sandbox(policy: Policy, means: Possible, held: () => Inside['leave']): Sandbox {
    return {
      type: means.means === 'bubblewrap' ? 'linuxSeccomp' : 'macosSeatbelt',
      policy: inWords(policy, this.own),
      isOpen: accessAt(policy.grants, '/') === 'write',
      enter: (command) => {
        const cannotBeEntered = policy.denied.find(({ path }) => isWithin(command.cwd, path));
        if (cannotBeEntered) {
          throw new SandboxRefusal(
            `sandbox: the working directory is in ${cannotBeEntered.path}, which is denied`,
          );
        }
        const env = carried(command.env);
        if (means.means === 'seatbelt') return { argv: seatbeltArgv(policy, command), env, leave: () => {} };
        const filter = this.#filter(policy.network);
        const argv = sandboxedArgv(policy, command, { bwrap: means.bwrap, filter });
        return { argv, env, leave: held() };
      },
      drop: () => {},
      wasDenied: sandboxDenied,
    };
  }

  async #placeholders(): Promise<Held> {
    const asUser = this.#asUser;
    if (!asUser) return new Placeholders(this.#folder, this.#holder());
    const held = new PlaceholdersAsUser(this.#folder, asUser, this.#holder());
    await asUser.inTurn(() => held.clearUp());
    return held;
  }

  #filter(network: Policy['network']): string {
    return join(this.#shared ?? this.#folder, `${network}.bpf`);
  }
}

/** Creates the folders that must exist to be mounted on; returns a function that releases them. */
const hold = (policy: Policy, means: Possible): ReturnType<Held['hold']> => {
  if (means.means === 'seatbelt') return () => {};
  const { held } = means;
  return held.hold(placeholders(policy, (path) => held.isHeld(path)));
};

/**
 * Creates a uniquely named folder that only the gateway can write to; it is removed when the gateway ends or,
 * after a kill, by the next one.
 */
function sharedFolder(): string {
  for (const name of readdirSync('/run')) {
    const [, pid] = /^exec-console-(\d+)-\w+$/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(`/run/${name}`, { recursive: true, force: true });
  }
  const folder = mkdtempSync(`/run/exec-console-${process.pid}-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}
