// Reports that the system has too few resources to start anything, and retries until it works again.
import type { ChildSpec } from '../host/child.ts';
import { spawnChild, SpawnError } from '../host/spawn.ts';
import type { ProcessHome } from './process-home.ts';

export interface StartTroubleLimits {
  /** Interval of these tries. */
  readonly startAgainMs: number;
}

/** The least that can be started; like what failed, on a terminal or on pipes. */
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
  readonly #tell: (reason: string | null) => void;
  #timer: NodeJS.Timeout | null = null;

  /** Calls `tell` with the reason, and with null when the trouble is over. */
  constructor(limits: StartTroubleLimits, home: ProcessHome | null, tell: (reason: string | null) => void) {
    this.#limits = limits;
    this.#home = home;
    this.#tell = tell;
  }

  /** A start of this kind has failed. */
  failed(error: SpawnError, tty: ChildSpec['tty']): void {
    if (!error.starved) return;
    this.#tell(`Nothing can be started: ${error.starved.message}.`);
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
      this.#tell(null);
    } catch (error) {
      // Any other error is reported to the caller that hits it.
      if (error instanceof SpawnError && error.starved) this.failed(error, tty);
      else this.#tell(null);
    }
  }
}
