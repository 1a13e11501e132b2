// The gateway's own state, token and key, which no file method reaches: wherever a path leads, it does not lead there.
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isBelow, realOf } from './real-path.ts';

/** What a path is held against. */
export interface Privacy {
  /** Throws when the path leads into the folder, or to one of the files. */
  refuse(path: string): Promise<void>;
  /** Throws also when any of that lies somewhere below the path. */
  refuseTree(path: string): Promise<void>;
  /** The folder; null when it is not there. */
  stat(): Promise<Stats | null>;
}

export const NOTHING_PRIVATE: Privacy = {
  refuse: () => Promise.resolve(),
  refuseTree: () => Promise.resolve(),
  stat: () => Promise.resolve(null),
};

export class PrivatePlaces implements Privacy {
  readonly #folder: string;
  readonly #all: readonly string[];

  constructor(own: readonly [folder: string, ...files: string[]]) {
    this.#all = own;
    this.#folder = own[0];
  }

  async refuse(path: string): Promise<void> {
    const [real = path, ...own] = await this.#resolved(path);
    if (own.some((each) => isBelow(real, each))) throw refusal(path);
  }

  async refuseTree(path: string): Promise<void> {
    const [real = path, ...own] = await this.#resolved(path);
    if (own.some((each) => isBelow(real, each) || isBelow(each, real))) throw refusal(path);
  }

  stat(): Promise<Stats | null> {
    return stat(this.#folder).catch(() => null);
  }

  /** The path, then all that is private. What cannot be resolved leads nowhere, and the method that is given it says why. */
  #resolved(path: string): Promise<string[]> {
    return Promise.all([path, ...this.#all].map((each) => realOf(each).catch(() => each)));
  }
}

const refusal = (path: string): Error =>
  Object.assign(new Error(`EACCES: ${path} leads to the gateway's own state, which is out of reach`), {
    code: 'EACCES',
  });
