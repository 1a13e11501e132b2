// What one connection does to files inside sandboxes, each time by a fresh helper, or as another user, by one that stays.
import type { User } from '../process/user.ts';
import type { Sandbox } from '../sandbox/sandboxes.ts';
import { Helper } from './helper.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';

export class Enclosed {
  readonly #limits: OperationsLimits;
  readonly #user: User | null;
  /** Of who asks for no sandbox. */
  #resident: Helper | null = null;
  readonly #byHandle = new Map<string, Helper>();
  /** Every helper there is. */
  readonly #helpers = new Set<Helper>();

  constructor(limits: OperationsLimits, user: User | null) {
    this.#limits = limits;
    this.#user = user;
  }

  get openFiles(): number {
    return this.#byHandle.size;
  }

  has(handleId: string): boolean {
    return this.#byHandle.has(handleId);
  }

  /** A sandbox shows what was there when it was made: so each call has its own. */
  async call(method: FileOperation, params: unknown, sandbox: Sandbox | null): Promise<unknown> {
    const helper = this.#helper(sandbox);
    try {
      return await helper.call(method, params);
    } finally {
      await this.#end(helper);
    }
  }

  /** The file stays open, and its helper with it. */
  async open(handleId: string, params: unknown, sandbox: Sandbox | null): Promise<unknown> {
    const helper = this.#helper(sandbox);
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
    this.#resident = null;
    for (const helper of this.#helpers) void this.#end(helper);
    this.#byHandle.clear();
  }

  #helper(sandbox: Sandbox | null): Helper {
    if (sandbox) return this.#start(sandbox);
    if (!this.#resident || this.#resident.isOver) this.#resident = this.#start(null);
    return this.#resident;
  }

  #start(sandbox: Sandbox | null): Helper {
    const helper = new Helper({ sandbox, user: this.#user }, this.#limits);
    this.#helpers.add(helper);
    return helper;
  }

  /** Whoever is answered after this finds no trace of it. */
  async #end(helper: Helper): Promise<void> {
    if (helper === this.#resident) return;
    this.#helpers.delete(helper);
    await helper.end();
  }
}
