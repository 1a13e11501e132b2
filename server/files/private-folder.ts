// The gateway's own state, which no file method reaches: wherever a path leads, it does not lead there.
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isBelow, realOf } from './real-path.ts';

/** What a path is held against. */
export interface Privacy {
  /** Throws when the path leads into the folder. */
  refuse(path: string): Promise<void>;
  /** Throws also when the folder lies somewhere below the path. */
  refuseTree(path: string): Promise<void>;
  /** The folder; null when it is not there. */
  stat(): Promise<Stats | null>;
}

export const NOTHING_PRIVATE: Privacy = {
  refuse: () => Promise.resolve(),
  refuseTree: () => Promise.resolve(),
  stat: () => Promise.resolve(null),
};

export class PrivateFolder implements Privacy {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async refuse(path: string): Promise<void> {
    const [real, own] = await this.#resolved(path);
    if (isBelow(real, own)) throw refusal(path);
  }

  async refuseTree(path: string): Promise<void> {
    const [real, own] = await this.#resolved(path);
    if (isBelow(real, own) || isBelow(own, real)) throw refusal(path);
  }

  stat(): Promise<Stats | null> {
    return stat(this.#path).catch(() => null);
  }

  /** What cannot be resolved leads nowhere, and the method that is given it says why. */
  async #resolved(path: string): Promise<[real: string, own: string]> {
    return Promise.all([realOf(path).catch(() => path), realOf(this.#path).catch(() => this.#path)]);
  }
}

const refusal = (path: string): Error =>
  Object.assign(new Error(`EACCES: ${path} leads to the gateway's own state, which is out of reach`), {
    code: 'EACCES',
  });
