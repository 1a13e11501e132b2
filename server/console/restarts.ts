// How processes were started, kept so that they can be started once more; never shown, since environments have secrets.
import type { Requests } from '../protocol/methods.ts';
import type { Process } from '../process/process.ts';

export type StartParams = Requests['process/start']['params'];

export interface RestartLimits {
  readonly restartBytes: number;
}

export class Restarts {
  readonly #limits: RestartLimits;
  readonly #kept = new Map<string, { readonly params: StartParams; readonly bytes: number }>();
  #bytes = 0;

  constructor(limits: RestartLimits) {
    this.#limits = limits;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** What starts the same again, with its terminal's present size; null when it is not kept (any more). */
  paramsOf({ key, size }: Pick<Process, 'key' | 'size'>): StartParams | null {
    const kept = this.#kept.get(key);
    return kept ? { ...kept.params, ...(size && { size }) } : null;
  }

  /** The oldest give way. */
  keep(key: string, params: StartParams): void {
    const bytes = sizeOf(params);
    this.#kept.set(key, { params, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limits.restartBytes) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

/** About, in characters: what may be large. */
function sizeOf({ argv, env, cwd, metadata, sandbox }: StartParams): number {
  const strings = [cwd, ...argv, ...Object.entries(env).flat()];
  const parts = strings.reduce((sum, each) => sum + each.length, 0);
  return parts + JSON.stringify([metadata ?? null, sandbox ?? null]).length;
}
