// Reports that the system has too few resources to start processes, and starts a trial command at intervals until the
// command no longer fails for this reason.
import type { ChildSpec } from '../host/child.ts';
import { spawnChild, SpawnError } from '../host/spawn.ts';
import type { ProcessHome } from './process-home.ts';

export interface StartTroubleLimits {
  /** Interval between trial starts. */
  readonly startAgainMs: number;
}

/** Returns a minimal command, on a terminal or on pipes like the start that failed. */
const trial = (tty: ChildSpec['tty']): ChildSpec => ({
  argv: ['true'],
  arg0: null,
  cwd: '/',
  env: {},
  sandbox: null,
  user: null,
  tty,
  pipeStdin: true,
});

const silent = { onOutput() {}, onResized() {}, onExit() {}, onEnd() {} };

export class StartTrouble {
  readonly #limits: StartTroubleLimits;
  readonly #home: ProcessHome | null;
  readonly #report: (reason: string | null) => void;
  #timer: NodeJS.Timeout | null = null;

  /** `report` is called with the reason, and with null when starts no longer fail for it. */
  constructor(limits: StartTroubleLimits, home: ProcessHome | null, report: (reason: string | null) => void) {
    this.#limits = limits;
    this.#home = home;
    this.#report = report;
  }

  /** Reports a start that failed for lack of a resource, and schedules a trial start; ignores other failures. */
  failed(error: SpawnError, tty: ChildSpec['tty']): void {
    if (!error.starved) return;
    this.#report(`No process can be started: ${error.starved.message}.`);
    this.stop();
    this.#timer = setTimeout(() => void this.#try(tty), this.#limits.startAgainMs).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #try(tty: ChildSpec['tty']): Promise<void> {
    this.#timer = null;
    try {
      if (this.#home) await this.#home.tryStart(trial(tty));
      else spawnChild(trial(tty), silent).closeStdin();
      this.#report(null);
    } catch (error) {
      // Any other error is not a lack of resources, and is reported to each caller whose start fails with it.
      if (error instanceof SpawnError && error.starved) this.failed(error, tty);
      else this.#report(null);
    }
  }
}
