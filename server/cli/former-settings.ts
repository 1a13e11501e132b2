// Stores agents' settings from before the agents were connected, so that `connect --undo` restores them exactly.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openStateDir, writePrivateFile } from '../policy/state-dir.ts';
import { readText } from '../policy/token-records.ts';
import type { SettingsFile } from './settings-file.ts';

const FOLDER = 'connected';

const former = z.object({
  path: z.string(),
  /** Text of the file; null when there was no file. */
  before: z.string().nullable(),
  mode: z.number().nullable().default(null),
});

export type Former = z.infer<typeof former>;

/** Copies for one agent, newest last; earlier versions of exec-console stored only the newest. */
const copies = z.union([z.array(former), former.transform((only) => [only])]);

/** Maximum number of files with a copy per agent; beyond it, the oldest copy is removed. */
const MOST_COPIES = 100;

/** Copies of the settings files of one agent, at most one for each path. */
export class FormerSettings {
  readonly #stateDir: string;
  readonly #place: string;

  constructor(stateDir: string, agent: string) {
    this.#stateDir = stateDir;
    this.#place = join(stateDir, FOLDER, `${agent}.json`);
  }

  get all(): readonly Former[] {
    const text = readText(this.#place);
    return text === null ? [] : copies.parse(JSON.parse(text));
  }

  /** Returns the copy of a file; null when there is none. */
  of(path: string): Former | null {
    return this.all.find((each) => each.path === path) ?? null;
  }

  /** Stores a copy of the file (null: there was none); returns a function that restores the earlier copies. */
  keep(path: string, file: SettingsFile | null): () => void {
    const earlier = this.all;
    mkdirSync(join(openStateDir(this.#stateDir), FOLDER), { recursive: true, mode: 0o700 });
    const copy: Former = { path, before: file?.text ?? null, mode: file?.mode ?? null };
    this.#write([...others(earlier, path), copy].slice(-MOST_COPIES));
    return () => this.#write(earlier);
  }

  drop(path: string): void {
    if (this.of(path) !== null) this.#write(others(this.all, path));
  }

  #write(all: readonly Former[]): void {
    if (all.length === 0) rmSync(this.#place, { force: true });
    else writePrivateFile(this.#place, `${JSON.stringify(all)}\n`);
  }
}

const others = (all: readonly Former[], path: string): readonly Former[] =>
  all.filter((each) => each.path !== path);
