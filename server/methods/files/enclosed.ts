// File operations of one connection inside sandboxes, each by a fresh helper, or as another user, by a resident one.
import type { User } from '../../host/user.ts';
import { invalidRequest } from '../../rpc/rpc-error.ts';
import type { Sandbox } from '../../host/sandbox/sandboxes.ts';
import { Helper } from './helper.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';
import type { PrivatePlaces } from './private-places.ts';

/** The sandbox that applies; asked for right before it is entered, as it is made from what is there at that moment. */
export type SandboxOf = () => Sandbox | null | Promise<Sandbox>;

export class Enclosed {
  readonly #limits: OperationsLimits;
  readonly #user: User | null;
  readonly #own: PrivatePlaces;
  /** Helper for requests without a sandbox. */
  #resident: Helper | null = null;
  readonly #byHandle = new Map<string, Helper>();
  #isClosed = false;
  /** Every helper there is. */
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

  /** A sandbox shows what was there when it was made: so each call has its own. */
  async call(method: FileOperation, params: unknown, sandboxOf: SandboxOf): Promise<unknown> {
    const helper = await this.#helper(sandboxOf);
    try {
      return await helper.call(method, params);
    } finally {
      await this.#end(helper);
    }
  }

  /** The file stays open, and its helper with it. */
  async open(handleId: string, params: unknown, sandboxOf: SandboxOf): Promise<unknown> {
    const helper = await this.#helper(sandboxOf);
    try {
      const result = await helper.call('fs/open', params);
      this.#byHandle.set(handleId, helper);
      return result;
    } catch (error) {
      await this.#end(helper);
      throw error;
    }
  }

  /** Runs an operation on a file that was opened here. */
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
    const privateInodes = await this.#own.inodes();
    if (this.#isClosed) throw invalidRequest('the connection is gone');
    const sandbox = await sandboxOf();
    try {
      if (this.#isClosed) throw invalidRequest('the connection is gone');
      if (!sandbox && this.#resident && !this.#resident.isOver) return this.#resident;
      const helper = new Helper({ sandbox, user: this.#user, privateInodes }, this.#limits);
      this.#helpers.add(helper);
      if (!sandbox) this.#resident = helper;
      return helper;
    } finally {
      sandbox?.drop();
    }
  }

  /** Ends a helper, before the caller gets an answer, so that no trace of it is left by then. */
  async #end(helper: Helper): Promise<void> {
    if (helper === this.#resident) return;
    this.#helpers.delete(helper);
    await helper.end();
  }
}
