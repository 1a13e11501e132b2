// File operations of one connection in helpers: a new helper for each request with a sandbox, or a permanent one, which
// runs as another user, for requests without.
import type { User } from '../../host/user.ts';
import { invalidRequest } from '../../rpc/rpc-error.ts';
import type { Sandbox } from '../../host/sandbox/sandboxes.ts';
import { Helper } from './helper.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';
import { UnknownLink, type PrivatePlaces } from './private-places.ts';

/**
 * Returns the sandbox, or null without one; called right before the sandbox is entered, because a sandbox reflects the
 * files that exist at that moment.
 */
export type SandboxOf = () => Sandbox | null | Promise<Sandbox | null>;

export class Enclosed {
  readonly #limits: OperationsLimits;
  readonly #user: User | null;
  readonly #own: PrivatePlaces;
  /** Helper for requests without a sandbox. */
  #resident: Helper | null = null;
  readonly #byHandle = new Map<string, Helper>();
  #isClosed = false;
  readonly #helpers = new Set<Helper>();

  constructor(limits: OperationsLimits, user: User | null, own: PrivatePlaces) {
    this.#limits = limits;
    this.#user = user;
    this.#own = own;
  }

  get openFiles(): number {
    return this.#byHandle.size;
  }

  has(handleId: string): boolean {
    return this.#byHandle.has(handleId);
  }

  /**
   * Runs an operation: without a sandbox in the permanent helper, otherwise in a new one, because a sandbox
   * reflects only the files that existed when it was created.
   */
  async call(method: FileOperation, params: unknown, sandboxOf: SandboxOf): Promise<unknown> {
    const helper = await this.#helper(sandboxOf);
    try {
      return await this.#run(helper, method, params);
    } finally {
      await this.#end(helper);
    }
  }

  /** Opens a file in a helper; a helper with a sandbox runs until the file is closed. */
  async open(handleId: string, params: unknown, sandboxOf: SandboxOf): Promise<unknown> {
    const helper = await this.#helper(sandboxOf);
    try {
      const result = await this.#run(helper, 'fs/open', params);
      this.#byHandle.set(handleId, helper);
      return result;
    } catch (error) {
      await this.#end(helper);
      throw error;
    }
  }

  /**
   * Runs an operation; if a file may be a private one that is missing from the list, reruns the operation with a fresh
   * list.
   */
  async #run(helper: Helper, method: FileOperation, params: unknown): Promise<unknown> {
    const { links } = this.#own;
    try {
      // fs/copy may have copied files when it meets a hard link, so it is not rerun, but starts with a fresh list.
      return await helper.call(method, params, method === 'fs/copy' ? await links.fresh() : links.known);
    } catch (error) {
      if (!(error instanceof UnknownLink)) throw error;
      return helper.call(method, params, await links.fresh());
    }
  }

  async onHandle(method: FileOperation, handleId: string, params: unknown): Promise<unknown> {
    const helper = this.#byHandle.get(handleId);
    if (!helper) throw new Error('invariant violation: no such handle');
    try {
      return await helper.call(method, params);
    } finally {
      if (method === 'fs/close') {
        this.#byHandle.delete(handleId);
        await this.#end(helper);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#resident = null;
    for (const helper of this.#helpers) void this.#end(helper);
    this.#byHandle.clear();
  }

  async #helper(sandboxOf: SandboxOf): Promise<Helper> {
    if (this.#isClosed) throw invalidRequest('the connection was closed');
    const sandbox = await sandboxOf();
    try {
      if (this.#isClosed) throw invalidRequest('the connection was closed');
      if (!sandbox && this.#resident && !this.#resident.isOver) return this.#resident;
      const helper = new Helper({ sandbox, user: this.#user }, this.#limits);
      this.#helpers.add(helper);
      if (!sandbox) this.#resident = helper;
      return helper;
    } finally {
      sandbox?.drop();
    }
  }

  /**
   * Ends a helper, except the permanent one. Callers wait for this before they reply, so that no trace of the helper
   * remains then.
   */
  async #end(helper: Helper): Promise<void> {
    if (helper === this.#resident) return;
    this.#helpers.delete(helper);
    await helper.end();
  }
}
