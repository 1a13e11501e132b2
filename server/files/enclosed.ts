// What one connection does to files inside sandboxes, each time by a fresh helper, or as another user, by one that stays.
import type { User } from '../process/user.ts';
import { invalidRequest } from '../rpc/rpc-error.ts';
import type { Sandbox } from '../sandbox/sandboxes.ts';
import { Helper } from './helper.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';
import type { PrivatePlaces } from './private-places.ts';

export class Enclosed {
  readonly #limits: OperationsLimits;
  readonly #user: User | null;
  readonly #own: PrivatePlaces;
  /** Of who asks for no sandbox. */
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
  async call(method: FileOperation, params: unknown, sandbox: Sandbox | null): Promise<unknown> {
    const helper = await this.#helper(sandbox);
    try {
      return await helper.call(method, params);
    } finally {
      await this.#end(helper);
    }
  }

  /** The file stays open, and its helper with it. */
  async open(handleId: string, params: unknown, sandbox: Sandbox | null): Promise<unknown> {
    const helper = await this.#helper(sandbox);
    try {
      const result = await helper.call('fs/open', params);
      this.#byHandle.set(handleId, helper);
      return result;
    } catch (error) {
      await this.#end(helper);
      throw error;
    }
  }

  /** Of a file that was opened here. */
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

  async #helper(sandbox: Sandbox | null): Promise<Helper> {
    if (!sandbox && this.#resident && !this.#resident.isOver) return this.#resident;
    const privateInodes = await this.#own.inodes();
    if (this.#isClosed) throw invalidRequest('the connection is gone');
    const helper = new Helper({ sandbox, user: this.#user, privateInodes }, this.#limits);
    this.#helpers.add(helper);
    if (!sandbox) this.#resident = helper;
    return helper;
  }

  /** Whoever is answered after this finds no trace of it. */
  async #end(helper: Helper): Promise<void> {
    if (helper === this.#resident) return;
    this.#helpers.delete(helper);
    await helper.end();
  }
}
