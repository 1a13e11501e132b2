// What one connection does to files inside sandboxes: each time by a fresh helper, which stays while its file is open.
import type { Sandbox } from '../sandbox/sandboxes.ts';
import { Helper } from './helper.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';

export class Enclosed {
  readonly #limits: OperationsLimits;
  readonly #byHandle = new Map<string, Helper>();
  /** Every helper there is. */
  readonly #helpers = new Set<Helper>();

  constructor(limits: OperationsLimits) {
    this.#limits = limits;
  }

  get openFiles(): number {
    return this.#byHandle.size;
  }

  has(handleId: string): boolean {
    return this.#byHandle.has(handleId);
  }

  /** A sandbox shows what was there when it was made: so each call has its own. */
  async call(method: FileOperation, params: unknown, sandbox: Sandbox): Promise<unknown> {
    const helper = this.#start(sandbox);
    try {
      return await helper.call(method, params);
    } finally {
      await this.#end(helper);
    }
  }

  /** The file stays open, and its helper with it. */
  async open(handleId: string, params: unknown, sandbox: Sandbox): Promise<unknown> {
    const helper = this.#start(sandbox);
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
    for (const helper of this.#helpers) void this.#end(helper);
    this.#byHandle.clear();
  }

  #start(sandbox: Sandbox): Helper {
    const helper = new Helper(sandbox, this.#limits);
    this.#helpers.add(helper);
    return helper;
  }

  /** Whoever is answered after this finds no trace of it. */
  async #end(helper: Helper): Promise<void> {
    this.#helpers.delete(helper);
    await helper.end();
  }
}
