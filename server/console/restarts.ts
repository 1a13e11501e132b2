// How processes were started, kept so that they can be started once more; never shown, since environments have secrets.
import type { Requests } from '../protocol/methods.ts';
import type { Process } from '../process/process.ts';
import { invalidParams, invalidRequest } from '../rpc/rpc-error.ts';

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

  /**
   * What is not given comes from how the model was started: so nothing can have less of a sandbox by leaving it out. Throws
   * when that is not known.
   */
  likeItsModel({ like, ...params }: StartParams, find: (key: string) => Process): StartParams {
    if (!like) return params;
    const { key, ownEnv = false, ownSandbox = false } = like;
    if (params.session !== 'console') throw invalidParams('params.like: only for processes of the console');
    if (!ownSandbox && params.sandbox)
      throw invalidParams(
        'params.sandbox: the one of the model was asked for; `like.ownSandbox` asks for this one',
      );
    if (ownEnv && ownSandbox) return params;
    const kept = this.paramsOf(find(key));
    if (!kept)
      throw invalidRequest(
        `how process ${key} was started is not kept any more: choose an environment and a sandbox`,
      );
    const env = ownEnv ? params.env : { ...kept.env, ...params.env };
    const policy = ownEnv ? {} : { env, envPolicy: kept.envPolicy };
    if (ownSandbox || !kept.sandbox) return { ...params, ...policy };
    if (params.env['TMPDIR'] !== undefined && params.env['TMPDIR'] !== kept.env['TMPDIR'])
      throw invalidParams('params.env.TMPDIR: the sandbox of the model is open for writing there');
    // In another folder it is still the same one.
    return { ...params, ...policy, sandbox: { ...kept.sandbox, cwd: kept.sandbox.cwd ?? kept.cwd } };
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
