// Retains the parameters of starts for restarts. They are never shown, since environments contain secrets.
import type { Requests } from '../../protocol/methods.ts';
import { OldestOut } from '../limits/oldest-out.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { invalidParams, invalidRequest } from '../rpc/rpc-error.ts';
import { shownMetadata } from '../sessions/start.ts';

export type StartParams = Requests['process/start']['params'];

export interface RestartLimits {
  readonly restartBytes: number;
  readonly restartBytesPerToken: number;
}

/** Approximate size of an entry in memory besides its text, in bytes. */
const ENTRY_BYTES = 200;

export class Restarts {
  /** Parameters as JSON: copies that retain no requests in memory, and whose size can be counted. */
  readonly #texts = new Map<string, Buffer>();
  readonly #sizes: OldestOut<string>;

  constructor({ restartBytes, restartBytesPerToken }: RestartLimits) {
    this.#sizes = new OldestOut({
      entries: Infinity,
      size: restartBytes,
      sizePerOwner: restartBytesPerToken,
    });
  }

  has(key: string): boolean {
    return this.#texts.has(key);
  }

  /** Returns the parameters for a restart, with the current size of the terminal; null when they are not retained. */
  paramsOf({ key, size }: Pick<ProcessView, 'key' | 'size'>): StartParams | null {
    const text = this.#texts.get(key);
    return text ? { ...(JSON.parse(text.toString()) as StartParams), ...(size && { size }) } : null;
  }

  /**
   * Adds the environment and the sandbox of the process that `like` names to the params, unless `ownEnv` or
   * `ownSandbox` is set; variables in the params take precedence. Copying is the default, so that omitting the sandbox
   * never weakens it. Throws for params that contradict each other, and when the process's params are needed but not
   * retained.
   */
  likeItsModel({ like, ...params }: StartParams, find: (key: string) => ProcessView): StartParams {
    if (!like) return params;
    const { key, ownEnv = false, ownSandbox = false } = like;
    if (params.session !== 'console') throw invalidParams('params.like: allowed only with session "console"');
    if (!ownSandbox && params.sandbox)
      throw invalidParams(
        'params.sandbox: not allowed with params.like, which copies the sandbox of that process; set params.like.ownSandbox to use params.sandbox instead',
      );
    if (ownEnv && ownSandbox) return params;
    const original = this.paramsOf(find(key));
    if (!original)
      throw invalidRequest(
        `the settings of process ${key} are no longer retained: choose an environment and a sandbox`,
      );
    const env = ownEnv ? params.env : { ...original.env, ...params.env };
    const policy = ownEnv ? {} : { env, envPolicy: original.envPolicy };
    if (ownSandbox || !original.sandbox) return { ...params, ...policy };
    if (params.env['TMPDIR'] !== undefined && params.env['TMPDIR'] !== original.env['TMPDIR'])
      throw invalidParams(
        'params.env.TMPDIR: expected the value of the copied process, since its sandbox may permit writing to TMPDIR',
      );
    // The sandbox still applies to the original folder.
    return {
      ...params,
      ...policy,
      sandbox: { ...original.sandbox, cwd: original.sandbox.cwd ?? original.cwd },
    };
  }

  /** Stores parameters, and evicts the oldest ones beyond the limit, this token's first. */
  keep(key: string, params: StartParams, token: string): void {
    const text = Buffer.from(JSON.stringify({ ...params, metadata: shownMetadata(params.metadata) }));
    this.#texts.set(key, text);
    for (const oldest of this.#sizes.add(key, token, ENTRY_BYTES + text.length)) this.#texts.delete(oldest);
  }

  forget(key: string): void {
    this.#sizes.remove(key);
    this.#texts.delete(key);
  }
}
